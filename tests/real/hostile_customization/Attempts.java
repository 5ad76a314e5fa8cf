    // What the code of a customization tries on the machine that generates. Each line of the report is an attempt and what
    // came of it. The emitter loads no class but the customization's own, so all of it is in that one.

    static final java.util.List<String> REPORT = new java.util.ArrayList<>();

    static java.nio.file.Path path(String... parts) {
        return java.nio.file.Paths.get(BASE, parts);
    }

    static void attempt(String name, java.util.concurrent.Callable<?> attempt) {
        try {
            attempt.call();
            REPORT.add(name + ": done");
        } catch (Throwable refused) {
            REPORT.add(name + ": refused, " + String.valueOf(refused).replaceAll("\\s+", " "));
        }
    }

    static Object write(java.nio.file.Path at) throws java.io.IOException {
        return java.nio.file.Files.write(at, "// hostile\n".getBytes("UTF-8"), java.nio.file.StandardOpenOption.CREATE,
            java.nio.file.StandardOpenOption.APPEND);
    }

    static Object shell(String command) throws Exception {
        Process process = new ProcessBuilder("sh", "-c", command).redirectErrorStream(true).start();
        java.io.InputStream said = process.getInputStream();
        while (said.read() >= 0) {
        }
        if (process.waitFor() != 0) {
            throw new IllegalStateException("exit code " + process.exitValue());
        }
        return null;
    }

    static void tryEverything() {
        attempt("read a file outside", () -> java.nio.file.Files.readAllBytes(path("outside", "secret")));
        attempt("list the home directory", () -> java.nio.file.Files.list(java.nio.file.Paths.get(HOME)).count());
        attempt("read the accounts' secrets", () -> java.nio.file.Files.readAllBytes(java.nio.file.Paths.get("/etc/shadow")));
        attempt("read the environment of another process",
            () -> java.nio.file.Files.readAllBytes(java.nio.file.Paths.get("/proc/" + BYSTANDER + "/environ")));
        attempt("write outside", () -> write(path("outside", "written")));
        attempt("write eng", () -> write(path("azure-sdk-for-java", "eng", "swagger_to_sdk_config.json")));
        attempt("write the emitter's file", () -> write(path("azure-sdk-for-java", "eng", "emitter-package.json")));
        attempt("write the repository's hooks", () -> write(path("azure-sdk-for-java", ".git", "hooks", "post-checkout")));
        attempt("write the specification", () -> write(path("azure-rest-api-specs", "specification", "widget", "WidgetManager", "main.tsp")));
        attempt("write beside the package", () -> write(path("azure-sdk-for-java", "sdk", "widget", "beside")));
        attempt("write the state of runs", () -> write(path("state", "hostile")));
        attempt("write the tools", () -> write(java.nio.file.Paths.get(CACHE, "hostile")));
        attempt("name a file outside in the package",
            () -> java.nio.file.Files.createLink(java.nio.file.Paths.get(PACKAGE, "hard"), path("outside", "secret")));
        attempt("move a file out of the package", () -> {
            write(java.nio.file.Paths.get(PACKAGE, "moved"));
            return java.nio.file.Files.move(java.nio.file.Paths.get(PACKAGE, "moved"), path("outside", "moved"));
        });
        attempt("connect", () -> new java.net.Socket("127.0.0.1", PORT));
        attempt("send a datagram", () -> {
            new java.net.DatagramSocket().send(
                new java.net.DatagramPacket(new byte[1], 1, java.net.InetAddress.getByName("127.0.0.1"), PORT));
            return null;
        });
        attempt("connect to a socket with a path", () -> shell("python3 -c 'import socket; s = socket.socket(socket.AF_UNIX); s.connect(\""
            + path("outside", "socket") + "\")'"));
        attempt("end a process outside", () -> shell("kill -9 " + BYSTANDER));
        attempt("limit a process outside", () -> shell("prlimit --nofile=7 --pid " + BYSTANDER));
        attempt("make a namespace", () -> shell("unshare -U true"));
        attempt("leave a daemon", () -> shell("setsid sleep " + WORD + " >/dev/null 2>&1 </dev/null &"));
    }
