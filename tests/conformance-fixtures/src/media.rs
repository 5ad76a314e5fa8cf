//! The smallest picture and the shortest sound.

use bailiwick_tool_sdk::rich::{Block, Body, Data, Document};

/// One red pixel, PNG.
pub(crate) const RED_PIXEL: &[u8] = b"\
    \x89\x50\x4e\x47\x0d\x0a\x1a\x0a\x00\x00\x00\x0d\x49\x48\x44\x52\x00\x00\x00\x01\x00\x00\x00\x01\
    \x08\x02\x00\x00\x00\x90\x77\x53\xde\x00\x00\x00\x0c\x49\x44\x41\x54\x78\xda\x63\xf8\xcf\xc0\x00\
    \x00\x03\x01\x01\x00\xf7\x03\x41\x43\x00\x00\x00\x00\x49\x45\x4e\x44\xae\x42\x60\x82";

/// Eight samples of silence, WAV.
pub(crate) const SILENCE: &[u8] = b"\
    \x52\x49\x46\x46\x2c\x00\x00\x00\x57\x41\x56\x45\x66\x6d\x74\x20\x10\x00\x00\x00\x01\x00\x01\x00\
    \x40\x1f\x00\x00\x40\x1f\x00\x00\x01\x00\x08\x00\x64\x61\x74\x61\x08\x00\x00\x00\x80\x80\x80\x80\
    \x80\x80\x80\x80";

/// The picture as a part of an answer.
pub(crate) fn picture() -> Block {
    Block::Image(Data { mime_type: "image/png".into(), bytes: RED_PIXEL.to_vec() })
}

/// The sound as a part of an answer.
pub(crate) fn sound() -> Block {
    Block::Audio(Data { mime_type: "audio/wav".into(), bytes: SILENCE.to_vec() })
}

/// A text with an address.
pub(crate) fn document(uri: &str, mime_type: &str, text: &str) -> Document {
    Document { uri: uri.into(), mime_type: Some(mime_type.into()), body: Body::Text(text.into()) }
}
