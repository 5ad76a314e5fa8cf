"""Run by a Java customization in its package; OUTSIDE is a directory outside the package."""
import os

CONFIG = "[core]\n\tfsmonitor = touch %s/ran; false\n" % OUTSIDE


def write(path, text):
    os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
    with open(path, "ab" if isinstance(text, bytes) else "a") as file:
        file.write(text)


def repository(at):
    for name in ("objects", "refs"):
        os.makedirs(os.path.join(at, name))
    write(os.path.join(at, "HEAD"), "ref: refs/heads/main\n")
    write(os.path.join(at, "config"), CONFIG)


repository(".git")
repository("src/main/.git")
repository("src/bare")
write("customization/.git", "gitdir: %s\n" % OUTSIDE)
# One that takes its objects and its configuration from another directory.
repository("src/common")
os.remove("src/common/HEAD")
write("src/linked/HEAD", "ref: refs/heads/main\n")
write("src/linked/commondir", "../common\n")
# A name that is no text.
os.makedirs(b"src/\xff/.git")
write(b"src/\xff/.git/config", CONFIG.encode())
# The next command would install what this names.
write("e/emitter-package.json", '{"scripts":{"preinstall":"touch %s/ran"}}' % OUTSIDE)
write("tsp-location.yaml", "emitterPackageJsonPath: sdk/widget/azure-widget/e/emitter-package.json\n")
os.rename("customization/src/main/java", "customization/src/main/moved")
os.symlink(OUTSIDE, "customization/src/main/java")
os.symlink(OUTSIDE, "src/main/java/com/azure/widget/elsewhere")
os.mkfifo("src/pipe")
# Nothing in a pit this deep is looked at, and it hides nothing beside it.
os.makedirs("src/deep")
os.chdir("src/deep")
for _ in range(300):
    os.mkdir("d")
    os.chdir("d")
