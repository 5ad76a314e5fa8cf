import ctypes as _ctypes
import os as _os
import resource as _resource
import socket as _socket

_done = []


def _attempt(name, action):
    try:
        action()
        _done.append(name)
    except Exception as error:
        _done.append(f"not {name}: {error}")


def _datagram():
    one, other = _socket.socketpair(_socket.AF_UNIX, _socket.SOCK_RAW)
    one.sendto(b"hello", _LISTENER)


def _segment():
    if _ctypes.CDLL(None, use_errno=True).shmget(_KEY, 4096, 0o1600) < 0:
        raise OSError(_ctypes.get_errno(), "shmget")


def _daemon(twice):
    if _os.fork() == 0:
        try:
            _os.setsid()
            if twice and _os.fork() != 0:
                _os._exit(0)
            null = _os.open("/dev/null", _os.O_RDWR)
            for number in (0, 1, 2):
                _os.dup2(null, number)
            _os.execv("/bin/sleep", ["sleep", _WORD])
        finally:
            _os._exit(1)


_attempt("datagram", _datagram)
_attempt("limit", lambda: _resource.prlimit(_BYSTANDER, _resource.RLIMIT_NOFILE, (7, 7)))
_attempt("signal", lambda: _os.kill(_BYSTANDER, 0))
_attempt("segment", _segment)
_attempt("daemon", lambda: _daemon(False))
_attempt("daemon", lambda: _daemon(True))
_attempt("daemon", lambda: _daemon(True))
raise RuntimeError(f"left by the import: {_done}")
