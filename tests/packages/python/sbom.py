"""Ends without success unless the file is a bill of materials as CycloneDX 1.5 describes it."""

import sys
from pathlib import Path

from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

complaint = JsonStrictValidator(SchemaVersion.V1_5).validate_str(Path(sys.argv[1]).read_text())
if complaint is not None:
    sys.exit(str(complaint)[:2000])
