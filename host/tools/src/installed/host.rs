//! What this library asks of the program that uses it.

use std::path::PathBuf;

use bailiwick_sandbox::{Limits, Reserved};

use super::Result;
use crate::Store;
use crate::oci::{Cache, Reference};
use crate::secrets::{Kept, Secrets, Value};
use crate::signature::TrustedKeys;

/// What this library asks of the program that uses it. Everything is asked for when it is needed, because a person may have
/// changed it since.
pub trait Host: Send + Sync {
    /// The added tools of this machine.
    ///
    /// # Errors
    /// Their directory is not known.
    fn store(&self) -> Result<Store>;

    /// The artifacts that came from registries.
    ///
    /// # Errors
    /// Their directory cannot be opened.
    fn artifacts(&self) -> Result<Cache>;

    /// The keys that a person trusts, by source.
    ///
    /// # Errors
    /// The configuration cannot be read.
    fn trusted_keys(&self) -> Result<TrustedKeys>;

    /// The certificate authorities that a person named for a registry: the file, and its PEM text.
    ///
    /// # Errors
    /// The configuration or the file cannot be read.
    fn authority(&self, registry: &Reference) -> Result<Option<(PathBuf, Vec<u8>)>>;

    /// The secrets that a person keeps for the requests of tools.
    ///
    /// # Errors
    /// Their directory is not known.
    fn secrets(&self) -> Result<Secrets>;

    /// The value of a secret. A command that prints it is run, which may wait while a person answers a keyring: do not call
    /// this on a thread that others wait for. The program must redact the value in its output from then on.
    ///
    /// # Errors
    /// The command cannot be run, or its output cannot stand in a header.
    fn secret(&self, secret: &Kept) -> Result<Value>;

    /// Directories that are never granted.
    ///
    /// # Errors
    /// They are not known.
    fn reserved(&self) -> Result<Reserved>;

    /// What one call may spend, unless the manifest says otherwise.
    fn usual_limits(&self) -> Limits;

    /// What one call may spend at most.
    fn most_limits(&self) -> Limits;

    /// Tells the person one sentence that does not stop the work.
    fn warn(&self, sentence: &str);
}

#[cfg(test)]
pub(super) mod tests {
    use std::sync::Mutex;
    use std::time::Duration;

    use super::*;
    use crate::secrets::Place;

    /// A host without configuration. It remembers the secrets that it was asked for.
    #[derive(Debug, Default)]
    pub(in super::super) struct TestHost {
        pub(in super::super) asked: Mutex<Vec<String>>,
    }

    impl Host for TestHost {
        fn store(&self) -> Result<Store> {
            unreachable!("no store in these tests")
        }

        fn artifacts(&self) -> Result<Cache> {
            unreachable!("no registry in these tests")
        }

        fn trusted_keys(&self) -> Result<TrustedKeys> {
            unreachable!("no signatures in these tests")
        }

        fn authority(&self, _: &Reference) -> Result<Option<(PathBuf, Vec<u8>)>> {
            Ok(None)
        }

        fn secrets(&self) -> Result<Secrets> {
            unreachable!("the tests give their own")
        }

        fn secret(&self, secret: &Kept) -> Result<Value> {
            let Place::Here(value) = secret.place() else { unreachable!("no commands in these tests") };
            self.asked.lock().unwrap().push(value.expose().to_owned());
            Ok(value.clone())
        }

        fn reserved(&self) -> Result<Reserved> {
            Ok(Reserved::none())
        }

        fn usual_limits(&self) -> Limits {
            Limits {
                memory_bytes: 64 << 20,
                table_elements: 10_000,
                deadline: Duration::from_secs(30),
                input_bytes: 8 << 20,
                output_bytes: 16 << 20,
                handles: 256,
                directory_entries: 200_000,
                written_bytes: 64 << 20,
            }
        }

        fn most_limits(&self) -> Limits {
            Limits {
                memory_bytes: 512 << 20,
                deadline: Duration::from_secs(300),
                handles: 1024,
                written_bytes: 1 << 30,
                ..self.usual_limits()
            }
        }

        fn warn(&self, sentence: &str) {
            unreachable!("{sentence}")
        }
    }
}
