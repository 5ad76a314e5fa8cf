//! Each language with edits that could write their own verdict, and with edits that could not.

use bailiwick_sdk::tasks::Language;

use super::super::super::{Candidate, Rule, Violation};
use super::judge;

fn judged(language: Language, before: &str, after: &str) -> Vec<Violation> {
    let candidate = Candidate { path: "file".to_owned(), original: None, staged: None, now: None, after: None };
    let mut violations = Vec::new();
    judge(language, &candidate, before, after, &mut violations);
    violations
}

#[track_caller]
fn all_refused(language: Language, before: &str, edits: &[&str]) {
    for edit in edits {
        let found = judged(language, before, &format!("{before}{edit}"));
        assert!(!found.is_empty(), "admitted: {edit}");
    }
}

#[track_caller]
fn none_refused(language: Language, before: &str, edits: &[&str]) {
    for edit in edits {
        let found = judged(language, before, &format!("{before}{edit}"));
        assert_eq!(found, [], "{edit}");
    }
}

#[test]
fn python_edit_that_could_end_or_read_the_check_is_refused() {
    all_refused(
        Language::Python,
        "import os\nimport sys\n",
        &[
            "os._exit(0)\n",
            "os . abort ( )\n",
            "os.kill(os.getppid(), 9)\n",
            "os.write(3, b'{}')\n",
            "os.execv('/bin/true', [])\n",
            "os.dup2(1, 2)\n",
            "leave = os\n",
            "getattr(os, '_ex' + 'it')(0)\n",
            "import os as o\n",
            "from os import path, _exit as leave\n",
            "from os import *\n",
            "logging.os.system('x')\n",
            "x._exit(0)\n",
            "sys.exit()\n",
            "sys.modules['a'] = 1\n",
            "sys.stdout.write('x')\n",
            "frame = sys._getframe(1)\n",
            "exit()\n",
            "import ctypes\n",
            "from ctypes import CDLL\n",
            "import json, signal\n",
            "import subprocess as s\n",
            "import multiprocessing.pool\n",
            "import socket\n",
            "import gc\n",
            "import builtins\n",
            "import importlib\n",
            "eval('1')\n",
            "exec('1')\n",
            "compile('1', 'x', 'exec')\n",
            "list({eval: 0})[0]('1')\n",
            "__import__('o' + 's')\n",
            "f.__globals__['x'] = 1\n",
            "getattr(f, '__globals__')\n",
            "error.__traceback__.tb_frame.f_back\n",
        ],
    );
}

#[test]
fn python_edit_that_runs_annotations_as_text_is_refused() {
    all_refused(
        Language::Python,
        "import typing\nfrom typing import Any\n\n\ndef f(x: int) -> int:\n    return x\n",
        &[
            "typing.get_type_hints(f)\n",
            "from typing import get_type_hints as hints\n",
            "typing.ForwardRef('x')._evaluate(None, None, frozenset())\n",
            "typing . _eval_type(x, None, None)\n",
            "annotations.get_annotations(f, eval_str=True)\n",
            "f.__annotations__['x'] = 'text'\n",
            "getattr(f, '__annotations__')\n",
            "@functools.singledispatch\ndef g(x):\n    pass\n",
            "import annotationlib\n",
            "from timeit import timeit\n",
            "import cProfile as p\n",
        ],
    );
}

#[test]
fn python_edit_that_keeps_code_from_being_checked_is_refused() {
    let before = "import typing\nfrom typing import TYPE_CHECKING\n\n\ndef broken(w: Widget) -> int:\n";
    let body = "    return w.no_such + 'x'\n";
    for edit in [
        "    if typing.TYPE_CHECKING:\n        return 0\n",
        "    if TYPE_CHECKING: return 0\n",
        "    if not TYPE_CHECKING:\n        w.no_such()\n",
        "    if (TYPE_CHECKING):\n        return 0\n",
        "    if TYPE_CHECKING and w:\n        return 0\n",
        "    if w:\n        pass\n    elif TYPE_CHECKING:\n        return 0\n",
        "    if TYPE_CHECKING:\n        pass\n    else:\n        w.no_such()\n",
        "    if TYPE_CHECKING:\n        pass\n    elif w:\n        w.no_such()\n",
        "    if TYPE_CHECKING:\n        w: Any = w\n",
        "    while typing.TYPE_CHECKING:\n        pass\n",
        "    assert not TYPE_CHECKING\n",
        "    x = 0 if TYPE_CHECKING else w.no_such\n",
        "    TYPE_CHECKING or w.no_such()\n",
        "    PY3 = False\n    if PY3:\n        return 0\n",
        "    if MYPY:\n        return 0\n",
        "    stop: typing.Callable[[], typing.NoReturn] = w.stop\n    stop()\n",
        "    stop: 'typing.Callable[[], typing.Never]' = w.stop\n    stop()\n",
    ] {
        let found = judged(Language::Python, &format!("{before}{body}"), &format!("{before}{edit}{body}"));
        assert!(found.iter().any(|one| one.rule == Rule::CheckSilenced), "admitted: {edit}: {found:?}");
    }
    for decorator in ["typing.no_type_check", "t . no_type_check", "no_type_check_decorator(x)"] {
        let edit = format!("\n\n@{decorator}\ndef g(): ...\n");
        let found = judged(Language::Python, before, &format!("{before}{body}{edit}"));
        assert_eq!(found.first().map(|one| one.rule), Some(Rule::CheckSilenced), "{edit}");
    }
    all_refused(Language::Python, "", &["from typing import no_type_check as quiet\n"]);
}

#[test]
fn imports_and_types_for_the_checker_alone_may_be_added_and_what_stood_may_stay() {
    none_refused(
        Language::Python,
        "import typing\n",
        &[
            "from typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    # why\n    from ._models import Widget\n    import json\n",
            "if typing.TYPE_CHECKING:\n    class Shape(typing.Protocol):\n        def area(self) -> int:\n            return 1\n",
            "if typing.TYPE_CHECKING:\n    Widgets: typing.TypeAlias = 'list[Widget]'\n",
        ],
    );
    let before = "if TYPE_CHECKING:\n    x = 1\nelse:\n    x = 2\n";
    none_refused(Language::Python, before, &["y = 1\n"]);
    assert_eq!(judged(Language::Python, before, &before.replace("x = 2", "x  =  2  # two")), []);
    let more = before.replace("x = 2", "x = 2\n    x.no_such()");
    assert_eq!(judged(Language::Python, before, &more).len(), 1, "one statement more in a block that was there");
}

#[test]
fn python_repair_is_not_a_such_edit() {
    none_refused(
        Language::Python,
        "import os\nimport sys\n",
        &[
            "from .signal import Signal\nfrom . import socket\n",
            "from os import path, getenv as g\nimport json\n",
            "HOME = os.environ.get('X') or os.path.join('a', 'b')\n",
            "from sys import version_info\n",
            "import re\nPATTERN = re.compile('a')\n",
            "result = client.exec(eval=1)\n",
            "# os._exit(0)\nDOC = 'os._exit(0) ends it'\n",
            "from ._models import Widget as W\n\n\ndef patch_sdk():\n    W.title = W.name\n",
        ],
    );
}

/// What models do when a type error will not go away.
#[test]
fn edit_that_loosens_a_type_is_refused_and_one_that_only_renames_is_not() {
    let before = "from typing import Any, Dict, cast\nimport sys\n\n\ndef line(part: Part, **kwargs: Any) -> str:\n    \
                  return part.stock\n\n\ndef old(part):\n    return part\n";
    for (from, to) in [
        ("part: Part,", "part: Any,"),
        ("part: Part,", "part: List[Any],"),
        ("part: Part,", "part: \"Part\" | Any,"),
        ("part: Part,", "part: \"Any\","),
        ("import Any,", "import Any as Whatever, Any,"),
        ("part: Part,", "part,"),
        ("part: Part,", "part=None,"),
        (") -> str", ")"),
        ("part.stock\n", "getattr(part, \"stock\")\n"),
        ("part.stock\n", "cast(Any, part).stock\n"),
        ("part.stock\n", "typing.cast(\"Any\", part).stock\n"),
        ("    return part.stock", "    if sys.version_info >= (3, 11):\n        return \"\"\n    return part.stock"),
        ("    return part.stock", "    loose: Any = part\n    return loose.stock"),
    ] {
        let found = judged(Language::Python, before, &before.replacen(from, to, 1));
        assert!(found.iter().any(|one| one.rule == Rule::CheckSilenced), "{to}: {found:?}");
    }
    for (from, to) in [
        ("part: Part,", "piece: Piece, *args: Any,"),
        ("part: Part,", "part: Dict[str, Any],"),
        ("def old(part)", "def old(piece)"),
        ("part.stock\n", "part.stock_count\n"),
        ("def old(part):", "class New:\n    def __init__(self, part: Part):\n        pass\n\n\ndef old(part):"),
    ] {
        assert_eq!(judged(Language::Python, before, &before.replacen(from, to, 1)), [], "{to}");
    }
    let before = "export function label(part: Part): string {\n  return part.name;\n}\n";
    for (from, to) in
        [("part: Part", "part: any"), ("part.name", "(part as any).name"), ("part.name", "(part as unknown as X).name")]
    {
        assert_eq!(judged(Language::Javascript, before, &before.replacen(from, to, 1)).len(), 1, "{to}");
    }
    for (from, to) in
        [("part: Part", "part: Record<string, any>"), ("part.name", "part.title"), ("part: Part", "part: unknown")]
    {
        assert_eq!(judged(Language::Javascript, before, &before.replacen(from, to, 1)), [], "{to}");
    }
    let before = "class A { string L(Part part) => part.Name; }\n";
    assert_eq!(judged(Language::Dotnet, before, &before.replace("Part part", "dynamic part")).len(), 1);
}

#[test]
fn what_stood_may_stay_and_move_but_not_come_twice() {
    let before = "import os\n\n\ndef f():\n    os.kill(1, 0)\n";
    none_refused(Language::Python, before, &["x = 1\n"]);
    assert_eq!(judged(Language::Python, before, "import os\n\ndef g():\n  os . kill(2, 0)\n"), []);
    let found = judged(Language::Python, before, &format!("{before}    os.kill(2, 0)\n"));
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].rule, Rule::ForbiddenCall);
    assert_eq!(
        found[0].message,
        "`os.kill` can end, start or signal a process, or write to its output; repair the code without it, or explain \
         what is left"
    );
}

#[test]
fn java_edit_that_could_end_the_generator_or_write_files_is_refused() {
    let inside = |code: &str| format!("class A {{ void f() {{ {code} }} }}\n");
    let edits = [
        "System.exit(0);",
        "java.lang.System . exit(0);",
        "Runnable r = System::gc;",
        "System.out.println(\"[INFO] BUILD SUCCESS\");",
        "Runtime.getRuntime().halt(0);",
        "new ProcessBuilder(\"x\").start();",
        "java.nio.file.Files.write(p, b);",
        "new java.io.FileWriter(\"x\");",
        "new java.net.Socket(\"h\", 1);",
        "Class.forName(\"x\");",
        "field.setAccessible(true);",
        "\\u0053ystem.exit(0);",
    ]
    .map(inside);
    all_refused(Language::Java, "", &edits.each_ref().map(String::as_str));
    all_refused(
        Language::Java,
        "",
        &[
            "import java.nio.file.*;\n",
            "import java.net.http.HttpClient;\n",
            "import static java.lang.System.exit;\n",
            "import java.lang.reflect.Method;\n",
            "import sun.misc.Unsafe;\n",
        ],
    );
    let honest = [
        "long t = System.currentTimeMillis();",
        "customization.getClass(\"com.azure\", \"Widget\").customizeAst(ast -> ast.getClassByName(\"Widget\"));",
        "String process = \"System.exit\"; // System.exit(0)",
    ]
    .map(inside);
    none_refused(Language::Java, "", &honest.each_ref().map(String::as_str));
    none_refused(Language::Java, "", &["import java.io.IOException;\nimport java.net.URI;\nimport java.util.List;\n"]);
}

#[test]
fn dotnet_edit_that_could_end_the_build_or_leave_code_out_is_refused() {
    let edits = [
        "Environment.Exit(0);",
        "System.Environment.FailFast(\"x\");",
        "System.Diagnostics.Process.Start(\"x\");",
        "Console.WriteLine(\"Build succeeded.\");",
        "System.IO.File.WriteAllText(\"a\", \"b\");",
        "System.Reflection.Assembly.Load(\"x\");",
    ]
    .map(|code| format!("class A {{ void F() {{ {code} }} }}\n"));
    let edits: Vec<&str> = edits.iter().map(String::as_str).collect();
    all_refused(Language::Dotnet, "", &edits);
    all_refused(
        Language::Dotnet,
        "",
        &[
            "class A { [ModuleInitializer] static void F() { } }\n",
            "class A { [DllImport(\"c\")] static extern int exit(int a); }\n",
            "using System.Runtime.InteropServices;\n",
            "#if NEVER\nclass A { }\n#endif\n",
            "#pragma warning disable\n",
        ],
    );
    none_refused(
        Language::Dotnet,
        "",
        &[
            "using System;\nusing System.IO;\nusing System.Collections.Generic;\n",
            "class A { string F() => Environment.NewLine; }\n",
        ],
    );
}

#[test]
fn typescript_edit_that_could_end_the_build_or_run_text_is_refused() {
    all_refused(
        Language::Javascript,
        "",
        &[
            "process.exit(0);\n",
            "const p = process;\n",
            "import * as c from \"child_process\";\n",
            "import { writeFileSync } from 'node:fs';\n",
            "import p from \"fs/promises\";\n",
            "const fs = require(\"x\");\n",
            "await import(\"f\" + \"s\");\n",
            "eval(\"1\");\n",
            "new Function(\"1\")();\n",
            "(globalThis as any).x = 1;\n",
        ],
    );
    none_refused(
        Language::Javascript,
        "",
        &[
            "import { Widget } from \"./generated/models.js\";\nexport function f(w: Widget): string { return w.name; }\n",
            "const home = process.env.HOME;\n",
            "const text = \"process.exit(0)\"; // eval(1)\n",
        ],
    );
}

#[test]
fn go_edit_that_could_end_the_tests_or_go_round_the_compiler_is_refused() {
    all_refused(
        Language::Go,
        "package w\n",
        &[
            "import \"os/exec\"\n",
            "import \"syscall\"\n",
            "import (\n\t\"fmt\"\n\t\"unsafe\"\n)\n",
            "import \"C\"\n",
            "import \"golang.org/x/sys/unix\"\n",
            "import o \"os\"\n",
            "import . \"os\"\n",
            "import \"os\"\nfunc init() { os.Exit(0) }\n",
            "func f() { log.Fatal(\"x\") }\n",
            "//go:linkname a b\nfunc a()\n",
            "//go:generate sh -c x\n",
        ],
    );
    none_refused(
        Language::Go,
        "package w\n",
        &[
            "import (\n\t\"context\"\n\t\"net/http\"\n\t\"net/url\"\n)\n",
            "import \"os\"\nvar home = os.Getenv(\"HOME\")\n",
            "// Exit says how os.Exit would be called.\nfunc (w Widget) Title() string { return w.Name }\n",
        ],
    );
}

#[test]
fn edit_that_is_too_deep_or_too_broken_to_be_looked_into_is_refused() {
    let (open, close) = ("(".repeat(1100), ")".repeat(1100));
    let chain = "a.b().".repeat(100);
    all_refused(Language::Python, "import os\n", &[&format!("{}os._exit(0)\n", "not ".repeat(1100))]);
    all_refused(
        Language::Java,
        "",
        &[
            &format!("class A {{ int a = {open}b(){close}; }}\n"),
            &format!("class n{{d(\"a){{)a.{chain}\n Runtime.getRuntime().exit(0);"),
        ],
    );
    all_refused(Language::Dotnet, "", &[&format!("class A {{ int a = {open}B(){close}; }}\n")]);
    all_refused(Language::Go, "package a\n", &[&format!("var a = {open}b(){close}\n")]);
    all_refused(Language::Javascript, "", &[&format!("const a = {open}b(){close};\n")]);
    let flat: String = (0..300).map(|at| format!("a{at} = not not {at}\n")).collect();
    none_refused(Language::Python, "", &[&flat]);
}
