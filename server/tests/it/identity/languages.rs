//! The pages of identity in the languages that browsers prefer.

use super::browser::{Browser, Page};
use super::client::{ANA, Device, PASSWORD};
use crate::harness::{Server, both_databases};

/// A browser with this header `Accept-Language`.
fn browser(server: &Server, language: &str) -> Browser {
    let mut browser = Browser::new(server);
    browser.language = Some(language.to_owned());
    browser
}

/// Checks that a page is in a language, and has all of these texts.
fn check(page: &Page, language: &str, texts: &[&str]) {
    let html = format!("<html lang=\"{language}\" dir=\"ltr\">");
    assert!(page.body.contains(&html), "{language}: {}", page.body);
    assert_eq!(page.header("vary"), "accept-language", "{language}");
    for text in texts {
        assert!(page.body.contains(text), "{text}: {}", page.body);
    }
}

both_databases! {
    async fn the_sign_in_page_is_in_the_language_that_the_browser_prefers(server: Server) {
        for (header, language, heading, reset) in [
            ("en-GB", "en", "Sign in", "Forgot your password?"),
            ("de-CH,de;q=0.9,en;q=0.8", "de", "Anmelden", "Passwort vergessen?"),
            ("es", "es", "Iniciar sesión", "¿Ha olvidado su contraseña?"),
            ("ja;q=0.9,fr;q=0.8", "fr", "Se connecter", "Mot de passe oublié ?"),
            ("it-IT", "it", "Accesso", "Ha dimenticato la password?"),
            ("nn-NO", "nb", "Logg inn", "Har du glemt passordet?"),
            ("nl", "nl", "Aanmelden", "Wachtwoord vergeten?"),
            ("ja", "en", "Sign in", "Forgot your password?"),
        ] {
            let mut browser = browser(&server, header);
            let heading = format!("<h1>{heading}</h1>");
            check(&browser.get("/ui/v1/signin").await, language, &[&heading, reset]);
            let reset = format!("<h1>{reset}</h1>");
            check(&browser.get("/ui/v1/forgot").await, language, &[&reset]);
        }
        let page = Browser::new(&server).get("/ui/v1/signin").await;
        check(&page, "en", &["<h1>Sign in</h1>"]);
    }

    async fn a_device_is_approved_in_the_language_of_the_browser(server: Server) {
        let device = Device::ask(&server, "accounts.read offline_access").await;
        let mut browser = browser(&server, "de");
        browser.get("/ui/v1/signin").await;
        let wrong = [("username", ANA), ("password", "not this one")];
        let page = browser.submit("/ui/v1/signin", &wrong).await;
        let title = "<title>Fehler: Anmelden · Accord</title>";
        check(&page, "de", &[title, "Die E-Mail-Adresse oder das Passwort ist falsch."]);
        browser.sign_in(ANA, PASSWORD).await;
        check(&browser.get("/ui/v1/device").await, "de", &["<h1>Gerät verbinden</h1>", ">Abmelden</a>"]);
        let code = [("user_code", "12"), ("action", "continue")];
        let page = browser.submit("/ui/v1/device", &code).await;
        check(&page, "de", &["Ein Code hat acht Buchstaben"]);
        let code = [("user_code", &*device.user_code), ("action", "continue")];
        let page = browser.submit("/ui/v1/device", &code).await;
        check(&page, "de", &[
            "Zugriff erlauben?</h1>", "gerade eben", "Ihre Organisationen und Anwendungsinstanzen sehen",
            "Diesen Zugriff behalten, während Sie nicht da sind", ">Ablehnen</button>",
        ]);
        assert!(!page.body.contains("See your organizations"), "{}", page.body);
        let code = page.field("user_code").unwrap().to_owned();
        let approve = [("user_code", &*code), ("action", "approve")];
        let page = browser.submit("/ui/v1/device", &approve).await;
        check(&page, "de", &["<h1>Gerät zugelassen</h1>", "Accord command line kann jetzt in Ihrem Namen handeln."]);
        // The rest of the console is in English.
        let page = browser.get("/ui/v1/keys").await;
        assert!(page.body.contains("<html lang=\"en\"") && page.body.contains("API keys"), "{}", page.body);
    }

    async fn the_account_is_in_the_language_of_the_browser(server: Server) {
        let device = Device::ask(&server, "accounts.read offline_access").await;
        let mut browser = browser(&server, "de");
        browser.sign_in(ANA, PASSWORD).await;
        browser.decide(&device.user_code, "approve").await;
        device.poll(&server).await;
        let page = browser.get("/ui/v1/account").await;
        check(&page, "de", &[
            "<h1>Ihr Konto</h1>", "aria-label=\"Console\" lang=\"en\"", ">Ein Browser ohne Namen<", ">Dieser Browser<",
            ">Zuletzt gesehen gerade eben von <span dir=\"ltr\">127.0.0.1<", ">Hat zuletzt gerade eben ein Token geholt von <",
            ">Erlaubt gerade eben<", "Ihre Organisationen und Anwendungsinstanzen sehen", ">Trennen<", ">Gerät verbinden<",
        ]);
        let page = browser.get("/ui/v1/account/elsewhere").await;
        check(&page, "de", &["Kein anderer Browser ist angemeldet. Dieser bleibt angemeldet.", "Auch das verbundene Gerät trennen"]);
        let page = browser.submit("/ui/v1/account/elsewhere", &[]).await;
        check(&page, "de", &["Alle anderen Browser sind abgemeldet. Geräte bleiben verbunden."]);

        let page = browser.get("/ui/v1/account/passkeys").await;
        check(&page, "de", &["<h1>Passkeys</h1>", "Sie haben noch keine."]);
        let confirm = [("action", "confirm"), ("present", "not this one")];
        let page = browser.submit("/ui/v1/account/passkeys", &confirm).await;
        check(&page, "de", &["Fehler: Passkeys", "Das ist nicht Ihr aktuelles Passwort."]);

        let page = browser.get("/ui/v1/account/password").await;
        check(&page, "de", &["<h1>Passwort ändern</h1>", ">Neues Passwort<", ">Abbrechen<"]);
        let new = ("password", "seven quiet otters");
        let page = browser.submit("/ui/v1/account/password", &[new, ("again", "others")]).await;
        check(&page, "de", &["Die beiden Passwörter sind nicht gleich."]);
        let form = [("present", PASSWORD), new, ("again", new.1)];
        let page = browser.submit("/ui/v1/account/password", &form).await;
        check(&page, "de", &["<h1>Passwort geändert</h1>", "Geräte, die Sie erlaubt haben, bleiben verbunden."]);

        check(&browser.get("/ui/v1/signout").await, "de", &["<h1>Abmelden?</h1>"]);
        let page = browser.submit("/ui/v1/signout", &[]).await;
        check(&page, "de", &["<h1>Abgemeldet</h1>", ">Wieder anmelden<"]);
    }

    async fn errors_are_in_the_language_of_the_browser(server: Server) {
        let mut browser = browser(&server, "fr");
        let nothing = server.http().get(server.url("/ui/v1/nothing"));
        let page = browser.send(nothing.header("accept", "text/html")).await;
        check(&page, "fr", &["<h1>Page introuvable</h1>"]);
        browser.get("/ui/v1/signin").await;
        browser.csrf_token = "of another browser".to_owned();
        let page = browser.submit("/ui/v1/signin", &[]).await;
        check(&page, "fr", &["<h1>Ce formulaire est périmé</h1>"]);
    }

    async fn a_link_is_requested_in_the_language_of_the_browser(server: Server) {
        let mut browser = browser(&server, "nl, en;q=0.5");
        browser.get("/ui/v1/forgot").await;
        let page = browser.submit("/ui/v1/forgot", &[("username", "nobody")]).await;
        check(&page, "nl", &["Fout: Wachtwoord vergeten?", "Vul uw e-mailadres in."]);
        let page = browser.submit("/ui/v1/forgot", &[("username", ANA)]).await;
        check(&page, "nl", &["<h1>Kijk in uw mailbox</h1>", "Terug naar de aanmeldpagina"]);
        let page = browser.get("/ui/v1/password?token=none").await;
        check(&page, "nl", &["Deze link is niet meer geldig", "Nieuwe link aanvragen"]);
    }
}
