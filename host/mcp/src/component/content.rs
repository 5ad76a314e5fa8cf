//! A guest's answers as the protocol has them. The sandbox has checked each part.

use bailiwick_sandbox::rich::{Block, Body, Document, Link};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use rmcp::model::{ContentBlock, Resource, ResourceContents};

/// A part of an answer.
#[must_use]
pub fn block(block: Block) -> ContentBlock {
    match block {
        Block::Text(text) => ContentBlock::text(text),
        Block::Image(data) => ContentBlock::image(STANDARD.encode(data.bytes), data.mime_type),
        Block::Audio(data) => ContentBlock::audio(STANDARD.encode(data.bytes), data.mime_type),
        Block::Embedded(embedded) => ContentBlock::resource(document(embedded)),
        Block::Link(one) => ContentBlock::resource_link(link(one)),
    }
}

pub(super) fn document(document: Document) -> ResourceContents {
    let Document { uri, mime_type, body } = document;
    let contents = match body {
        Body::Text(text) => ResourceContents::text(text, uri),
        Body::Bytes(bytes) => ResourceContents::blob(STANDARD.encode(bytes), uri),
    };
    match mime_type {
        Some(mime_type) => contents.with_mime_type(mime_type),
        None => contents,
    }
}

pub(super) fn link(link: Link) -> Resource {
    let mut resource = Resource::new(link.uri, link.name);
    resource.title = link.title;
    resource.description = link.description;
    resource.mime_type = link.mime_type;
    resource
}
