"""Imports every module of a package and reports what became of each, and what their code attempts meanwhile.

    python -I -S -B python_import.py SETTINGS

SETTINGS is a JSON file: `package` (directory), `modules` (pairs of dotted name and file), `writable`, `readable` and
`libraries` (directories), `withheld` (names of variables that the caller has and this process has not).

This process never runs code of the package. It compiles every file, starts a child that runs them
(`python_imported.py`), and judges the child: a module has been imported when the child's hook said that its code ran to
its end and its token came after it, all in order, and the child then ended with exit code 0.

Standard output, which the child does not have, carries one JSON object per line: `attempt` (kind, detail, file, line),
`failure` (type, message, file, line, column, symbol), `importing` (file, or null), `ended` (module, file, how), `forged`
(file), and exactly once, at the very end, `done` (imported: the number of modules). The exit code is 0 when all of them
were imported and nothing was attempted but looks, else 1.
"""

import _socket
import json
import os
import select
import sys
from _blake2 import blake2b

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from python_imported import WRITING, describe, run  # noqa: E402

del sys.path[0]


class Forged(Exception):
    """The child said something that this check would not say."""


class Judge:
    """What is known of the child."""

    def __init__(self, settings):
        self.package = settings["package"]
        self.writable = tuple(os.path.realpath(one) + os.sep for one in settings["writable"])
        readable = (os.path.realpath(one) + os.sep for one in settings["readable"])
        self.readable = (*readable, *self.writable)
        self.modules = [name for name, _ in settings["modules"]]
        self.files = dict(settings["modules"])
        self.key = None
        self.tokens = []
        self.imported = 0
        self.notes = 0
        self.running = []
        self.ended = set()
        self.said = set()
        self.failed = False
        self.attempted = False

    def tell(self, **event):
        line = json.dumps(event, sort_keys=True)
        # Where the child ends this process, the last of these is known all the same.
        if line not in self.said:
            if event["event"] != "importing":
                self.said.add(line)
            os.write(1, line.encode() + b"\n")

    def fail(self, **event):
        self.failed = True
        self.tell(**event)

    def culprit(self):
        return self.files.get(self.running[-1]) if self.running else None

    def relative(self, path):
        """A path of the package, relative to it; None for any other."""
        inside = self.package + os.sep
        return path[len(inside) :].replace(os.sep, "/") if path is not None and path.startswith(inside) else None

    def failure(self, members):
        members["file"] = self.relative(members["file"])
        if members["file"] is None:
            members["line"] = members["column"] = None
        self.fail(event="failure", **members)

    def hear(self, line):
        """One line of the child, and what it is to be answered with."""
        try:
            if self.key is None:
                enrolled = json.loads(line)
                self.key = bytes.fromhex(enrolled["key"])
                self.tokens = enrolled["tokens"]
                return b""
            if self.imported < len(self.tokens) and line == self.tokens[self.imported].encode():
                self.imported += 1
                return b""
            mark, _, text = line.partition(b" ")
            self.notes += 1
            note = json.loads(text)
            if mark.decode() != self.digest(text).hex() or note["n"] != self.notes:
                raise Forged
            self.heed(note)
            return self.digest(b"%d" % self.notes)
        except (KeyError, TypeError, ValueError) as error:
            raise Forged from error

    def digest(self, text):
        return blake2b(text, key=self.key, digest_size=16).digest()

    def heed(self, note):
        event = note["event"]
        if event == "attempt":
            self.attempt(note)
        elif event == "failure":
            self.failure({name: note[name] for name in ("type", "message", "file", "line", "column", "symbol")})
        elif event == "begin":
            self.running.append(note["module"])
            self.tell(event="importing", file=self.culprit())
        else:
            # Threads may import, too, so the last that began is not always the first that ends.
            if note["module"] in self.running:
                self.running.reverse()
                self.running.remove(note["module"])
                self.running.reverse()
            if event == "end":
                self.ended.add(note["module"])
            self.tell(event="importing", file=self.culprit())

    def attempt(self, note):
        kind, detail = note["kind"], note["detail"]
        if kind in ("open", "write"):
            path = os.path.realpath(os.path.join(note.get("directory", "/"), detail))
            kind = self.kind_of_open(path, note["flags"]) if kind == "open" else "write"
            if kind is None or kind == "write" and path.startswith(self.writable):
                return
            detail = path
        # Looking is a remark.
        self.attempted |= kind not in ("environment", "read")
        inside = self.relative(detail)
        detail = detail[:500] if inside is None else f"sdk/{inside}"
        self.tell(event="attempt", kind=kind, detail=detail, file=self.relative(note["file"]), line=note["line"])

    def kind_of_open(self, path, flags):
        if path.startswith("/dev/"):
            return None
        # Memory and descriptors of processes, this one's among them.
        if path.startswith("/proc/") and (path.endswith("/mem") or "/fd/" in path):
            return "inspect"
        if flags & WRITING:
            return "write"
        if path.startswith("/proc/") and path.endswith("/environ"):
            return "environment"
        return "read" if not path.startswith(self.readable) and os.path.exists(path) else None


def compiled(judge):
    """The code of each module. Compiling executes nothing."""
    codes, paths = {}, {}
    for name, file in judge.files.items():
        path = os.path.join(judge.package, file)
        try:
            with open(path, "rb") as source:
                codes[name] = compile(source.read(), path, "exec", dont_inherit=True)
            paths[name] = path
        except (OSError, SyntaxError, ValueError) as error:
            judge.failure(json.loads("{" + describe(error, judge.package) + "}"))
    return codes, paths


def listen(judge, channel, child):
    """Hears the child until it has ended, and gives how."""
    poll = select.poll()
    poll.register(channel, select.POLLIN)
    heard = b""
    status = None
    while True:
        ready = poll.poll(0 if status is not None else 100)
        if ready:
            try:
                part = os.read(channel, 65536)
            except ConnectionResetError:
                part = b""
            heard += part
            *lines, heard = heard.split(b"\n")
            for line in lines:
                answer = judge.hear(line)
                try:
                    os.write(channel, answer)
                except OSError:
                    pass  # It ended; how, is asked below.
            if not part:
                return status if status is not None else os.waitpid(child, 0)[1]
        elif status is not None:
            return status
        else:
            # What the child started may keep the channel open when it has ended.
            ended, found = os.waitpid(child, os.WNOHANG)
            status = found if ended else None


def how(status):
    code = os.waitstatus_to_exitcode(status)
    return f"exit code {code}" if code >= 0 else f"signal {-code}"


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        settings = json.load(file)
    settings["package"] = os.path.realpath(settings["package"])
    judge = Judge(settings)
    codes, paths = compiled(judge)
    settings["names"] = judge.modules
    ours, its = _socket.socketpair(_socket.AF_UNIX, _socket.SOCK_STREAM)
    child = os.fork()
    if child == 0:
        try:
            ours.close()
            run(its.detach(), settings, codes, paths)
        finally:
            os._exit(70)
    its.close()
    channel = ours.detach()
    try:
        status = listen(judge, channel, child)
    except Forged:
        os.kill(child, 9)
        os.waitpid(child, 0)
        judge.fail(event="forged", file=judge.culprit())
    else:
        whole = judge.imported == len(judge.modules) == len(judge.tokens) and judge.ended.issuperset(judge.modules)
        if not judge.failed and not (whole and status == 0):
            module = judge.modules[min(judge.imported, len(judge.modules) - 1)]
            judge.fail(event="ended", module=module, file=judge.culprit() or judge.files[module], how=how(status))
    judge.tell(event="done", imported=0 if judge.failed else judge.imported)
    return 1 if judge.failed or judge.attempted else 0


if __name__ == "__main__":
    sys.exit(main())
