//! Artifacts in the store, by name and digest and no larger than announced.

use async_nats::jetstream::object_store::ObjectStore;
use bailiwick_base::{random, text};
use sha2::{Digest as _, Sha256};
use tokio::io::AsyncReadExt as _;

use super::record::Object;
use super::{ANSWER, TRANSFER, failed, within};
use crate::error::FleetError;

/// Puts content beneath a name of its own.
pub(super) async fn put(
    store: &ObjectStore,
    beginning: &str,
    name: &str,
    content: &[u8],
) -> Result<Object, FleetError> {
    let random = text::hex(&random::bytes::<8>().map_err(failed("named"))?);
    let object = format!("{beginning}.{random}.{name}");
    let stored = async { store.put(object.as_str(), &mut &content[..]).await.map(drop).map_err(failed("written")) };
    within(TRANSFER, "written", stored).await?;
    Ok(Object { object, digest: text::hex(&Sha256::digest(content)), bytes: content.len() })
}

/// Why an object is not taken.
#[derive(Debug)]
pub(super) enum Unusable {
    /// The server does not have it, or not now.
    Missing(FleetError),
    /// It is not what it was announced as.
    Other(String),
}

/// The content of an object, if it is what it was announced as.
pub(super) async fn get(store: &ObjectStore, wanted: &Object, most: usize) -> Result<Vec<u8>, Unusable> {
    if wanted.bytes > most {
        return Err(Unusable::Other(format!("an object of {} bytes is too large", wanted.bytes)));
    }
    let info = async { store.info(&wanted.object).await.map_err(failed("read")) };
    let info = within(ANSWER, "read", info).await.map_err(Unusable::Missing)?;
    let is_link = info.options.as_ref().is_some_and(|options| options.link.is_some());
    if is_link || info.deleted || info.size != wanted.bytes {
        return Err(Unusable::Other("an object is not as large as announced".to_owned()));
    }
    let read = async {
        let object = store.get(&wanted.object).await.map_err(failed("read"))?;
        let mut content = Vec::new();
        // One byte more than announced tells that there is more.
        let bound = u64::try_from(wanted.bytes).unwrap_or(u64::MAX).saturating_add(1);
        // The client compares the digest of the store, which is the writer's word and not the one that is wanted.
        let read = object.take(bound).read_to_end(&mut content).await;
        read.map(|_| content).map_err(failed("read"))
    };
    let content = within(TRANSFER, "read", read).await.map_err(Unusable::Missing)?;
    if content.len() != wanted.bytes || text::hex(&Sha256::digest(&content)) != wanted.digest {
        return Err(Unusable::Other("an object has another digest than announced".to_owned()));
    }
    Ok(content)
}
