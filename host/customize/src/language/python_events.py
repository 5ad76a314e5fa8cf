"""What the import check watches: the audit events that it reports, and who may be handed a frame."""

import os

STANDARD_LIBRARY = os.path.dirname(os.__file__) + os.sep

# Audit events that change something, with the arguments that say what.
CHANGES = {
    "os.chmod": (0,),
    "os.chown": (0,),
    "os.link": (1,),
    "os.mkdir": (0,),
    "os.remove": (0,),
    "os.rename": (0, 1),
    "os.rmdir": (0,),
    "os.symlink": (1,),
    "os.truncate": (0,),
    "os.utime": (0,),
}
CONNECTIONS = frozenset({
    "socket.bind",
    "socket.connect",
    "socket.getaddrinfo",
    "socket.gethostbyaddr",
    "socket.gethostbyname",
    "socket.sendmsg",
    "socket.sendto",
})
PROCESSES = frozenset({
    "os.exec",
    "os.fork",
    "os.forkpty",
    "os.posix_spawn",
    "os.spawn",
    "os.system",
    "pty.spawn",
    "subprocess.Popen",
})
SIGNALS = frozenset({"bailiwick.signal", "os.kill", "os.killpg", "signal.pthread_kill"})
# Ways to the variables of this check.
INSPECTIONS = frozenset({
    "cpython.PyInterpreterState_New",
    "gc.get_objects",
    "gc.get_referents",
    "gc.get_referrers",
    "sys._current_exceptions",
    "sys._current_frames",
    "sys.addaudithook",
    "sys.setprofile",
    "sys.settrace",
})
# The same by frames, which libraries ask for as well.
FRAME_EVENTS = frozenset({"object.__getattr__", "sys._getframe"})
FRAMES = frozenset({"ag_frame", "cr_frame", "gi_frame", "tb_frame"})
DISGUISES = frozenset({"code.__new__", "compile", "marshal.loads"})
INTERNAL_MODULES = frozenset({
    "_interpreters",
    "_remote_debugging",
    "_signal",
    "_testcapi",
    "_testinternalcapi",
    "_xxsubinterpreters",
})
# Files of the standard library that use frames themselves, with those of their functions that hand one out. All other
# files may hand out what they are asked for: `string.Formatter` reads any attribute, `functools` calls any function.
KEEPING_FRAMES = {
    STANDARD_LIBRARY + file: names
    for file, names in {
        os.path.join("collections", "__init__.py"): (),
        "enum.py": (),
        os.path.join("logging", "__init__.py"): ("<lambda>", "currentframe"),
        "traceback.py": ("walk_stack", "walk_tb"),
        "typing.py": (),
        "warnings.py": (),
    }.items()
}
OWN = frozenset({"bailiwick.environment", "bailiwick.execute", "bailiwick.failure", "bailiwick.imported"})
WATCHED = (
    frozenset({"open", "import", "ctypes.dlopen"}) | CHANGES.keys() | CONNECTIONS | PROCESSES | SIGNALS | INSPECTIONS
    | FRAME_EVENTS | DISGUISES | OWN
)
