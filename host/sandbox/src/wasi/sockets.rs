//! `wasi:sockets`: no socket can be made and no name looked up. What can be called with a socket in hand alone is that
//! of wasmtime-wasi, with a context that allows nothing, and is never reached.

use crate::fs::Files;
use wasmtime::component::Resource;
use wasmtime_wasi::p2::bindings::sockets::network::{ErrorCode, IpAddress, IpAddressFamily, Network};
use wasmtime_wasi::p2::bindings::sockets::{instance_network, ip_name_lookup, network, tcp_create_socket};
use wasmtime_wasi::p2::bindings::sync::sockets::udp_create_socket;
use wasmtime_wasi::p2::{DynPollable, SocketError, SocketResult, TcpSocket, UdpSocket};

/// A network in which nothing can be reached.
struct Nowhere;

impl network::Host for Files {
    fn convert_error_code(&mut self, error: SocketError) -> wasmtime::Result<ErrorCode> {
        error.downcast()
    }

    fn network_error_code(&mut self, _: Resource<wasmtime::Error>) -> wasmtime::Result<Option<ErrorCode>> {
        Ok(None)
    }
}

impl network::HostNetwork for Files {
    fn drop(&mut self, network: Resource<Network>) -> wasmtime::Result<()> {
        self.table.delete(Resource::<Nowhere>::new_own(network.rep()))?;
        Ok(())
    }
}

impl instance_network::Host for Files {
    fn instance_network(&mut self) -> wasmtime::Result<Resource<Network>> {
        Ok(Resource::new_own(self.table.push(Nowhere)?.rep()))
    }
}

impl tcp_create_socket::Host for Files {
    fn create_tcp_socket(&mut self, _: IpAddressFamily) -> SocketResult<Resource<TcpSocket>> {
        Err(self.no_network("create-tcp-socket", ""))
    }
}

impl udp_create_socket::Host for Files {
    fn create_udp_socket(&mut self, _: IpAddressFamily) -> SocketResult<Resource<UdpSocket>> {
        Err(self.no_network("create-udp-socket", ""))
    }
}

impl ip_name_lookup::Host for Files {
    fn resolve_addresses(
        &mut self,
        _: Resource<Network>,
        name: String,
    ) -> SocketResult<Resource<ip_name_lookup::ResolveAddressStream>> {
        Err(self.no_network("resolve-addresses", &name))
    }
}

/// There is none: no name was looked up.
impl ip_name_lookup::HostResolveAddressStream for Files {
    fn resolve_next_address(
        &mut self,
        _: Resource<ip_name_lookup::ResolveAddressStream>,
    ) -> SocketResult<Option<IpAddress>> {
        Err(ErrorCode::AccessDenied.into())
    }

    fn subscribe(
        &mut self,
        _: Resource<ip_name_lookup::ResolveAddressStream>,
    ) -> wasmtime::Result<Resource<DynPollable>> {
        Err(wasmtime::format_err!("no name was looked up"))
    }

    fn drop(&mut self, _: Resource<ip_name_lookup::ResolveAddressStream>) -> wasmtime::Result<()> {
        Ok(())
    }
}
