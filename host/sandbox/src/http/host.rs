//! The host of a request, read strictly: a text that two programs could read in two ways is refused.

// What stands here is decided by others: nothing of it is an index or a number that is taken on trust.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects, clippy::indexing_slicing, clippy::string_slice))]

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// The longest name that the domain name system has, without its final dot.
const LONGEST_NAME: usize = 253;
const LONGEST_LABEL: usize = 63;

/// A host: a name in lower case, or an address.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Host {
    /// `api.example.com`; other scripts are there in their ASCII form (`xn--…`).
    Name(String),
    /// `192.0.2.1` or `[2001:db8::1]`.
    Address(IpAddr),
}

/// Why a text is not a host.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum HostError {
    /// Nothing is there.
    #[error("it is empty")]
    Empty,
    /// It has characters beyond ASCII, which look like others and are mapped in more than one way.
    #[error("it is not ASCII; write it as it stands in the domain name system (`xn--…`)")]
    NotAscii,
    /// It has a character that no host name has: an `@`, a `%`, a space, a slash.
    #[error("it has a character that no host name has")]
    Character,
    /// A label is empty, too long, or begins or ends with a hyphen; or there is a dot at the end.
    #[error("a part of it between dots is empty, too long, or begins or ends with a hyphen")]
    Label,
    /// It is too long for the domain name system.
    #[error("it is longer than a host name can be")]
    TooLong,
    /// It ends in a number but is not four numbers from 0 to 255: old programs read `127.1` and `0x7f000001` as
    /// addresses.
    #[error("it ends in a number and is not an IPv4 address of four decimal numbers")]
    OddAddress,
    /// The text in brackets is not an IPv6 address, or has a zone.
    #[error("what is in brackets is not an IPv6 address without a zone")]
    BadIpv6,
}

impl Host {
    /// Reads a host as it stands in an address, an IPv6 one in brackets.
    pub(crate) fn parse(text: &str) -> Result<Self, HostError> {
        if text.is_empty() {
            return Err(HostError::Empty);
        }
        if !text.is_ascii() {
            return Err(HostError::NotAscii);
        }
        if let Some(inner) = text.strip_prefix('[') {
            let inner = inner.strip_suffix(']').ok_or(HostError::BadIpv6)?;
            return inner.parse::<Ipv6Addr>().map(|ip| Self::Address(ip.into())).map_err(|_| HostError::BadIpv6);
        }
        let named = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
        if !text.bytes().all(named) {
            return Err(HostError::Character);
        }
        if text.len() > LONGEST_NAME {
            return Err(HostError::TooLong);
        }
        let name = text.to_ascii_lowercase();
        let well_formed = |label: &str| {
            (1..=LONGEST_LABEL).contains(&label.len()) && !label.starts_with('-') && !label.ends_with('-')
        };
        if !name.split('.').all(well_formed) {
            return Err(HostError::Label);
        }
        if ends_in_number(&name) {
            // Rust's own parser takes four decimal numbers without leading zeros and nothing else.
            return name.parse::<Ipv4Addr>().map(|ip| Self::Address(ip.into())).map_err(|_| HostError::OddAddress);
        }
        Ok(Self::Name(name))
    }
}

/// The rule of the URL standard for what is meant as an IPv4 address: the last label is a number, also in hexadecimal.
fn ends_in_number(name: &str) -> bool {
    let last = name.rsplit('.').next().unwrap_or_default();
    let hexadecimal = last.strip_prefix("0x").is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()));
    hexadecimal || last.bytes().all(|byte| byte.is_ascii_digit())
}

impl fmt::Display for Host {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(name) => formatter.write_str(name),
            Self::Address(IpAddr::V4(address)) => write!(formatter, "{address}"),
            Self::Address(IpAddr::V6(address)) => write!(formatter, "[{address}]"),
        }
    }
}
