//! The words and phrases that do not come back, each with its replacement.
//!
//! This is the one list. Documents, pages, command lines, error texts, comments and names are
//! checked with it. A pattern is a regular expression (ECMAScript, case-insensitive) between word
//! boundaries; a space in it matches any white space.

/// Phrases that hide the subject, or that the field has a better word for. All texts and all
/// comments are checked for them.
pub(super) const PHRASES: &[(&str, &str)] = &[
    ("shall", "`must`, `should` or `will`"),
    ("heed(s|ed|ing)?", "`respect`, `apply` or `use`"),
    ("all the while", "`throughout`"),
    ("nothing to mend", "`no findings` or `no problems`"),
    ("mend(s|ed|ing)?", "`fix` or `correct`"),
    ("good for (nothing|that|this)", "`valid` or `invalid`"),
    ("counts? as no", "`is treated as absent`"),
    ("cut short", "`interrupted` or `truncated`"),
    ("comes? and go(es)?", "`created and deleted`"),
    ("left nothing behind", "`had no effect`"),
    ("too much to do", "`overloaded`"),
    ("heard of", "`known`"),
    ("all is well", "`success`"),
    ("as (it|they) should be", "`valid` or `correct`"),
    (
        "(is|are|was|were) there (already|then|still|yet)",
        "`exists`",
    ),
    ("be it", "`or`"),
    ("(there|where|here)(of|in|by|upon)", "the noun"),
    ("makes? another", "`create`"),
    ("knows? no", "`does not support`"),
    ("shuts? (\\w+ )?out", "`disable`"),
    ("in the clear", "`in plain text`"),
    ("please", "nothing"),
    (
        "(e\\.g\\.|i\\.e\\.|etc\\.)",
        "`for example`, `that is`, or the whole list",
    ),
    ("answer(s|ed|ing)?", "`response`, `returns` or `responds`"),
    (
        "(told|tells?|telling)",
        "`says`, `reports`, `shows`, `names` or `distinguishes`",
    ),
    (
        "(?<!there )(is|are|was|were) no(?! longer| more)",
        "`is not a`, `is invalid`, or `there is no` in front",
    ),
    (
        "what (is|are|was|were|has|have|had|anyone|somebody|nobody|people)(?! wrong)",
        "the noun: which thing it is",
    ),
    ("(what|who)(so)?ever", "`any` or `every` with a noun"),
    ("asked[- ]for", "`requested`"),
    ("left alone", "`not called`"),
    ("(is|are|was|were) there(?=[.,;:)]|$)", "`exists`"),
    (
        "(is|are|was|were) gone",
        "`was removed` or `no longer exists`",
    ),
    ("look(s|ed|ing)? at", "`show`, `list`, `check` or `read`"),
    ("stands?(?!-)", "`is`, `appears` or `represents`"),
    ("go(es)? on", "`continues`"),
    ("takes? no", "`does not accept`"),
    ("for good", "`permanently`"),
    ("anew", "`again`, or `re-` with the verb"),
    ("(broken?|breaks?) off", "`interrupted`"),
    ("(worth nothing|worthless)", "`invalid`"),
    ("all there is", "`everything`"),
    ("by way of", "`through`"),
    ("of old", "`old` or `former`"),
    ("of no use", "`useless`"),
    ("in vain", "`without effect`"),
    ("(find|finds|found|finding) out", "`finds` or `computes`"),
    (
        "hand(s|ed|ing)? (over|out)",
        "`returns`, `passes` or `sends`",
    ),
    ("vouch(es|ed|ing)?", "`confirms`"),
    ("slips? of the fingers?", "`typo` or `typing mistake`"),
    (
        "let(s|ting)? (\\w+ )?(no longer )?in",
        "`admits` or `enables`",
    ),
    ("(heard?|hears)", "`receives` or `is notified`"),
    ("goes? without", "`omits`"),
    ("in its clothes", "`converted into it`"),
];

/// Words that do not come back in the names of modules, types, functions and constants. A
/// name is split into its words, so that `is_told` and `ToldField` have the word `told`.
pub(super) const NAMES: &[(&str, &str)] = &[
    ("(told|tells?)", "`record`, `report`, `notify` or `print`"),
    ("(heard|hears?)", "`notified` or `received`"),
    ("whisper(s|ed)?", "`log_debug`"),
    ("glances?", "`find` or `scan`"),
    ("peppers?", "`server_keys`"),
    ("offices?", "`mailer`"),
    ("crews?", "`receiver` or `workers`"),
    ("couriers?", "`client`"),
    ("news", "`update` or `changes`"),
    ("lasting", "`durable`, or `heartbeat` of a stream"),
    ("departures?", "`observer`"),
    ("surveys?", "`index`"),
    ("grown", "`tree` with what it is for"),
    ("retag(ged)?", "`cast`"),
    ("unkept", "`invalid`"),
    ("excuses?", "`is_exempt`"),
    ("fates?", "`outcome`"),
    ("(un)?said", "`message`, `output` or `unspecified`"),
    ("longest", "`max` with the unit"),
    ("patience", "`timeout`"),
    ("deepest", "`max_depth`"),
    ("shortest", "`min` with the unit"),
    ("standings?", "`status`"),
    ("manners?", "`kind`"),
    ("forgiv(e|en|es|ing)", "`reset`"),
    ("mend(s|ed|ing)?", "`correct` or `fix`"),
    ("shall", "`must`"),
    ("heed(s|ed|ing)?", "`use` or `apply`"),
    ("unasked", "`not requested`"),
    ("gone", "`removed`"),
    ("stands", "`is_valid`, `represents` or `position`"),
    ("whose", "the noun"),
    ("acting", "`identity` or `principal`"),
];

/// British spellings, with the American ones.
pub(super) const SPELLINGS: &[(&str, &str)] = &[
    (
        "(behavi|col|fav|flav|hon|lab|neighb|rum|endeav)our\\w*",
        "`-or`",
    ),
    (
        "(anonym|apolog|author|canonical|capital|categor|central|critic|custom|emphas|final|general|global|initial|item|local|maxim|minim|normal|optim|organ|priorit|real|recogn|serial|special|standard|summar|synchron|token|util|visual)is(e|es|ed|er|ers|ing|able|ation|ations)",
        "`-ize`",
    ),
    ("(anal|catal|paral)ys(e|es|ed|er|ing)", "`-yze`"),
    ("(licen|defen|offen|preten)ces?", "`-se`"),
    ("(cent|met|lit|fib|theat)res?", "`-er`"),
    ("grey\\w*", "`gray`"),
    (
        "(cancel|channel|fuel|label|level|marshal|model|signal|travel|tunnel)l(ed|er|ers|ing)",
        "one `l`",
    ),
    ("(fulfil|enrol)", "two `l`"),
    ("(judge|acknowledge)ments?", "no `e` before `-ment`"),
    ("(whilst|amongst)", "`while` or `among`"),
    ("(learnt|spelt|burnt)", "`-ed`"),
    ("programmes?", "`program`"),
    ("artefacts?", "`artifact`"),
    ("practis(e|es|ed|ing)", "`practice`"),
    ("catalogues?", "`catalog`"),
    ("misspelt", "`misspelled`"),
    ("per cent", "`percent`"),
];

/// The verbs that the summary of an operation, or the help of a command, begins with.
pub(super) const VERBS: &str = "\
    Activate Add Allow Approve Archive Authorize Build Cancel Change Check Classify Compile \
    Complete Copy Create Deactivate Delete Deny Describe Disable Edit Enable Exchange Explain \
    Find Format Get Introspect Invalidate Issue Link List Lock Log Manage Measure Move Print \
    Promote Put Read Register Remove Rename Renew Replace Report Request Restore Revoke Rewrite \
    Rotate Run Search Send Serve Set Show Start Stop Test Unlink Unlock Update Validate Verify";
