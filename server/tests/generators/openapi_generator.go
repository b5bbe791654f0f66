// Signs in and calls all four areas with clients that openapi-generator makes for Go.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"accord/accounts"
	"accord/identity"
	"accord/inference"
	"accord/patterns"
)

const (
	clientID   = "accord-cli"
	deviceCode = "urn:ietf:params:oauth:grant-type:device_code"
	scope      = "accounts.read apikeys.read apikeys.write patterns.read"
)

func check(holds bool, value any) {
	if !holds {
		text, _ := json.Marshal(value)
		panic(string(text))
	}
}

func must[T any](value T, _ any, err error) T {
	if err != nil {
		var body interface{ Body() []byte }
		if errors.As(err, &body) {
			panic(fmt.Sprintf("%v: %s", err, body.Body()))
		}
		panic(err)
	}
	return value
}

// The device flow, as a public client.
func signIn() string {
	ctx := context.Background()
	client := identity.NewAPIClient(identity.NewConfiguration())
	request := client.DeviceAuthorizationAPI.CreateDeviceAuthorization(ctx).ClientId(clientID).Scope(scope)
	device := must(request.Execute())
	fmt.Println("approve", device.UserCode)
	for range 20 {
		request := client.TokensAPI.CreateToken(ctx).GrantType(deviceCode).DeviceCode(device.DeviceCode).ClientId(clientID)
		token, _, err := request.Execute()
		if err == nil {
			return token.AccessToken
		}
		var refusal *identity.GenericOpenAPIError
		check(errors.As(err, &refusal), err.Error())
		problem, ok := refusal.Model().(identity.OAuthError)
		check(ok && problem.Error == "authorization_pending", string(refusal.Body()))
		time.Sleep(time.Duration(device.Interval) * time.Second)
	}
	panic("the device was not approved")
}

func main() {
	standIn := os.Args[1]
	// The token is all that the clients are told; the documents say where it goes.
	token := signIn()

	ctx := context.WithValue(context.Background(), accounts.ContextAccessToken, token)
	directory := accounts.NewAPIClient(accounts.NewConfiguration()).DirectoryAPI
	organizations := must(directory.ListOrganizations(ctx).Execute())
	check(slices.ContainsFunc(organizations, func(one accounts.OrganizationDetails) bool {
		return one.Name == "North Works Ltd"
	}), organizations)

	ctx = context.WithValue(context.Background(), inference.ContextAccessToken, token)
	client := inference.NewAPIClient(inference.NewConfiguration())
	details := inference.CreateApiKeyDetails{
		CompartmentId: "compartment.demo",
		DisplayName:   "made_by_go",
		KeyDetails:    []inference.KeyDetails{{KeyName: "one"}},
	}
	made := must(client.APIKeysAPI.CreateApiKey(ctx).CreateApiKeyDetails(details).Execute())
	listed := must(client.APIKeysAPI.ListApiKeys(ctx).CompartmentId("compartment.demo").Execute())
	check(slices.ContainsFunc(listed.Items, func(one inference.ApiKey) bool {
		return one.Id == made.Id
	}), listed)

	secret := made.Keys[0].GetKey()
	ctx = context.WithValue(context.Background(), inference.ContextAccessToken, secret)
	models := must(client.ModelsAPI.ListModels(ctx).Execute())
	check(slices.ContainsFunc(models.Data, func(model inference.Model) bool {
		return model.Id == "acme.chat"
	}), models)

	// A value of an enumeration that the document does not know.
	configuration := inference.NewConfiguration()
	configuration.Servers = inference.ServerConfigurations{{URL: standIn}}
	unknown := must(inference.NewAPIClient(configuration).APIKeysAPI.GetApiKey(ctx, made.Id).Execute())
	check(unknown.LifecycleState == "HIBERNATING", unknown)

	ctx = context.WithValue(context.Background(), patterns.ContextAccessToken, token)
	recipes := patterns.NewAPIClient(patterns.NewConfiguration()).AgentPatternsAPI
	page := must(recipes.ListPatterns(ctx, "RETAIL").IntegrationInstance("design-eu-1").Execute())
	check(page.Items != nil, page)
	fmt.Println("all is well")
}
