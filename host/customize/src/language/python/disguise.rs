//! `__init__.py` of people under the header of generated code, such as one that was copied to start from.

use super::{HELPERS, PATCH_FILE};

/// Whether a module brings in modules beside it that people wrote, and no other ones beside it. Customizations do not count:
/// generated code brings them in.
pub(super) fn brings_in_own_alone(path: &str, text: &str, is_hand_written: &dyn Fn(&str) -> bool) -> bool {
    let directory = path.rsplit_once('/').map_or("", |(directory, _)| directory);
    let is_own = |name: &str| {
        let file = format!("{}.py", name.replace('.', "/"));
        let counts = file != PATCH_FILE && !HELPERS.contains(&file.as_str());
        let module = format!("{directory}/{file}");
        let package = format!("{}/__init__.py", module.trim_end_matches(".py"));
        counts && (is_hand_written(&module) || is_hand_written(&package))
    };
    let names: Vec<&str> = text.lines().filter_map(brought_in).collect();
    !names.is_empty() && names.into_iter().all(is_own)
}

/// `_tracer` of `from ._tracer import Tracer`. What a line takes from further up has a dot left at its start.
fn brought_in(line: &str) -> Option<&str> {
    let (name, _) = line.trim_start().strip_prefix("from .")?.split_once(" import")?;
    Some(name.trim())
}

#[cfg(test)]
mod tests {
    use super::brings_in_own_alone;

    #[test]
    fn module_that_brings_in_what_people_wrote_is_told_from_one_that_a_generator_writes() {
        let own =
            ["azure/w/t/_tracer.py", "azure/w/t/kinds/__init__.py", "azure/w/t/_patch.py", "azure/w/t/_vendor.py"];
        let says = |text: &str| brings_in_own_alone("azure/w/t/__init__.py", text, &|path| own.contains(&path));
        for text in [
            "from ._tracer import Tracer\n__all__ = [\"Tracer\"]\n",
            "import os\nfrom typing import Any\nfrom .kinds import (\n    Kind,\n)\nfrom ._tracer import Tracer\n",
        ] {
            assert!(says(text), "{text}");
        }
        for text in [
            "",
            "__path__ = []\n",
            "from typing import Any\n",
            "from ._client import WidgetClient\nfrom ._tracer import Tracer\n",
            "from ._patch import *\n",
            "from ._vendor import FileType\n",
            "from ..models import Widget\nfrom ._tracer import Tracer\n",
            "from . import _tracer\n",
        ] {
            assert!(!says(text), "{text}");
        }
    }
}
