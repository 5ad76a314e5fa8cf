"""Reports what became of every test, one JSON object a line, into the file that `BAILIWICK_PYTEST_REPORT` names.

`passed`, `skipped`, `failed` (test, file, line, message) and at the very end `finished` (code).
"""

import json
import os


def _tell(**event):
    with open(os.environ["BAILIWICK_PYTEST_REPORT"], "a", encoding="utf-8") as report:
        report.write(json.dumps(event) + "\n")


def _failed(report):
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
    _tell(event="failed", test=report.nodeid, file=file, line=line, message=message[0])


def pytest_runtest_logreport(report):
    if report.outcome == "failed":
        _failed(report)
    elif report.outcome == "skipped":
        _tell(event="skipped")
    elif report.when == "call":
        _tell(event="passed")


def pytest_collectreport(report):
    if report.outcome == "failed":
        _failed(report)


def pytest_sessionfinish(session, exitstatus):
    _tell(event="finished", code=int(exitstatus))
