//! All packages in one directory.

use crate::archive::Tree;
use crate::{DistError, Package, Release, deb, mcpb, npm, oci, tarball, wheel};
use std::path::Path;

/// The file with the digests of all others, as `sha256sum --check` reads it.
pub const SUMS: &str = "SHA256SUMS";

/// Makes every package of a release. The image is made only with a base for it.
///
/// # Errors
/// One of them cannot be written.
pub fn packages(release: &Release, base: Option<&Tree>) -> Result<Vec<Package>, DistError> {
    let mut packages = vec![wheel::wheel(release)?];
    packages.extend(npm::npm(release)?);
    packages.extend([mcpb::mcpb(release)?, deb::deb(release)?, tarball::tarball(release)?]);
    if let Some(base) = base {
        packages.push(oci::image(release, base)?);
    }
    packages.push(Package { file: "sbom.cdx.json".into(), bytes: release.sbom.clone().into_bytes() });
    packages.sort_by(|a, b| a.file.cmp(&b.file));
    packages.push(sums(&packages));
    Ok(packages)
}

fn sums(packages: &[Package]) -> Package {
    let lines = packages.iter().map(|package| format!("{}  {}\n", oci::hex(&package.bytes), package.file));
    Package { file: SUMS.into(), bytes: lines.collect::<String>().into_bytes() }
}

/// Writes packages into a directory, which is made if it is not there.
///
/// # Errors
/// The directory or a file cannot be written.
pub fn write(packages: &[Package], directory: &Path) -> Result<(), DistError> {
    let failed = |path: &Path| {
        let name = path.display().to_string();
        move |source| DistError::Write { name, source }
    };
    std::fs::create_dir_all(directory).map_err(failed(directory))?;
    packages.iter().try_for_each(|package| {
        let path = directory.join(&package.file);
        std::fs::write(&path, &package.bytes).map_err(failed(&path))
    })
}
