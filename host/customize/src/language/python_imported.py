"""The side of the import check that runs the package: a process of its own, started by `python_import.py`.

What the package runs shares this process, so nothing that it could write counts. The parent believes

- a **token** for each module. Tokens are made here, told to the parent before the package runs, and then held by one
  iterator of C objects that imports a module and sends its token. No variable of any frame, module or closure refers
  to them.
- **notes** of the audit hook: which module's code ran to its end, and what code attempted. The hook runs the code of a
  module itself. Each note is numbered and carries a keyed digest; the parent answers each with another, and this
  process ends where the answer is wrong, so no note can be left out or redirected.

The hook and everything it calls use C functions that were bound before the package ran, and no attribute or built-in
name that the package can replace.

What remains: code that reaches the memory of this process in another way than through Python (a native library, a
flaw of the interpreter) can forge all of it. Loading one and looking for the hook's variables (`gc`, frames, `ctypes`)
are reported before they happen.
"""

import functools
import importlib.machinery
import importlib.util
import os
import posix
import sys
from _blake2 import blake2b
from _collections import deque
from _json import encode_basestring_ascii
from _signal import SIG_DFL
from _thread import allocate_lock, get_ident

import _signal
from python_events import (
    CHANGES,
    CONNECTIONS,
    DISGUISES,
    FRAMES,
    FRAME_EVENTS,
    INSPECTIONS,
    INTERNAL_MODULES,
    KEEPING_FRAMES,
    PROCESSES,
    SIGNALS,
    STANDARD_LIBRARY,
    WATCHED,
)

HERE = os.path.abspath(__file__)
DIGEST = 16
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND

# The exit code of a process that lost its parent's trust.
DISTRUSTED = 71


def quoted(value):
    """A value in JSON. Only exact types, so that no method of the package is called."""
    if type(value) is str:
        return encode_basestring_ascii(value)
    return repr(value) if type(value) is int else "null"


def describe(error, package):
    """Where in the package an exception comes from, and what it is about, as members of a JSON object."""
    inside = package + os.sep
    file = line = column = None
    trace = error.__traceback__
    while trace is not None:
        path = trace.tb_frame.f_code.co_filename
        if path.startswith(inside):
            file, line = path, trace.tb_lineno
        trace = trace.tb_next
    if isinstance(error, SyntaxError) and error.filename and error.filename.startswith(inside):
        file, line, column = error.filename, error.lineno, error.offset
    message = str(getattr(error, "msg", None) or error)
    name = getattr(error, "name_from", None) or getattr(error, "name", None)
    if isinstance(error, ImportError) and "cannot import name" in message:
        name = message.split("'")[1]
    members = {
        "type": type(error).__name__,
        "message": message,
        "file": file,
        "line": line,
        "column": column,
        "symbol": name,
    }
    return ",".join(f'"{name}":{quoted(value)}' for name, value in members.items())


def watch(channel, key, settings, codes, paths):
    """Installs the hook."""
    package = settings["package"]
    inside_package = package + os.sep
    libraries = tuple(one + os.sep for one in settings["libraries"]) + (STANDARD_LIBRARY,)
    withheld = frozenset(settings["withheld"]) - os.environ.keys()

    # Everything below is reached through these names alone.
    str_, bytes_, int_, dict_, tuple_, type_ = str, bytes, int, dict, tuple, type
    anything = BaseException
    write, read, leave, fspath, getcwd = posix.write, posix.read, posix._exit, posix.fspath, posix.getcwd
    startswith, decode, encode, as_text = str.startswith, bytes.decode, str.encode, repr
    current_frame, execute, quote, digest, identity = sys._getframe, exec, encode_basestring_ascii, blake2b, get_ident
    spec_of, module_of = importlib.util.spec_from_file_location, importlib.util.module_from_spec
    changes, connections, processes, signals = CHANGES, CONNECTIONS, PROCESSES, SIGNALS
    inspections, frame_events, frames, keeping_frames = INSPECTIONS, FRAME_EVENTS, FRAMES, KEEPING_FRAMES
    disguises, internal = DISGUISES, INTERNAL_MODULES
    watched, writing, here, distrusted = WATCHED, WRITING, HERE, DISTRUSTED
    lock = allocate_lock()
    busy, executed = set(), set()
    count = 0
    disguised = False

    def tell(members):
        """Sends a note and waits until the parent has it."""
        nonlocal count
        lock.acquire()
        try:
            count += 1
            line = encode(f'{{"n":{count},{members}}}', "ascii")
            line = encode(digest(line, key=key, digest_size=16).hexdigest(), "ascii") + b" " + line + b"\n"
            while line:
                line = line[write(channel, line) :]
            expected = digest(b"%d" % count, key=key, digest_size=16).digest()
            answer = b""
            while True:
                part = read(channel, 16)
                answer += part
                if answer == expected:
                    return
                if not part or not startswith_bytes(expected, answer):
                    leave(distrusted)
        except anything:
            leave(distrusted)
        finally:
            lock.release()

    startswith_bytes = bytes.startswith

    def plain(value):
        """A path as text; None for a descriptor. This may call the package's code, so nothing is held meanwhile."""
        kind = type_(value)
        if kind is str_:
            return value
        if kind is bytes_:
            return decode(value, "utf-8", "surrogateescape")
        if kind is int_ or value is None:
            return None
        try:
            value = fspath(value)
        except anything:
            return "something without a path"
        kind = type_(value)
        if kind is str_:
            return value
        return decode(value, "utf-8", "surrogateescape") if kind is bytes_ else "something without a path"

    def address(value):
        if type_(value) is not tuple_:
            return plain(value) or "an address"
        for part in value:
            if type_(part) is not str_ and type_(part) is not int_:
                return "an address"
        return as_text(value)

    def culprit(frame, looks):
        """The place in the package that caused an event, or None where a dependency did.

        A dependency is not the package when it is being imported. When the package calls it, what it changes or
        starts was asked for by the package; what it looks at was not.
        """
        anonymous = disguised
        while frame is not None:
            code = frame.f_code
            path = code.co_filename
            if type_(path) is not str_:
                anonymous = True
            elif startswith(path, "<frozen") or path == here:
                pass
            elif startswith(path, inside_package):
                return path, frame.f_lineno
            elif startswith(path, libraries):
                standard = startswith(path, standard_library) and not startswith(path, site_packages)
                if ((looks and not standard) or code.co_name == "<module>") and not anonymous:
                    return None
            else:
                # Code that was made from text has no file; it is the package's as well.
                anonymous = True
            frame = frame.f_back
        # A stack of library functions alone is a thread that was given one of them to run.
        return None if looks and not anonymous else (None, None)

    standard_library = STANDARD_LIBRARY
    site_packages = STANDARD_LIBRARY + "site-packages" + os.sep

    def asked(frame, through_standard_library):
        """The package's place where the package itself asked for something, and not a library for its own use."""
        while frame is not None:
            code = frame.f_code
            path = code.co_filename
            if type_(path) is not str_ or startswith(path, inside_package):
                return path, frame.f_lineno
            if path == here or startswith(path, "<frozen"):
                return None
            if startswith(path, libraries):
                if not through_standard_library or not startswith(path, standard_library):
                    return None
                if startswith(path, site_packages) or code.co_name == "<module>":
                    return None
                if path in keeping_frames and code.co_name not in keeping_frames[path]:
                    return None
            else:
                return None, None
            frame = frame.f_back
        return None

    def note(kind, detail, place, flags=0):
        file, line = place
        file = quote(file) if type_(file) is str_ else "null"
        line = as_text(line) if type_(line) is int_ else "null"
        where = ""
        if not startswith(detail, "/"):
            where = ',"directory":' + quote(getcwd())
        detail = quote(detail[:2000])
        tell(f'"event":"attempt","kind":"{kind}","detail":{detail},"flags":{flags},"file":{file},"line":{line}{where}')

    def judge(event, arguments, details):
        """Notes an event that is the package's. `details` are the paths it is about, or what else it names."""
        nonlocal disguised
        # A function of C that a thread was given has no frame.
        frame = current_frame(1).f_back
        if event in disguises:
            # The name of a file in such code says nothing from here on.
            if asked(frame, False) is not None:
                disguised = True
        elif event in frame_events or event == "import":
            place = asked(frame, event != "import")
            if place is not None:
                note("inspect", details[0], place)
        elif event == "open":
            flags = arguments[2] if type_(arguments[2]) is int_ else 0
            place = culprit(frame, not flags & writing)
            if place is not None:
                note("open", details[0], place, flags)
        else:
            kind = (
                "write" if event in changes
                else "connect" if event in connections
                else "spawn" if event in processes
                else "signal" if event in signals
                else "environment" if event == "bailiwick.environment"
                else "inspect" if event in inspections
                else "native"
            )
            place = culprit(frame, kind == "environment")
            if place is not None:
                for detail in details:
                    note(kind, detail, place)

    def subjects(event, arguments):
        """What an event is about, as exact strings; None where it is not to be judged."""
        if event == "open":
            path = plain(arguments[0])
            if path is None:
                return None
            flags = arguments[2] if type_(arguments[2]) is int_ else 0
            known = startswith(path, libraries) and "/../" not in path and not flags & writing
            return None if known else (path,)
        if event == "import":
            name = arguments[0]
            return ("import " + name,) if type_(name) is str_ and name in internal else None
        if event in changes:
            paths = [plain(arguments[index]) for index in changes[event]]
            paths = [path for path in paths if path is not None]
            return paths or None
        if event in connections:
            to = arguments[1] if arguments[1:] and type_(arguments[0]) is not str_ else arguments[0]
            return (address(to),)
        if event in processes:
            return ((plain(arguments[0]) if arguments else None) or event,)
        if event == "object.__getattr__":
            name = arguments[1]
            return (name,) if type_(name) is str_ and name in frames else None
        if event == "ctypes.dlopen":
            return (plain(arguments[0]) or "the running program",)
        if event == "bailiwick.environment":
            return arguments if type_(arguments[0]) is str_ else None
        return (event,)

    def run(name, namespace):
        """Runs the code of a module, whose end is what the parent wants to know."""
        tell(f'"event":"begin","module":{quote(name)}')
        ended = "left"
        try:
            execute(codes[name], namespace)
            executed.add(name)
            ended = "end"
        finally:
            tell(f'"event":"{ended}","module":{quote(name)}')

    def hook(event, arguments):
        if event not in watched and not startswith(event, "ctypes."):
            return
        thread = identity()
        if thread in busy:
            # The hook asks for frames and their code; everything else would be code of the package inside the hook.
            if event == "object.__getattr__" or event == "sys._getframe":
                return
            leave(distrusted)
        if event == "bailiwick.execute":
            name, namespace = arguments
            if type_(name) is str_ and name in codes and type_(namespace) is dict_:
                run(name, namespace)
            return
        if event == "bailiwick.imported":
            # A module that something else put in place has not run yet.
            name = arguments[0]
            if name not in executed and name in codes:
                path = paths[name]
                module = module_of(spec_of(name, path))
                run(name, module.__dict__)
            return
        if event == "bailiwick.failure":
            if type_(arguments[0]) is str_:
                tell('"event":"failure",' + arguments[0])
            return
        details = subjects(event, arguments)
        if details is None:
            return
        busy.add(thread)
        try:
            judge(event, arguments, details)
        finally:
            busy.discard(thread)

    sys.addaudithook(hook)
    return withheld


def watch_variables(withheld):
    """Python audits no reading of variables, so the mapping itself tells. Nor does it audit handlers of signals, which
    are given the frames of what they interrupt: none is installed."""
    environment = type(os.environ)
    read_variable, audit, fsdecode = environment.__getitem__, sys.audit, os.fsdecode

    def get_variable(self, name):
        text = fsdecode(name) if isinstance(name, (str, bytes)) else None
        if text in withheld:
            audit("bailiwick.environment", text)
        return read_variable(self, name)

    environment.__getitem__ = get_variable

    def signal(signalnum, handler):
        audit("bailiwick.signal")
        return SIG_DFL

    _signal.signal = signal
    if "signal" in sys.modules:
        sys.modules["signal"].signal = signal


class Loader(importlib.machinery.SourceFileLoader):
    """Leaves the code of the package's modules to the hook, which has it from the parent."""

    known = frozenset()

    def exec_module(self, module):
        if module.__name__ in self.known:
            sys.audit("bailiwick.execute", module.__name__, module.__dict__)
        else:
            super().exec_module(module)


def load_through_hook(package, codes):
    Loader.known = frozenset(codes)
    machinery = importlib.machinery
    finder = machinery.FileFinder.path_hook(
        (machinery.ExtensionFileLoader, machinery.EXTENSION_SUFFIXES),
        (Loader, machinery.SOURCE_SUFFIXES),
        (machinery.SourcelessFileLoader, machinery.BYTECODE_SUFFIXES),
    )

    def of_package(path):
        if path != package and not path.startswith(package + os.sep):
            raise ImportError("not of the package", path=path)
        return finder(path)

    sys.path_hooks.insert(0, of_package)
    sys.path.insert(0, package)


def steps(channel, modules):
    """Imports each module and sends its token, then leaves. Tells the parent key and tokens and keeps the key alone."""
    tokens = [os.urandom(DIGEST).hex() for _ in modules]
    key = os.urandom(DIGEST)
    text = ",".join(quoted(token) for token in tokens)
    enrolled = f'{{"key":"{key.hex()}","tokens":[{text}]}}\n'.encode()
    while enrolled:
        enrolled = enrolled[os.write(channel, enrolled) :]
    partial = functools.partial
    chain = []
    for module, token in zip(modules, tokens):
        chain.append(partial(__import__, module))
        chain.append(partial(sys.audit, "bailiwick.imported", module))
        chain.append(partial(posix.write, channel, token.encode() + b"\n"))
    chain.append(partial(posix._exit, 0))
    return key, map(partial.__call__, chain)


def run(channel, settings, codes, paths):
    """Imports every module. Does not return."""
    package, modules = settings["package"], settings["names"]
    # Standard output belongs to the parent; whichever way the package prints, it prints to standard error.
    os.dup2(2, 1)
    # Left out at the start (`-S`): the parent needs nothing that is installed.
    import site

    # What is installed is found, and nothing of it starts by itself.
    site.addpackage = lambda *_, **__: None
    site.execsitecustomize = site.execusercustomize = lambda: None
    site.main()
    sys.argv[1:] = []
    load_through_hook(package, codes)
    audit, leave, import_module, anything, describing = sys.audit, os._exit, __import__, BaseException, describe
    drained = []
    drained.extend(steps(channel, modules))
    watch_variables(watch(channel, drained.pop(0), settings, codes, paths))
    try:
        deque(drained.pop(), 0)
    except anything as error:  # A package may raise anything, `SystemExit` included.
        audit("bailiwick.failure", describing(error, package))
    # It has failed. What else does, a person wants to know at once.
    for module in modules:
        try:
            import_module(module)
        except anything as error:
            audit("bailiwick.failure", describing(error, package))
    leave(1)
