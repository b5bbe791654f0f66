//! Rows of a file with users, in the columns of `accord users import`.

use accord_accounts_server::types::HubUserRequest;
use serde::{Deserialize, Serialize};
use serde_json::json;
use sha2::{Digest, Sha256};

use super::administrator::NewUser;
use super::fields::profiles;
use crate::area::Area;
use crate::pages::problems::Problems;

/// The maximum number of rows at once.
pub const MAX_ROWS: usize = 200;

/// A row of the file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Row {
    /// Email address.
    pub email_address: String,
    /// First name.
    pub first_name: String,
    /// Middle name.
    #[serde(default)]
    pub middle_name: Option<String>,
    /// Last name.
    pub last_name: String,
    /// Language of mail.
    pub language: String,
    /// The organization.
    pub hub_organization_id: i64,
    /// Whether to send a mail.
    #[serde(default)]
    pub set_password: Option<bool>,
    /// Another address for mail.
    #[serde(default)]
    pub email_for_communication: Option<String>,
    /// Collab profiles.
    #[serde(default)]
    pub collab: Option<String>,
    /// Why the row failed: a column of the report, which an import ignores.
    #[serde(default)]
    pub reason: Option<String>,
}

impl Row {
    /// Reads a file.
    ///
    /// # Errors
    ///
    /// What is wrong, as a sentence.
    pub fn read(text: &str) -> Result<Vec<Row>, String> {
        let mut reader = csv::ReaderBuilder::new()
            .trim(csv::Trim::All)
            .from_reader(text.as_bytes());
        let rows = reader.deserialize().take(MAX_ROWS + 1);
        let rows = rows.collect::<Result<Vec<Row>, _>>();
        let rows = rows.map_err(|error| format!("The text cannot be read: {error}."))?;
        match rows.len() {
            0 => Err("The text has no rows below the names of the columns.".to_owned()),
            1..=MAX_ROWS => Ok(rows),
            _ => Err(format!("The text has more than {MAX_ROWS} rows.")),
        }
    }

    /// Writes a file.
    ///
    /// # Errors
    ///
    /// Never in practice: when the rows cannot be written.
    pub fn write(rows: &[Row]) -> Result<String, String> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        for row in rows {
            writer.serialize(row).map_err(|error| error.to_string())?;
        }
        let bytes = writer.into_inner().map_err(|error| error.to_string())?;
        String::from_utf8(bytes).map_err(|error| error.to_string())
    }

    /// The user that the row describes.
    ///
    /// # Errors
    ///
    /// Why the operation would not accept it, as sentences.
    pub fn user(&self) -> Result<NewUser, String> {
        let given = |text: &Option<String>| text.clone().filter(|text| !text.is_empty());
        let new = NewUser {
            hub_user: HubUserRequest {
                email_address: self.email_address.clone(),
                email_for_communication: given(&self.email_for_communication),
                first_name: self.first_name.clone(),
                hub_organization_id: self.hub_organization_id,
                language: self.language.clone(),
                last_name: self.last_name.clone(),
                middle_name: given(&self.middle_name),
                set_password: self.set_password.unwrap_or(false),
            },
            collab_users: profiles(self.collab.as_deref().unwrap_or_default())?,
        };
        let problems = Problems::of(Area::Accounts, "createUser", &json!(new));
        match problems.is_empty() {
            true => Ok(new),
            false => Err(problems.sentences().collect::<Vec<_>>().join(" ")),
        }
    }

    /// The key under which the row is done once: a hash of its content without the reason.
    pub fn key(&self) -> String {
        let content = Row {
            reason: None,
            ..self.clone()
        };
        let hash = Sha256::digest(json!(content).to_string());
        format!("console-{}", base16ct::lower::encode_string(&hash))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str =
        "emailAddress,firstName,lastName,language,hubOrganizationId,setPassword,collab\n";

    #[test]
    fn rows_are_read_and_written_with_a_reason_that_does_not_change_their_key() {
        let text = format!("{HEAD}mira@north.example,Mira,Lund,en,3104,true,71:5201:LOCK-1\r\n");
        let rows = Row::read(&text).unwrap();
        let user = rows[0].user().unwrap();
        assert!(user.hub_user.set_password && user.collab_users.len() == 1);
        let failed = Row {
            reason: Some("It rained.".into()),
            ..rows[0].clone()
        };
        let again = Row::read(&Row::write(std::slice::from_ref(&failed)).unwrap()).unwrap();
        assert_eq!(again[0].reason.as_deref(), Some("It rained."));
        assert_eq!(again[0].key(), rows[0].key());
        let other = Row::read(&text.replace("Mira", "Nora")).unwrap();
        assert_ne!(other[0].key(), rows[0].key());
    }

    #[test]
    fn a_text_that_is_not_such_a_file_has_a_reason() {
        let many = format!("{HEAD}{}", "a@b.example,A,B,en,1,,\n".repeat(MAX_ROWS + 1));
        for (text, problem) in [
            (HEAD, "no rows"),
            ("", "no rows"),
            ("emailAddress\nx@y.example\n", "missing field"),
            (many.as_str(), "more than 200 rows"),
        ] {
            let found = Row::read(text).unwrap_err();
            assert!(found.contains(problem), "{found}");
        }
        let rows = Row::read(&format!("{HEAD}nobody,,Lund,en,3104,,\n")).unwrap();
        let problem = rows[0].user().unwrap_err();
        assert!(
            problem.contains("emailAddress") && problem.contains("firstName"),
            "{problem}"
        );
    }
}
