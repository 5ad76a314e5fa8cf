//! What is looked for in each language.

use bailiwick_sdk::tasks::Language;

use super::Why;
use Why::{Inspect, Process, Reach, Text, Unchecked};

/// Names with what is wrong with them.
type Names = &'static [(&'static str, Why)];

/// What is looked for in a language.
pub(super) struct Table {
    pub(super) grammar: fn() -> tree_sitter::Language,
    /// Names wherever they stand.
    pub(super) names: Names,
    /// Names that stand by themselves, and not as members of something.
    pub(super) globals: Names,
    /// Dotted names.
    pub(super) paths: Names,
    /// Dotted names within `paths`, and modules within `modules`, that are harmless.
    pub(super) harmless: &'static [&'static str],
    /// What is imported.
    pub(super) modules: Names,
    /// Modules and classes of which some members are harmless.
    pub(super) guarded: &'static [Guarded],
    /// Names that lead to variables of other code, in strings as well.
    pub(super) hidden_names: &'static [&'static str],
    /// Nodes that leave code out or add some.
    pub(super) kinds: &'static [&'static str],
    /// The same as comments, by how they begin.
    pub(super) comments: &'static [&'static str],
    /// Whether identifiers may be written with `\u`.
    pub(super) escapes: bool,
    pub(super) refuses_dynamic_import: bool,
}

/// A module or class of which some members are harmless.
pub(super) struct Guarded {
    pub(super) name: &'static str,
    pub(super) why: Why,
    pub(super) harmless: &'static [&'static str],
    /// Whether it counts as a member of something, too: `java.lang.System`.
    pub(super) qualified: bool,
}

const NOTHING: Table = Table {
    grammar: || tree_sitter_python::LANGUAGE.into(),
    names: &[],
    globals: &[],
    paths: &[],
    harmless: &[],
    modules: &[],
    guarded: &[],
    hidden_names: &[],
    kinds: &[],
    comments: &[],
    escapes: false,
    refuses_dynamic_import: false,
};

pub(super) fn table(language: Language) -> Table {
    match language {
        Language::Python => PYTHON,
        Language::Java => JAVA,
        Language::Dotnet => DOTNET,
        Language::Javascript => TYPESCRIPT,
        Language::Go => GO,
    }
}

const PYTHON: Table = Table {
    grammar: || tree_sitter_python::LANGUAGE.into(),
    names: &[
        ("_exit", Process),
        ("execl", Process),
        ("execv", Process),
        ("execve", Process),
        ("fork", Process),
        ("killpg", Process),
        ("posix_spawn", Process),
        ("dup2", Process),
        ("_getframe", Inspect),
        ("addaudithook", Inspect),
        ("currentframe", Inspect),
        ("get_objects", Inspect),
        ("get_referrers", Inspect),
        ("setprofile", Inspect),
        ("settrace", Inspect),
        ("meta_path", Inspect),
        ("path_hooks", Inspect),
        ("create_subprocess_exec", Process),
        ("create_subprocess_shell", Process),
        ("subprocess_exec", Process),
        ("subprocess_shell", Process),
        // Annotations that are text are run by what reads them.
        ("ForwardRef", Text),
        ("_eval_type", Text),
        ("_evaluate", Text),
        ("evaluate_forward_ref", Text),
        ("get_annotations", Text),
        ("get_type_hints", Text),
        ("singledispatch", Text),
        ("singledispatchmethod", Text),
        ("no_type_check", Unchecked),
        ("no_type_check_decorator", Unchecked),
    ],
    globals: &[
        ("__import__", Text),
        ("compile", Text),
        ("eval", Text),
        ("exec", Text),
        ("breakpoint", Inspect),
        ("globals", Inspect),
        ("vars", Inspect),
        ("exit", Process),
        ("quit", Process),
    ],
    modules: &[
        ("_thread", Process),
        ("atexit", Process),
        ("multiprocessing", Process),
        ("posix", Process),
        ("pty", Process),
        ("signal", Process),
        ("_signal", Process),
        ("subprocess", Process),
        ("_posixsubprocess", Process),
        ("_socket", Reach),
        ("cffi", Reach),
        ("ctypes", Reach),
        ("_ctypes", Reach),
        ("fcntl", Reach),
        ("mmap", Reach),
        ("socket", Reach),
        ("builtins", Inspect),
        ("gc", Inspect),
        ("inspect", Inspect),
        ("annotationlib", Text),
        ("bdb", Text),
        ("cProfile", Text),
        ("code", Text),
        ("codeop", Text),
        ("doctest", Text),
        ("imp", Text),
        ("importlib", Text),
        ("marshal", Text),
        ("pdb", Text),
        ("pickle", Text),
        ("profile", Text),
        ("pydoc", Text),
        ("runpy", Text),
        ("shelve", Text),
        ("timeit", Text),
        ("zipimport", Text),
    ],
    guarded: &[
        Guarded {
            name: "os",
            why: Process,
            harmless: &[
                "environ", "fspath", "getenv", "linesep", "path", "PathLike", "sep", "SEEK_CUR", "SEEK_END", "SEEK_SET",
            ],
            qualified: true,
        },
        Guarded {
            name: "sys",
            why: Inspect,
            harmless: &["byteorder", "exc_info", "getsizeof", "maxsize", "version", "version_info"],
            qualified: true,
        },
    ],
    hidden_names: &[
        "__annotate__",
        "__annotations__",
        "__builtins__",
        "__closure__",
        "__code__",
        "__globals__",
        "__loader__",
        "__spec__",
        "__subclasses__",
        "__traceback__",
        "ag_frame",
        "cell_contents",
        "cr_frame",
        "f_back",
        "f_globals",
        "f_locals",
        "gi_frame",
        "tb_frame",
    ],
    ..NOTHING
};

const JAVA: Table = Table {
    grammar: || tree_sitter_java::LANGUAGE.into(),
    names: &[
        ("Process", Process),
        ("ProcessBuilder", Process),
        ("ProcessHandle", Process),
        ("Runtime", Process),
        ("addShutdownHook", Process),
        ("Files", Reach),
        ("FileChannel", Reach),
        ("FileOutputStream", Reach),
        ("FileWriter", Reach),
        ("RandomAccessFile", Reach),
        ("ServerSocket", Reach),
        ("Socket", Reach),
        ("URLConnection", Reach),
        ("openConnection", Reach),
        ("openStream", Reach),
        ("loadLibrary", Reach),
        ("Unsafe", Inspect),
        ("ClassLoader", Inspect),
        ("URLClassLoader", Inspect),
        ("forName", Inspect),
        ("getDeclaredField", Inspect),
        ("getDeclaredMethod", Inspect),
        ("getDeclaredMethods", Inspect),
        ("setAccessible", Inspect),
        ("ScriptEngineManager", Text),
    ],
    paths: &[
        ("java.io", Reach),
        ("java.lang.invoke", Inspect),
        ("java.lang.reflect", Inspect),
        ("java.net", Reach),
        ("java.nio.channels", Reach),
        ("java.nio.file", Reach),
        ("java.rmi", Reach),
        ("javax.script", Text),
        ("javax.tools", Text),
        ("jdk", Inspect),
        ("sun", Inspect),
    ],
    harmless: &[
        "java.io.ByteArrayInputStream",
        "java.io.ByteArrayOutputStream",
        "java.io.Closeable",
        "java.io.IOException",
        "java.io.InputStream",
        "java.io.OutputStream",
        "java.io.Serializable",
        "java.io.UncheckedIOException",
        "java.lang.reflect.Type",
        "java.net.MalformedURLException",
        "java.net.URI",
        "java.net.URISyntaxException",
        "java.net.URL",
    ],
    guarded: &[Guarded {
        name: "System",
        why: Process,
        harmless: &["arraycopy", "currentTimeMillis", "identityHashCode", "lineSeparator", "nanoTime"],
        qualified: true,
    }],
    escapes: true,
    ..NOTHING
};

const DOTNET: Table = Table {
    grammar: || tree_sitter_c_sharp::LANGUAGE.into(),
    names: &[
        ("AppDomain", Process),
        ("FailFast", Process),
        ("ModuleInitializer", Process),
        ("ModuleInitializerAttribute", Process),
        ("ProcessStartInfo", Process),
        ("Console", Process),
        ("Directory", Reach),
        ("DllImport", Reach),
        ("DllImportAttribute", Reach),
        ("File", Reach),
        ("FileInfo", Reach),
        ("FileStream", Reach),
        ("LibraryImport", Reach),
        ("LibraryImportAttribute", Reach),
        ("NativeLibrary", Reach),
        ("StreamWriter", Reach),
        ("TcpClient", Reach),
        ("UnmanagedCallersOnly", Reach),
        ("Activator", Inspect),
        ("Assembly", Inspect),
        ("BindingFlags", Inspect),
        ("Marshal", Inspect),
        ("CSharpScript", Text),
    ],
    paths: &[
        ("Microsoft.CodeAnalysis", Text),
        ("Process.GetCurrentProcess", Process),
        ("Process.GetProcessById", Process),
        ("Process.Start", Process),
        ("System.Diagnostics.Process", Process),
        ("System.Net.Sockets", Reach),
        ("System.Reflection", Inspect),
        ("System.Runtime.InteropServices", Reach),
        ("System.Runtime.Loader", Inspect),
    ],
    guarded: &[Guarded {
        name: "Environment",
        why: Process,
        harmless: &["CurrentManagedThreadId", "NewLine", "OSVersion", "ProcessorCount", "TickCount", "Version"],
        qualified: true,
    }],
    kinds: &[
        "preproc_define",
        "preproc_if",
        "preproc_line",
        "preproc_pragma",
        "preproc_undef",
        "preproc_if_in_attribute_list",
        "unsafe_statement",
        "extern_alias_directive",
    ],
    escapes: true,
    ..NOTHING
};

const TYPESCRIPT: Table = Table {
    grammar: || tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into(),
    names: &[("__proto__", Inspect), ("mainModule", Inspect)],
    globals: &[("Function", Text), ("eval", Text), ("require", Text), ("global", Inspect), ("globalThis", Inspect)],
    modules: &[
        ("async_hooks", Inspect),
        ("child_process", Process),
        ("cluster", Process),
        ("dgram", Reach),
        ("dns", Reach),
        ("fs", Reach),
        ("http", Reach),
        ("http2", Reach),
        ("https", Reach),
        ("inspector", Inspect),
        ("module", Inspect),
        ("net", Reach),
        ("process", Process),
        ("repl", Text),
        ("tls", Reach),
        ("v8", Inspect),
        ("vm", Text),
        ("wasi", Reach),
        ("worker_threads", Process),
    ],
    guarded: &[Guarded {
        name: "process",
        why: Process,
        harmless: &["env", "hrtime", "nextTick", "platform", "version", "versions"],
        qualified: false,
    }],
    escapes: true,
    refuses_dynamic_import: true,
    ..NOTHING
};

const GO: Table = Table {
    grammar: || tree_sitter_go::LANGUAGE.into(),
    names: &[("Fatal", Process), ("Fatalf", Process), ("Fatalln", Process)],
    modules: &[
        ("C", Reach),
        ("io/ioutil", Reach),
        ("net", Reach),
        ("os/exec", Process),
        ("os/signal", Process),
        ("plugin", Reach),
        ("reflect", Inspect),
        ("runtime", Inspect),
        ("syscall", Process),
        ("testing", Process),
        ("unsafe", Inspect),
        ("golang.org/x/sys", Process),
    ],
    guarded: &[Guarded {
        name: "os",
        why: Process,
        harmless: &["ErrNotExist", "Getenv", "LookupEnv"],
        qualified: false,
    }],
    harmless: &["net/http", "net/url"],
    comments: &["//go:cgo", "//go:embed", "//go:generate", "//go:linkname", "//export "],
    ..NOTHING
};
