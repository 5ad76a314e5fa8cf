//! What is wrong with the certificates of a connection, in words.

use std::error::Error;
use std::io;

use async_nats::ConnectError;
use async_nats::rustls::{self, AlertDescription};

use crate::error::NatsError;

const ASKED: &str = "the server asks for a certificate, and none was given";
const REFUSED: &str = "the server does not accept the certificate that it was shown";
const UNKNOWN: &str = "the certificate of the server is not one that is trusted";
const UNFIT: &str = "the certificate to sign in with and its key do not belong together";

/// Why there is no connection.
pub(super) fn refusal(error: ConnectError) -> NatsError {
    let reason = match of_tls(&error) {
        Some(rustls::Error::AlertReceived(AlertDescription::CertificateRequired)) => ASKED,
        Some(rustls::Error::AlertReceived(_)) => REFUSED,
        Some(rustls::Error::InvalidCertificate(_)) => UNKNOWN,
        _ if error.to_string().contains("could not add certificate or key") => UNFIT,
        _ => return NatsError::unreachable(error),
    };
    NatsError::Certificate { reason }
}

/// What TLS says, somewhere in what an error is because of.
fn of_tls<'a>(error: &'a (dyn Error + 'static)) -> Option<&'a rustls::Error> {
    let inner = error.downcast_ref::<io::Error>().and_then(|error| error.get_ref());
    error.downcast_ref().or_else(|| match inner {
        Some(inner) => of_tls(inner),
        None => of_tls(error.source()?),
    })
}
