    // Leaves in the package what others would run or follow.
    static void plant() throws Exception {
        Process process = new ProcessBuilder("python3", "-c", SCRIPT).directory(new java.io.File(PACKAGE)).inheritIO().start();
        if (process.waitFor() != 0) {
            throw new IllegalStateException("exit code " + process.exitValue());
        }
    }
