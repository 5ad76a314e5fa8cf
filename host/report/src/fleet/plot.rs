//! Durations as one picture that is a part of the page.

use bailiwick_fleet::Row;

use super::html::mark;
use super::time;
use crate::html::escape::line;
use crate::limits::Limits;

/// The most bars.
const MOST: usize = 400;
const WIDTH: f64 = 960.0;
const HEIGHT: f64 = 180.0;

/// One bar a package, longest first, in the colour of its verdict. The table has the same as text.
pub(super) fn durations(rows: &[Row], limits: &Limits) -> String {
    let mut took: Vec<&Row> = rows.iter().filter(|row| row.seconds > 0.0).collect();
    took.sort_by(|one, other| other.seconds.total_cmp(&one.seconds));
    let (Some(longest), Some(shortest)) = (took.first(), took.last()) else {
        return "<p>No package was begun.</p>\n".to_owned();
    };
    let median = took.get(took.len() / 2).map_or(0.0, |row| row.seconds);
    let shown = took.len().min(MOST);
    let step = WIDTH / f64::from(u32::try_from(shown).unwrap_or(u32::MAX));
    let title = format!(
        "{} packages: the longest took {}, the median {}, the shortest {}",
        took.len(),
        time(longest.seconds),
        time(median),
        time(shortest.seconds)
    );
    let mut picture = format!(
        "<figure class=\"plot\"><svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-labelledby=\"plot-title\" preserveAspectRatio=\"none\">\
         <title id=\"plot-title\">{title}</title>\n"
    );
    for (index, row) in took.iter().take(MOST).enumerate() {
        let height = (HEIGHT * row.seconds / longest.seconds).max(1.0);
        let at = step * f64::from(u32::try_from(index).unwrap_or(u32::MAX));
        picture.push_str(&format!(
            "<rect class=\"bar {}\" x=\"{at:.2}\" y=\"{:.2}\" width=\"{:.2}\" height=\"{height:.2}\"><title>{}: {}</title></rect>\n",
            mark(row.verdict),
            HEIGHT - height,
            (step * 0.8).max(0.5),
            line(&row.package, limits),
            time(row.seconds)
        ));
    }
    let level = HEIGHT - HEIGHT * median / longest.seconds;
    picture
        .push_str(&format!("<line class=\"median\" x1=\"0\" x2=\"{WIDTH}\" y1=\"{level:.2}\" y2=\"{level:.2}\"/>\n"));
    picture.push_str(&format!("</svg><figcaption>{title}. The line is the median.</figcaption></figure>\n"));
    picture
}
