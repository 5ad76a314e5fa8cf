"""Imports every module of a package and reports what their code attempts while it is imported.

    python -I -B python_import.py SETTINGS

SETTINGS is a JSON file: `package` (directory), `modules` (dotted names), `writable` and `readable` (directories),
`withheld` (names of variables that the caller has and this process has not).

Standard output carries one JSON object per line: `attempt` (kind, detail, file, line), `failure` (module, type, message,
file, line, column, symbol) and at the very end `done`. Whatever the package prints goes to standard error.

This process is confined by the kernel; nothing here has to stop anything. The hook exists so that an attempt is known
even when the code swallowed the error it got.
"""

import json
import os
import sys

STANDARD_LIBRARY = os.path.dirname(os.__file__)
SITE_PACKAGES = os.sep + "site-packages" + os.sep
HERE = os.path.abspath(__file__)
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND

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
CONNECTIONS = {
    "socket.bind",
    "socket.connect",
    "socket.getaddrinfo",
    "socket.gethostbyaddr",
    "socket.gethostbyname",
    "socket.sendmsg",
    "socket.sendto",
}
PROCESSES = {
    "os.exec",
    "os.fork",
    "os.forkpty",
    "os.posix_spawn",
    "os.spawn",
    "os.system",
    "pty.spawn",
    "subprocess.Popen",
}
NATIVE = {"ctypes.dlopen"}
LOOKS = {"read", "environment"}


def start(settings):
    """Installs the hook and gives the function that writes reports."""
    package = os.path.realpath(settings["package"])
    inside_package = package + os.sep
    writable = tuple(os.path.realpath(one) + os.sep for one in settings["writable"])
    readable = tuple(os.path.realpath(one) + os.sep for one in settings["readable"]) + writable
    withheld = frozenset(settings["withheld"]) - os.environ.keys()

    # The package prints to standard error from here on, whichever way it prints.
    reports = os.dup(1)
    os.dup2(2, 1)

    # Kept as locals: what the package replaces in `os` or `json` later does not reach them.
    dumps, write_bytes = json.dumps, os.write
    abspath, realpath, fsdecode, exists = os.path.abspath, os.path.realpath, os.fsdecode, os.path.exists
    current_frame = sys._getframe
    seen = set()
    busy = []

    def report(**event):
        line = dumps(event, sort_keys=True)
        if line not in seen:
            seen.add(line)
            write_bytes(reports, line.encode() + b"\n")

    def relative(path):
        return path[len(inside_package) :].replace(os.sep, "/") if path.startswith(inside_package) else None

    def culprit(kind):
        """The place in the package that caused an event, or None where a dependency did.

        A dependency is not the package when it is being imported. When the package calls it, what it changes or
        starts was asked for by the package; what it looks at was not.
        """
        frame = current_frame(2)
        anonymous = False
        while frame is not None:
            path = frame.f_code.co_filename
            if path.startswith("<frozen") or path == HERE:
                pass
            elif path.startswith(inside_package) or abspath(path).startswith(inside_package):
                return relative(abspath(path)), frame.f_lineno
            elif path.startswith(STANDARD_LIBRARY) or SITE_PACKAGES in path:
                looks = kind in LOOKS and SITE_PACKAGES in path
                if (looks or frame.f_code.co_name == "<module>") and not anonymous:
                    return None
            else:
                # Code that was made from text has no file; it is the package's as well.
                anonymous = True
            frame = frame.f_back
        return (None, None) if anonymous else None

    def attempt(kind, detail):
        place = culprit(kind)
        if place is None:
            return
        detail = detail.decode(errors="replace") if isinstance(detail, bytes) else str(detail)
        inside = relative(detail)
        detail = detail[:500] if inside is None else f"sdk/{inside}"
        report(event="attempt", kind=kind, detail=detail, file=place[0], line=place[1])

    def path_of(value):
        return None if isinstance(value, int) or value is None else realpath(fsdecode(value))

    def judge_change(value):
        path = path_of(value)
        if path is not None and not path.startswith(writable):
            attempt("write", path)

    def judge_open(value, flags):
        path = path_of(value)
        if path is None or path.startswith("/dev/"):
            return
        if flags & WRITING:
            judge_change(value)
        elif path.startswith("/proc/") and path.endswith("/environ"):
            attempt("environment", path)
        elif not path.startswith(readable) and exists(path):
            attempt("read", path)

    def hook(event, arguments):
        if event != "open" and event not in INTERESTING:
            return
        # Looking at a path must not report itself.
        if busy:
            return
        busy.append(event)
        try:
            if event == "open":
                judge_open(arguments[0], arguments[2] if isinstance(arguments[2], int) else 0)
            elif event in CHANGES:
                for index in CHANGES[event]:
                    judge_change(arguments[index])
            elif event in CONNECTIONS:
                address = arguments[1] if len(arguments) > 1 and not isinstance(arguments[0], str) else arguments[0]
                attempt("connect", address)
            elif event in PROCESSES:
                attempt("spawn", arguments[0] if arguments else event)
            elif event in NATIVE and arguments[0] is not None:
                attempt("native", arguments[0])
        finally:
            busy.clear()

    sys.addaudithook(hook)

    # Python audits no reading of variables, so the mapping itself is asked to tell.
    environment = type(os.environ)
    read_variable = environment.__getitem__

    def get_variable(self, name):
        text = fsdecode(name) if isinstance(name, (str, bytes)) else None
        if text in withheld:
            attempt("environment", text)
        return read_variable(self, name)

    environment.__getitem__ = get_variable
    return report, relative


INTERESTING = CHANGES.keys() | CONNECTIONS | PROCESSES | NATIVE


def describe(error, relative):
    """Where in the package an exception comes from, and what it is about."""
    file = line = column = None
    trace = error.__traceback__
    while trace is not None:
        inside = relative(os.path.abspath(trace.tb_frame.f_code.co_filename))
        if inside is not None:
            file, line = inside, trace.tb_lineno
        trace = trace.tb_next
    if isinstance(error, SyntaxError) and error.filename:
        inside = relative(os.path.abspath(error.filename))
        if inside is not None:
            file, line, column = inside, error.lineno, error.offset
    message = str(getattr(error, "msg", None) or error)
    name = getattr(error, "name_from", None) or getattr(error, "name", None)
    if isinstance(error, ImportError) and "cannot import name" in message:
        name = message.split("'")[1]
    return {
        "type": type(error).__name__,
        "message": message,
        "file": file,
        "line": line,
        "column": column,
        "symbol": name if isinstance(name, str) else None,
    }


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        settings = json.load(file)
    package = os.path.realpath(settings["package"])
    modules = settings["modules"]
    sys.path.insert(0, package)
    sys.argv[1:] = []
    # Bound before the package runs, like the rest.
    import_module, leave, expect_base = __import__, os._exit, BaseException
    report, relative = start(settings)
    code = 0
    for module in modules:
        try:
            import_module(module)
        except expect_base as error:  # A package may raise anything, `SystemExit` included.
            code = 1
            report(event="failure", **describe(error, relative))
    report(event="done")
    # Threads and exit handlers of the package have no say any more.
    leave(code)


if __name__ == "__main__":
    main()
