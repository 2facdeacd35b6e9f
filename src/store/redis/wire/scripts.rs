//! The Lua scripts: each changes one partition, all at once, and touches no key outside it.

use std::sync::LazyLock;

use redis::Cmd;

/// A script and the name that the server knows it by.
pub(crate) struct Script {
    name: &'static str,
    code: &'static str,
    known: LazyLock<redis::Script>,
}

macro_rules! scripts {
    ($($constant:ident = $name:literal;)*) => {
        $(pub(crate) static $constant: Script = Script {
            name: $name,
            code: concat!(include_str!("../lua/common.lua"), include_str!(concat!("../lua/", $name, ".lua"))),
            known: LazyLock::new(|| ::redis::Script::new($constant.code)),
        };)*

        /// Every script, for checks.
        #[cfg(test)]
        pub(crate) static ALL: &[&Script] = &[$(&$constant),*];
    };
}

scripts! {
    ACCEPT = "accept";
    ANSWER = "answer";
    BACKLOG = "backlog";
    BEHIND = "behind";
    BELONG = "belong";
    CLAIM = "claim";
    COMMIT = "commit";
    DELETE = "delete";
    DUE = "due";
    ERASE = "erase";
    FORGET = "forget";
    FORMS = "forms";
    GIVE_BACK = "give_back";
    HEARTBEAT = "heartbeat";
    HOLD = "hold";
    KEYS = "keys";
    LET_GO = "let_go";
    MARK = "mark";
    NOTE = "note";
    RELEASE = "release";
    REPLAY = "replay";
    RESEAL = "reseal";
    RIGHTS = "rights";
    SCAN = "scan";
    SWEEP = "sweep";
    WAITING = "waiting";
}

#[cfg(test)]
impl Script {
    pub(crate) fn name(&self) -> &'static str {
        self.name
    }

    pub(crate) fn code(&self) -> &'static str {
        self.code
    }

    /// Whether a server names the script like this, by its digest.
    pub(crate) fn is(&self, word: &str) -> bool {
        self.known.get_hash() == word
    }
}

/// A script with what it is given.
pub(crate) struct Call {
    script: &'static Script,
    key: String,
    args: Vec<Vec<u8>>,
}

impl Call {
    /// A call that works on the keys that begin with `key`.
    pub(crate) fn new(script: &'static Script, key: String) -> Self {
        Self { script, key, args: Vec::new() }
    }

    pub(crate) fn arg(mut self, arg: impl AsRef<[u8]>) -> Self {
        self.add(arg);
        self
    }

    pub(crate) fn number(self, number: impl ToString) -> Self {
        self.arg(number.to_string())
    }

    pub(crate) fn add(&mut self, arg: impl AsRef<[u8]>) {
        self.args.push(arg.as_ref().to_vec());
    }

    pub(crate) fn name(&self) -> &'static str {
        self.script.name
    }

    /// The command for a server that knows the script.
    pub(crate) fn by_name(&self) -> Cmd {
        self.command("EVALSHA", self.script.known.get_hash().as_bytes())
    }

    /// The command for a server that does not, and will then.
    pub(crate) fn in_full(&self) -> Cmd {
        self.command("EVAL", self.script.code.as_bytes())
    }

    fn command(&self, verb: &str, script: &[u8]) -> Cmd {
        let mut command = redis::cmd(verb);
        command.arg(script).arg(1).arg(&self.key);
        for arg in &self.args {
            command.arg(&arg[..]);
        }
        command
    }
}
