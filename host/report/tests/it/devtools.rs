//! A headless browser, told what to do over its own pipe (the Chrome DevTools Protocol): no port, no driver.

use serde_json::{Value, json};
use std::fs::File;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

/// A browser that says nothing for so long hangs.
const PATIENCE: Duration = Duration::from_secs(60);
const PROGRAMS: [&str; 5] =
    ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/// The browser that `cargo xtask test` found, else the first on the path.
pub(crate) fn program() -> Option<PathBuf> {
    if let Some(program) = std::env::var_os("BAILIWICK_BROWSER") {
        return Some(program.into());
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut found = std::env::split_paths(&path).flat_map(|directory| PROGRAMS.map(|program| directory.join(program)));
    found.find(|program| program.is_file())
}

/// One page of a browser that is killed in the end.
pub(crate) struct Page {
    child: Child,
    to: File,
    from: Receiver<Value>,
    session: Option<String>,
    next: u64,
    /// What the browser told by itself.
    pub(crate) told: Vec<Value>,
    _profile: tempfile::TempDir,
}

impl Page {
    pub(crate) fn open(program: &Path) -> Self {
        let profile = tempfile::tempdir().unwrap();
        let pipe = |name: &str| {
            let path = profile.path().join(name);
            assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
            path
        };
        let (to, from) = (pipe("to"), pipe("from"));
        let child = Command::new("sh")
            .args(["-c", r#"to=$1 from=$2; shift 2; exec "$@" 3<"$to" 4>"$from""#, "sh"])
            .args([&to, &from])
            .arg(program)
            .args(["--headless", "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"])
            .args(["--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"])
            .args(["--host-resolver-rules=MAP * ~NOTFOUND", "--force-color-profile=srgb", "--hide-scrollbars"])
            .arg(format!("--user-data-dir={}", profile.path().join("profile").display()))
            .arg("about:blank")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        // The shell opens them in this order, too.
        let to = File::options().write(true).open(to).unwrap();
        let messages = BufReader::new(File::open(from).unwrap());
        let (sender, receiver) = channel();
        std::thread::spawn(move || {
            for message in messages.split(0).map_while(Result::ok) {
                if serde_json::from_slice(&message).is_ok_and(|value: Value| sender.send(value).is_err()) {
                    return;
                }
            }
        });
        let (session, told) = (None, Vec::new());
        let mut page = Self { child, to, from: receiver, session, next: 0, told, _profile: profile };
        let target = page.call("Target.createTarget", &json!({ "url": "about:blank" }));
        let attached = page.call("Target.attachToTarget", &json!({ "targetId": target["targetId"], "flatten": true }));
        page.session = Some(attached["sessionId"].as_str().unwrap().to_owned());
        for domain in ["Page", "Network", "Log", "Runtime"] {
            page.call(&format!("{domain}.enable"), &json!({}));
        }
        page
    }

    /// Calls a method and waits for its answer.
    pub(crate) fn call(&mut self, method: &str, parameters: &Value) -> Value {
        self.next += 1;
        let id = self.next;
        let mut message = json!({ "id": id, "method": method, "params": parameters });
        if let Some(session) = &self.session {
            message["sessionId"] = session.clone().into();
        }
        let mut bytes = message.to_string().into_bytes();
        bytes.push(0);
        self.to.write_all(&bytes).unwrap();
        loop {
            let mut answer = self.receive(method);
            if answer["id"] == id {
                assert!(answer.get("error").is_none(), "{method}: {answer}");
                return answer["result"].take();
            }
            self.told.push(answer);
        }
    }

    fn receive(&mut self, what: &str) -> Value {
        self.from
            .recv_timeout(PATIENCE)
            .unwrap_or_else(|error| panic!("the browser does not answer to {what}: {error}"))
    }

    /// Loads a page and waits until everything that it asks for is there.
    pub(crate) fn load(&mut self, url: &str) {
        self.told.clear();
        self.call("Page.navigate", &json!({ "url": url }));
        while !self.told.iter().any(|told| told["method"] == "Page.loadEventFired") {
            let told = self.receive("loading");
            self.told.push(told);
        }
    }

    pub(crate) fn size(&mut self, width: u32, height: u32) {
        let metrics = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        self.call("Emulation.setDeviceMetricsOverride", &metrics);
    }

    pub(crate) fn media(&mut self, media: &str, scheme: &str) {
        let features = json!([{ "name": "prefers-color-scheme", "value": scheme }]);
        self.call("Emulation.setEmulatedMedia", &json!({ "media": media, "features": features }));
    }

    /// The value of an expression, run beside the page and not by it.
    pub(crate) fn evaluate(&mut self, expression: &str) -> Value {
        let parameters = json!({ "expression": expression, "returnByValue": true, "awaitPromise": true });
        let mut answer = self.call("Runtime.evaluate", &parameters);
        assert!(answer.get("exceptionDetails").is_none(), "{expression}: {answer}");
        answer["result"]["value"].take()
    }

    /// The whole page as a PNG, in Base64.
    pub(crate) fn screenshot(&mut self) -> String {
        let mut answer =
            self.call("Page.captureScreenshot", &json!({ "format": "png", "captureBeyondViewport": true }));
        answer["data"].take().as_str().unwrap().to_owned()
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
