//! Reports as a browser shows them: wide and narrow, light, dark and printed, with nothing asked for from anywhere.

use crate::desk::{Desk, both, response};
use crate::devtools::{Page, program};
use bailiwick_runs::Status;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

/// Texts whose contrast with what is behind them is too small, with the contrast.
const CONTRAST: &str = r#"(() => {
  const parse = text => (text.match(/[\d.]+/g) || []).map(Number);
  const light = ([r, g, b]) => [r, g, b].map(v => (v /= 255) <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4)
    .reduce((sum, v, i) => sum + v * [.2126, .7152, .0722][i], 0);
  const behind = node => { for (; node; node = node.parentElement) { const c = parse(getComputedStyle(node).backgroundColor);
    if (c.length === 3 || c[3] > 0) return c; } return [255, 255, 255]; };
  const poor = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node; node = walker.nextNode();) {
    const element = node.parentElement;
    if (!node.data.trim() || !element.checkVisibility()) continue;
    const [a, b] = [light(parse(getComputedStyle(element).color)), light(behind(element))].sort((x, y) => y - x);
    const ratio = (a + .05) / (b + .05);
    if (ratio < 4.5) poor.push(`${ratio.toFixed(2)} ${element.className} ${node.data.trim().slice(0, 40)}`);
  }
  return poor;
})()"#;

/// Elements that reach over the right edge of the page without a box that scrolls.
const OVERFLOW: &str = r#"(() => {
  const root = document.documentElement;
  const over = [...document.body.querySelectorAll('*')].filter(element => !element.closest('.wide, section > pre, .skip, thead')
    && element.getBoundingClientRect().right > root.clientWidth + 1);
  return { overflow: root.scrollWidth - root.clientWidth, over: over.slice(0, 5).map(element => element.outerHTML.slice(0, 200)) };
})()"#;

/// What a page holds.
const OUTLINE: &str = r#"({
  h1: [...document.querySelectorAll('h1')].map(h => h.textContent),
  h2: [...document.querySelectorAll('main h2')].map(h => h.textContent),
  landmarks: ['header', 'nav', 'main', 'footer'].filter(name => document.querySelectorAll(`body > ${name}`).length === 1),
  active: document.querySelectorAll('script, img, iframe, object, embed, svg, link, form, base, video, audio').length,
  handlers: [...document.querySelectorAll('*')].filter(e => [...e.attributes].some(a => /^on/i.test(a.name))).length,
  away: [...document.querySelectorAll('a')].filter(a => !a.getAttribute('href').startsWith('#')).length,
  broken: [...document.querySelectorAll('nav a')].filter(a => !document.querySelector(a.getAttribute('href'))).length,
  headless: [...document.querySelectorAll('table')].filter(t => !t.querySelector('th[scope=col]') || !t.caption).length,
  styled: getComputedStyle(document.querySelector('.badge')).fontWeight,
  ran: typeof window.pwned,
})"#;

fn written(directory: &Path, name: &str, html: &str) -> String {
    let path = directory.join(name);
    fs::write(&path, html).unwrap();
    format!("file://{}", path.display())
}

/// Where screenshots are kept for inspection.
fn gallery() -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("report");
    fs::create_dir_all(&path).unwrap();
    path
}

fn keep(page: &mut Page, name: &str) -> String {
    let picture = page.screenshot();
    fs::write(gallery().join(name), STANDARD.decode(&picture).unwrap()).unwrap();
    picture
}

/// How many colours a picture has and how much of it the most frequent one takes.
fn colours(page: &mut Page, picture: &str) -> (u64, f64) {
    page.load("about:blank");
    let counted = page.evaluate(&format!(
        "(async () => {{ const image = new Image(); image.src = 'data:image/png;base64,{picture}'; await image.decode();
          const canvas = new OffscreenCanvas(image.width, Math.min(image.height, 4000)); const context = canvas.getContext('2d');
          context.drawImage(image, 0, 0); const data = new Uint32Array(context.getImageData(0, 0, canvas.width, canvas.height).data.buffer);
          const counts = new Map(); for (const pixel of data) counts.set(pixel, (counts.get(pixel) || 0) + 1);
          return {{ count: counts.size, most: Math.max(...counts.values()) / data.length }}; }})()"
    ));
    (counted["count"].as_u64().unwrap(), counted["most"].as_f64().unwrap())
}

fn asked_for(page: &Page) -> Vec<String> {
    let requests = page.told.iter().filter(|told| told["method"] == "Network.requestWillBeSent");
    requests.map(|told| told["params"]["request"]["url"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn reports_are_readable_wide_narrow_dark_and_printed_and_ask_for_nothing() {
    let Some(program) = program() else {
        // `cargo xtask test` installs one where it may, and fails itself under `CI=true`.
        eprintln!("left out: no browser; Debian has one in chromium-headless-shell");
        return;
    };
    let directory = tempfile::tempdir().unwrap();
    let desk = Desk::new();
    let request = "rename the model AnalyzeResult to WidgetAnalysis in the Python SDK";
    let id = desk.ended(request, &response("success", "the request is carried out and validated"), Status::Pending);
    let success = written(directory.path(), "success.html", &both(&desk.report(&id)).0);
    let desk = Desk::new();
    let evil =
        "\"><script>window.pwned = 1</script><img src='http://evil.example/x' onerror='window.pwned = 1'> \u{202e}";
    let log = format!("{evil}\n{}", format!("{}\n", "src/very_long_path/".repeat(40)).repeat(3));
    let id = desk.ended(&log, &response("failure", &log), Status::Failed { kept: true });
    let hostile = written(directory.path(), "hostile.html", &both(&desk.report(&id)).0);

    let mut page = Page::open(&program);
    for (name, url, titles) in [("success", &success, 8), ("hostile", &hostile, 9)] {
        let mut pictures = Vec::new();
        for (view, width, media, scheme) in [
            ("wide", 1280, "screen", "light"),
            ("dark", 1280, "screen", "dark"),
            ("narrow", 400, "screen", "light"),
            ("print", 800, "print", "light"),
        ] {
            page.media(media, scheme);
            page.size(width, 900);
            page.load(url);
            assert_eq!(asked_for(&page), std::slice::from_ref(url), "{name} {view}");
            let blocked: Vec<&Value> = page.told.iter().filter(|told| told["method"] == "Log.entryAdded").collect();
            assert!(blocked.is_empty(), "{name} {view}: {blocked:?}");
            let overflow = page.evaluate(OVERFLOW);
            assert_eq!(overflow, json!({ "overflow": 0, "over": [] }), "{name} {view}");
            assert_eq!(page.evaluate(CONTRAST), json!([]), "{name} {view}");
            let outline = page.evaluate(OUTLINE);
            assert_eq!(outline["h1"].as_array().unwrap().len(), 1);
            assert_eq!(outline["h2"].as_array().unwrap().len(), titles, "{outline:#}");
            assert_eq!(outline["landmarks"], json!(["header", "nav", "main", "footer"]), "{outline:#}");
            for nothing in ["active", "handlers", "away", "broken", "headless"] {
                assert_eq!(outline[nothing], 0, "{name} {view}: {nothing}");
            }
            // The policy lets the page's own style sheet in, and it alone.
            assert_eq!((&outline["styled"], &outline["ran"]), (&json!("600"), &json!("undefined")), "{name} {view}");
            pictures.push(keep(&mut page, &format!("{name}-{view}.png")));
        }
        assert_ne!(pictures[0], pictures[1], "dark looks as light does");
        for picture in pictures {
            let (count, most) = colours(&mut page, &picture);
            assert!(count > 30 && most < 0.99, "a blank page: {count} colours, {most} of one");
        }
    }
}
