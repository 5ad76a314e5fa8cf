//! Classifies addresses: public, private (this machine and its networks), or reserved.

use super::rule::Reach;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// What an address is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// One of the internet.
    Public,
    /// This machine, its link, or a private network: loopback, link-local, private use, carrier-grade translation.
    Private,
    /// Neither: unspecified, multicast, reserved, for documentation, or an IPv6 address that embeds an IPv4 address (mapped,
    /// NAT64, 6to4, Teredo), which a router may translate.
    Reserved,
}

/// Whether a rule of this reach lets a connection go to the address.
pub(super) fn allowed(address: IpAddr, reach: Reach) -> bool {
    match kind(address) {
        Kind::Public => true,
        Kind::Private => reach == Reach::Private,
        Kind::Reserved => false,
    }
}

fn kind(address: IpAddr) -> Kind {
    match address {
        IpAddr::V4(address) => kind_v4(address),
        IpAddr::V6(address) => kind_v6(address),
    }
}

/// By the special-purpose address registry of IANA (RFC 6890 and its updates).
fn kind_v4(address: Ipv4Addr) -> Kind {
    match address.octets() {
        [10 | 127, ..] | [192, 168, ..] | [169, 254, ..] => Kind::Private,
        [172, second, ..] if second & 0xf0 == 16 => Kind::Private,
        [100, second, ..] if second & 0xc0 == 64 => Kind::Private,
        // This network; protocol assignments; documentation; 6to4 relays; benchmarks; multicast and reserved.
        [0 | 224..=255, ..]
        | [192, 0, 0 | 2, _]
        | [192, 88, 99, _]
        | [198, 18 | 19, ..]
        | [198, 51, 100, _]
        | [203, 0, 113, _] => Kind::Reserved,
        _ => Kind::Public,
    }
}

/// Of IPv6 only what is allocated for unicast is public, without what is set apart in it. So every form that carries an
/// IPv4 address is nowhere: mapped, compatible, translated (`64:ff9b::/96`, `64:ff9b:1::/48`), 6to4, Teredo.
fn kind_v6(address: Ipv6Addr) -> Kind {
    if address == Ipv6Addr::LOCALHOST {
        return Kind::Private;
    }
    let [first, second, ..] = address.segments();
    match first {
        // Unique local (fc00::/7) and link-local (fe80::/10).
        0xfc00..=0xfdff | 0xfe80..=0xfebf => Kind::Private,
        // Protocol assignments (2001::/23), with Teredo among them, and documentation.
        0x2001 if second < 0x200 || second == 0xdb8 => Kind::Reserved,
        // 6to4; documentation (3fff::/20).
        0x2002 => Kind::Reserved,
        0x3fff if second < 0x1000 => Kind::Reserved,
        0x2000..=0x3fff => Kind::Public,
        _ => Kind::Reserved,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use proptest::test_runner::RngSeed;

    const PRIVATE: &[&str] = &[
        "127.0.0.1",
        "127.255.255.254",
        "10.0.0.1",
        "10.255.255.255",
        "172.16.0.1",
        "172.31.255.255",
        "192.168.1.1",
        "169.254.169.254",
        "100.64.0.1",
        "100.127.255.255",
        "::1",
        "fc00::1",
        "fd12:3456::1",
        "fe80::1",
        "febf::1",
    ];
    const RESERVED: &[&str] = &[
        "0.0.0.0",
        "0.1.2.3",
        "192.0.0.1",
        "192.0.2.1",
        "192.88.99.1",
        "198.18.0.1",
        "198.19.255.255",
        "198.51.100.7",
        "203.0.113.9",
        "224.0.0.1",
        "239.255.255.255",
        "240.0.0.1",
        "255.255.255.255",
        "::",
        "::ffff:8.8.8.8",
        "::ffff:127.0.0.1",
        "::8.8.8.8",
        "::127.0.0.1",
        "64:ff9b::8.8.8.8",
        "64:ff9b::7f00:1",
        "64:ff9b:1::1",
        "100::1",
        "2001::1",
        "2001:10::1",
        "2001:20::1",
        "2001:db8::1",
        "2002:7f00:1::",
        "2002:808:808::1",
        "3fff::1",
        "ff02::1",
        "fec0::1",
        "4000::1",
        "5f00::1",
    ];
    const PUBLIC: &[&str] = &[
        "8.8.8.8",
        "1.1.1.1",
        "172.15.255.255",
        "172.32.0.0",
        "100.63.255.255",
        "100.128.0.0",
        "192.167.255.255",
        "169.253.0.1",
        "198.17.255.255",
        "198.20.0.0",
        "223.255.255.255",
        "11.0.0.0",
        "126.255.255.255",
        "128.0.0.1",
        "2606:4700::1111",
        "2001:4860:4860::8888",
        "2a00::1",
        "2003::1",
        "3ffe:ffff::1",
    ];

    #[test]
    fn addresses_of_every_registry_entry_are_told_apart() {
        let each = [(PRIVATE, Kind::Private), (RESERVED, Kind::Reserved), (PUBLIC, Kind::Public)];
        for (addresses, expected) in each {
            for address in addresses {
                assert_eq!(kind(address.parse().unwrap()), expected, "{address}");
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { rng_seed: RngSeed::Fixed(7), ..ProptestConfig::default() })]

        #[test]
        fn no_ipv4_address_is_reached_through_an_ipv6_one(bits: u32) {
            let inner = Ipv4Addr::from_bits(bits);
            let [a, b, c, d] = inner.octets().map(u16::from);
            let (high, low) = (a << 8 | b, c << 8 | d);
            let forms = [
                inner.to_ipv6_mapped(),
                Ipv6Addr::new(0, 0, 0, 0, 0, 0, high, low.max(2)),
                Ipv6Addr::new(0x64, 0xff9b, 0, 0, 0, 0, high, low),
                Ipv6Addr::new(0x64, 0xff9b, 1, 0, 0, 0, high, low),
                Ipv6Addr::new(0x2002, high, low, 0, 0, 0, 0, 1),
                Ipv6Addr::new(0x2001, 0, high, low, 0, 0, !high, !low),
            ];
            for form in forms {
                prop_assert!(!allowed(form.into(), Reach::Private), "{}", form);
            }
        }

        #[test]
        fn what_is_public_is_global_by_the_predicates_of_the_standard_library(bits: u32) {
            let address = Ipv4Addr::from_bits(bits);
            let special = address.is_private() || address.is_loopback() || address.is_link_local()
                || address.is_broadcast() || address.is_documentation() || address.is_unspecified()
                || address.is_multicast();
            prop_assert!(!(special && allowed(address.into(), Reach::Public)), "{}", address);
        }
    }
}
