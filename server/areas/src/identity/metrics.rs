//! The metrics of identity.
//!
//! Counters of the device grant, for its use and for attacks: grants that begin, their
//! outcomes, polls, and wrong user codes.

use ::metrics::{counter, describe_counter};

use super::clients::Grant;
use super::error::Refusal;
use crate::kernel::Kernel;

/// Device grants, by outcome: started, approved, denied, redeemed.
const GRANTS: &str = "accord_identity_grants_total";
/// Polls of devices, by outcome.
const POLLS: &str = "accord_identity_polls_total";
/// Uses of refresh tokens, by outcome.
const REFRESHES: &str = "accord_identity_refreshes_total";
/// Attempts to sign in, by outcome.
const SIGN_INS: &str = "accord_identity_sign_ins_total";
/// Entered user codes that were wrong or unknown.
const WRONG_CODES: &str = "accord_identity_wrong_codes_total";

/// Registers the descriptions of the counters.
pub fn describe(kernel: &Kernel) {
    kernel.metrics.record(|| {
        describe_counter!(GRANTS, "Device grants by outcome.");
        describe_counter!(POLLS, "Polls of devices by outcome; issued is a token.");
        describe_counter!(REFRESHES, "Uses of refresh tokens by outcome.");
        describe_counter!(SIGN_INS, "Attempts to sign in on the pages by outcome.");
        describe_counter!(WRONG_CODES, "User codes that no pending grant has.");
    });
}

/// Counts an outcome of a device grant.
pub fn grant(kernel: &Kernel, outcome: &'static str) {
    kernel
        .metrics
        .record(|| counter!(GRANTS, "outcome" => outcome).increment(1));
}

/// Counts a request at the token endpoint.
pub fn exchanged(kernel: &Kernel, grant: Grant, refusal: Option<&Refusal>) {
    let answer = refusal.map_or("issued", Refusal::code);
    let name = match grant {
        Grant::DeviceCode => POLLS,
        Grant::RefreshToken => REFRESHES,
    };
    kernel
        .metrics
        .record(|| counter!(name, "answer" => answer).increment(1));
    if grant == Grant::DeviceCode && refusal.is_none() {
        self::grant(kernel, "redeemed");
    }
}

/// Counts an attempt to sign in.
pub fn sign_in(kernel: &Kernel, outcome: &'static str) {
    kernel
        .metrics
        .record(|| counter!(SIGN_INS, "outcome" => outcome).increment(1));
}

/// Counts a wrong user code.
pub fn wrong_code(kernel: &Kernel) {
    kernel.metrics.record(|| counter!(WRONG_CODES).increment(1));
}
