//! Proofs: small values by key, so that work done once need not be repeated.

use bailiwick_base::time::Moment;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::digest::Digest;
use crate::error::StoreError;
use crate::state::{read_json, write_json_soon};
use crate::store::Store;

#[derive(Serialize, Deserialize)]
struct Proof {
    key: String,
    time: String,
    proof: Value,
}

impl Store {
    /// The proof kept under `key`. One that cannot be read proves nothing and is `None`.
    pub fn proof(&self, key: &str) -> Option<Value> {
        let proof: Proof = read_json(&self.proof_path(key)).ok()??;
        (proof.key == key).then_some(proof.proof)
    }

    /// Keeps `proof` under `key`, replacing an earlier one. Nothing waits for the disk: a loss of power may take it, and what
    /// is left of it then proves nothing. The end of a run brings it there.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn keep_proof(&self, key: &str, proof: &Value) -> Result<(), StoreError> {
        let time = Moment::now().rfc3339();
        write_json_soon(&self.proof_path(key), &Proof { key: key.to_owned(), time, proof: proof.clone() })
    }

    /// Keys are any text, so their digest names the file.
    fn proof_path(&self, key: &str) -> std::path::PathBuf {
        self.state.proofs().join(format!("{}.json", Digest::of(key.as_bytes())))
    }
}
