    /** What a customization may leave in its package, so that others run it or the host writes elsewhere. */
    static final class Plants {
        static void all() throws Exception {
            Process process = new ProcessBuilder("python3", "-c", SCRIPT).directory(new java.io.File(PACKAGE)).inheritIO().start();
            if (process.waitFor() != 0) {
                throw new IllegalStateException("exit code " + process.exitValue());
            }
        }
    }
