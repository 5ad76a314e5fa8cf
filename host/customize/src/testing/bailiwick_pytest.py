"""Runs pytest and reports what became of every test, one JSON object a line.

    python -I -B bailiwick_pytest.py SETTINGS

SETTINGS is a JSON file that is removed when it has been read: `key` (hexadecimal), `report` (file), `package`, `beside`
(directories that tests import from, too) and `site` (the directory in which pytest lies), `arguments`.

`collected` (tests), `passed`, `skipped` (test), `failed` (test, file, line, message) and at the very end `finished`
(code). Every line is numbered and begins with a digest of the key and the line, so that a line which a test writes does
not count. Tests run in this process all the same: one that searches its memory for the key can write any report.
"""

import hashlib
import json
import os
import sys


def reporter(key, path):
    digest, dumps, write = hashlib.sha256, json.JSONEncoder().encode, os.write
    report = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    count = 0

    def tell(**event):
        nonlocal count
        count += 1
        line = dumps({"n": count, **event}).encode()
        line = digest(key + line + key).hexdigest().encode() + b" " + line + b"\n"
        while line:
            line = line[write(report, line) :]

    return tell


class Reports:
    def __init__(self, tell):
        self.tell = tell

    def failed(self, report):
        crash = getattr(report.longrepr, "reprcrash", None)
        file, line, message = None, None, str(report.longrepr).strip().splitlines()[-1:] or ["it said nothing"]
        if crash is not None:
            file, line, message = crash.path, crash.lineno, str(crash.message).splitlines() or ["it said nothing"]
        elif report.location:
            file = report.location[0]
        if file is not None:
            file = os.path.relpath(file, os.getcwd())
            if file.startswith(".."):
                file, line = None, None
        self.tell(event="failed", test=report.nodeid, file=file, line=line, message=message[0])

    def pytest_collection_finish(self, session):
        self.tell(event="collected", tests=[item.nodeid for item in session.items])

    def pytest_runtest_logreport(self, report):
        if report.outcome == "failed":
            self.failed(report)
        elif report.outcome == "skipped":
            self.tell(event="skipped", test=report.nodeid)
        elif report.when == "call":
            self.tell(event="passed", test=report.nodeid)

    def pytest_collectreport(self, report):
        if report.outcome == "failed":
            report.location = getattr(report, "location", None)
            self.failed(report)

    def pytest_sessionfinish(self, session, exitstatus):
        self.tell(event="finished", code=int(exitstatus))


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        settings = json.load(file)
    os.remove(sys.argv[1])
    tell = reporter(bytes.fromhex(settings.pop("key")), settings["report"])
    sys.path.append(settings["site"])
    # Before the package's directory comes into the path: a file there must not stand in for pytest.
    import pytest

    sys.path[:0] = [settings["package"], *settings["beside"]]
    os.environ["PYTHONPATH"] = os.pathsep.join([settings["package"], *settings["beside"], settings["site"]])
    sys.argv[:] = ["pytest", *settings["arguments"]]
    return pytest.main(settings["arguments"], plugins=[Reports(tell)])


if __name__ == "__main__":
    sys.exit(main())
