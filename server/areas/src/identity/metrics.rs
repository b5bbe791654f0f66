//! The metrics of identity.
//!
//! Counters of the device grant, for its use and for attacks: grants that begin, their
//! outcomes, polls, and wrong user codes.

use ::metrics::counter;

use super::clients::Grant;
use super::error::Refusal;
use crate::kernel::Kernel;

crate::measures! {
    describe_counter GRANTS = "accord_identity_grants_total": "Device grants by outcome.";
    describe_counter POLLS = "accord_identity_polls_total":
        "Polls of devices by outcome; issued is a token.";
    describe_counter REFRESHES = "accord_identity_refreshes_total":
        "Uses of refresh tokens by outcome.";
    describe_counter SIGN_INS = "accord_identity_sign_ins_total":
        "Attempts to sign in on the pages by outcome.";
    describe_counter WRONG_CODES = "accord_identity_wrong_codes_total":
        "User codes that no pending grant has.";
}

/// Registers the descriptions of the counters.
pub fn describe(kernel: &Kernel) {
    kernel.metrics.record(describe_measures);
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
