// Signs in and calls all four areas with clients that openapi-generator makes for Go.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"reflect"
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
	scope      = "accounts.read accounts.write apikeys.read apikeys.write patterns.read patterns.write"
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

// A chat in which the model calls a tool.
func callTool(ctx context.Context, client *inference.APIClient) {
	weather := inference.Tool{
		Type: "function",
		Function: &inference.FunctionDefinition{
			Name: "get_weather",
			Parameters: map[string]interface{}{
				"type":       "object",
				"properties": map[string]interface{}{"city": map[string]interface{}{"type": "string"}},
			},
		},
	}
	chat := func(messages ...inference.ChatMessage) inference.ChatChoice {
		request := inference.ChatCompletionRequest{
			Model:    "acme.chat",
			Messages: messages,
			Tools:    []inference.Tool{weather},
		}
		call := client.ChatCompletionsAPI.CreateChatCompletion(ctx).ChatCompletionRequest(request)
		return must(call.Execute()).Choices[0]
	}
	says := func(role, text string) inference.ChatMessage {
		message := inference.ChatMessage{Role: role}
		message.SetContent(inference.StringAsMessageContent(&text))
		return message
	}
	question := says("user", "How warm is it in Lyon?")
	asked := chat(question)
	check(asked.GetFinishReason() == "tool_calls", asked)
	call := asked.Message.ToolCalls[0]
	check(call.Function.Name == "get_weather", call)
	var arguments struct{ City string }
	check(json.Unmarshal([]byte(call.Function.Arguments), &arguments) == nil, call)
	result := says("tool", "21 degrees in "+arguments.City)
	result.SetToolCallId(call.Id)
	called := inference.ChatMessage{Role: "assistant", ToolCalls: []inference.ToolCall{call}}
	final := chat(question, called, result)
	check(final.Message.GetContent() == "21 degrees in Lyon", final)
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
	hub := accounts.NewAPIClient(accounts.NewConfiguration())
	organizations := must(hub.DirectoryAPI.ListOrganizations(ctx).Execute())
	check(slices.ContainsFunc(organizations, func(one accounts.OrganizationDetails) bool {
		return one.Name == "North Works Ltd"
	}), organizations)
	eva := accounts.HubUserRequest{
		EmailAddress:      "eva@north.example",
		FirstName:         "Eva",
		LastName:          "North",
		Language:          "en",
		HubOrganizationId: 3104,
	}
	request := accounts.CreateUserRequest{HubUser: &eva}
	user := must(hub.UsersAPI.CreateUser(ctx).CreateUserRequest(request).Execute())
	check(user.HubUser.DisplayName == "Eva North", user)

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
	callTool(ctx, client)

	// A value of an enumeration that the document does not know.
	configuration := inference.NewConfiguration()
	configuration.Servers = inference.ServerConfigurations{{URL: standIn}}
	unknown := must(inference.NewAPIClient(configuration).APIKeysAPI.GetApiKey(ctx, made.Id).Execute())
	check(unknown.LifecycleState == "HIBERNATING", unknown)

	ctx = context.WithValue(context.Background(), patterns.ContextAccessToken, token)
	recipes := patterns.NewAPIClient(patterns.NewConfiguration()).AgentPatternsAPI
	const instance = "design-eu-1"
	pattern := patterns.CreatePatternRequest{
		PatternCode:    "ORDER_TRIAGE",
		PatternVersion: "01.00.0000",
		ProjectCode:    "RETAIL",
		Id:             "3f1c2a9e-6d0b-4f6e-9c64-0a4c8c0d7b01",
		// The service ignores it.
		UsageCount: 7,
	}
	create := recipes.CreatePatternFromAccelerator(ctx, "RETAIL").IntegrationInstance(instance)
	created := must(create.CreatePatternRequest(pattern).Execute())
	get := recipes.GetPattern(ctx, "RETAIL", "ORDER_TRIAGE|01.00.0000").IntegrationInstance(instance)
	read := must(get.Execute())
	check(read.UsageCount == 0 && reflect.DeepEqual(read, created), read)
	page := must(recipes.ListPatterns(ctx, "RETAIL").IntegrationInstance(instance).Execute())
	check(len(page.Items) == 1 && page.Items[0].Id == read.Id, page)
	fmt.Println("success")
}
