//! Plans that once came to something else, and those that are shaped like the advisories against others.

use super::check::check;
use super::plan::Plan;
use super::world::Ground;

/// A situation, and the plan as a failure of the random test prints it.
const PLANS: [(&str, &str); 23] = [
    (
        "GHSA-2r75-cxrj-cmph: emptying a file of a read-only grant",
        r#"["open-at",1,"file","t"] ["open-at",1,"file","rt"] ["open-at",1,"file","ctw"] ["open-at",1,"in","fct"]
           ["open-at",1,"sub","drm"] ["open-at",1,"sub","dr"] ["open-at",3,"file","t"] ["read",3,100,0]
           ["open-at",1,"new","c"] ["open-at",1,"file","r"] ["set-size",4,0] ["write",4,"hostile",0]"#,
    ),
    (
        "GHSA-4ch3-9j33-3pmj: from a read-only grant into a writable one, also by way of a sub-directory",
        r#"["rename-at",1,"file",0,"new"] ["link-at",1,"file","",0,"new"] ["link-at",1,"in","f",2,"new"]
           ["open-at",1,"sub","dr"] ["rename-at",3,"file",0,"new"] ["link-at",3,"file","",0,"new"]
           ["rename-at",0,"file",1,"new"] ["rename-at",0,"file",3,"new"] ["rename-at",0,"file",1,"file"]"#,
    ),
    (
        "GHSA-vqjp-4c8c-hfgg: a link to the outside with a slash at its end",
        r#"["open-at",0,"hidden","fdr"] ["open-at",0,"hidden/","dr"] ["open-at",0,"hidden/.","dr"]
           ["open-at",0,"hidden//","fdr"] ["open-at",0,"indirect","fdr"] ["open-at",0,"indirect/","dr"]
           ["open-at",0,"root","fdr"] ["open-at",0,"root/","dr"] ["open-at",0,"root/..","dr"] ["stat-at",0,"hidden",""]
           ["stat-at",0,"hidden/",""] ["stat-at",0,"indirect/","f"] ["stat-at",0,"root/",""] ["readlink-at",0,"hidden"]
           ["readlink-at",0,"hidden/"] ["open-at",0,"hidden/secret","r"] ["open-at",0,"indirect/secret","frw"]"#,
    ),
    (
        "GHSA-m9f7-9w4p-gv38: renaming a link with a slash at its end, and to one",
        r#"["rename-at",0,"out/",0,"new"] ["rename-at",0,"to-sub/",0,"new"] ["rename-at",0,"empty",0,"out/"]
           ["rename-at",0,"empty",0,"to-empty/"] ["rename-at",0,"empty",0,"dangling/"] ["rename-at",0,"in/",0,"new/"]
           ["rename-at",0,"sub/",0,"empty/"] ["rename-at",0,"empty/",0,"new/"] ["rename-at",0,"out/secret",0,"new"]"#,
    ),
    (
        "CVE-2024-38358: making a file through a link that leads outside and to nothing",
        r#"["open-at",0,"out-new","fcw"] ["open-at",0,"out-new","fcxw"] ["open-at",0,"out-new","cw"]
           ["open-at",0,"absolute-new","fcrw"] ["open-at",0,"absolute-new","cx"] ["open-at",0,"dangling","fcw"]
           ["open-at",0,"dangling","fcxw"] ["open-at",0,"deep-dangling","fctw"] ["create-directory-at",0,"out-new"]
           ["create-directory-at",0,"out-new/"] ["create-directory-at",0,"dangling-directory/"]"#,
    ),
    (
        "CVE-2025-53110, CVE-2026-34451: a sibling whose name begins alike",
        r#"["open-at",0,"../granted-evil/secret","r"] ["open-at",0,"evil","fr"] ["open-at",0,"../granted/file","r"]
           ["open-at",0,"sub/../../granted-evil","dr"] ["stat-at",0,"../granted-evil","f"]
           ["unlink-file-at",0,"../granted-evil/secret"] ["rename-at",0,"../granted-evil/secret",0,"new"]"#,
    ),
    (
        "CVE-2025-53109: a new file below a link to an outside directory",
        r#"["open-at",0,"out/new","cw"] ["open-at",0,"out/new/other-new","cw"] ["open-at",0,"sub/out/new","fcw"]
           ["open-at",0,"absolute/new","cw"] ["create-directory-at",0,"out/new"] ["rename-at",0,"file",0,"out/new"]
           ["open-at",0,"missing/../../outside/new","cw"] ["open-at",0,"out/missing/new","cw"]"#,
    ),
    (
        "DesktopCommander #420: nothing is there yet, so nothing is checked",
        r#"["open-at",0,"missing/../../outside/new","fcw"] ["open-at",0,"sub/missing/../../../outside/new","cw"]
           ["create-directory-at",0,"missing/../../new"] ["open-at",0,"..","fcw"] ["open-at",0,"missing/..","fcw"]"#,
    ),
    (
        "an absolute path, even one into the grant",
        r#"["open-at",0,"/etc/passwd","r"] ["open-at",0,"//","dr"] ["open-at",0,"/.","fdr"] ["open-at",0,"/file","r"]
           ["open-at",0,"absolute-inside","fr"] ["open-at",0,"absolute-inside","frw"] ["readlink-at",0,"absolute-inside"]
           ["rename-at",0,"/file",0,"new"] ["unlink-file-at",0,"/"] ["remove-directory-at",0,"/"]"#,
    ),
    (
        "a NUL ends no path",
        r#"["open-at",0,"file\u0000","r"] ["open-at",0,"missing/a\u0000b","r"] ["open-at",0,"../x\u0000","r"]
           ["open-at",0,"new\u0000.txt","cw"] ["rename-at",0,"file",0,"new\u0000"] ["rename-at",0,"file\u0000",0,"new"]
           ["unlink-file-at",0,"file\u0000"] ["create-directory-at",0,"\u0000"] ["stat-at",0,"sub\u0000/file",""]"#,
    ),
    (
        "what ends in a slash or a dot",
        r#"["open-at",0,"file/","r"] ["open-at",0,"file/.","r"] ["open-at",0,"file//","rw"] ["open-at",0,"new/","cw"]
           ["open-at",0,"missing/new/","cw"] ["open-at",0,"new/.","cw"] ["open-at",0,"in/","fr"] ["open-at",0,"sub/","cw"]
           ["unlink-file-at",0,"file/"] ["unlink-file-at",0,"in/"] ["unlink-file-at",0,"sub/"] ["remove-directory-at",0,"file/"]
           ["remove-directory-at",0,"to-empty/"] ["remove-directory-at",0,"empty/."] ["remove-directory-at",0,"."]
           ["rename-at",0,"file/",0,"new"] ["rename-at",0,"file",0,"new/"] ["create-directory-at",0,"new//"]
           ["create-directory-at",0,"new/."] ["create-directory-at",0,"file/"] ["rename-at",0,"new/",0,"other-new/"]"#,
    ),
    (
        "sensitive places, by their names, by links and from handles in them",
        r#"["open-at",0,".git/config","rw"] ["open-at",0,".GIT","cw"] ["open-at",0,"git/config","frw"]
           ["open-at",0,"git-config","ft"] ["open-at",0,"git","fdrm"] ["open-at",3,"config","rw"] ["open-at",3,"new","cw"]
           ["unlink-file-at",3,"config"] ["rename-at",0,"file",3,"new"] ["rename-at",3,"config",0,"new"]
           ["rename-at",0,".git",0,"new"] ["rename-at",0,"sub",0,".git"] ["create-directory-at",0,"sub/.Git"]
           ["open-at",0,"sub/git/config","w"] ["read",3,1,0] ["open-at",0,".git/config","r"] ["read",4,100,0]
           ["remove-directory-at",0,"sub/.vscode"] ["open-at",0,"sub/.github/new","cw"]"#,
    ),
    (
        "special files are not opened and not replaced",
        r#"["open-at",0,"fifo","r"] ["open-at",0,"fifo","rw"] ["open-at",0,"to-fifo","fr"] ["open-at",0,"socket","t"]
           ["rename-at",0,"file",0,"fifo"] ["rename-at",0,"fifo",0,"new"] ["unlink-file-at",0,"socket"]"#,
    ),
    (
        "a second name of an inode outside",
        r#"["open-at",0,"hard","r"] ["open-at",0,"hard","rw"] ["open-at",0,"hard","t"] ["open-at",0,"new","cw"]
           ["write",4,"hostile",0] ["rename-at",0,"new",0,"hard"] ["open-at",0,"hard","rw"] ["write",5,"x",0]"#,
    ),
    (
        "a handle on a directory that was moved away, or removed",
        r#"["open-at",0,"sub","drm"] ["open-at",0,"empty","drm"] ["rename-at",0,"sub",2,"new"] ["open-at",3,"new","cw"]
           ["open-at",3,"file","r"] ["open-at",3,"..","dr"] ["unlink-file-at",3,"file"] ["remove-directory-at",0,"empty"]
           ["open-at",4,"new","cw"] ["create-directory-at",4,"new"] ["readdir",4] ["stat-at",4,".",""] ["open-at",4,"..","dr"]"#,
    ),
    (
        "a directory moved deeper than its handle was opened from",
        r#"["open-at",0,"sub/deeper","drm"] ["rename-at",0,"sub/deeper",0,"deeper"] ["open-at",3,"../file","r"]
           ["open-at",3,"up/file","r"] ["open-at",0,"deeper/up/file","r"] ["stat-at",0,"deeper/up","f"]"#,
    ),
    (
        "names that are not UTF-8 on disk",
        r#"["readdir",0] ["open-at",0,"to-bad","fr"] ["read",3,100,0] ["open-at",0,"to-bad","frw"] ["readlink-at",0,"to-bad"]
           ["readlink-at",0,"bad"] ["stat-at",0,"bad","f"] ["unlink-file-at",0,"to-bad"]"#,
    ),
    (
        "found: a rename that fails had changed the mode",
        r#"["open-at",0,"new","crw"] ["rename-at",0,"new",0,"private/"] ["rename-at",0,"new/",0,"private"]
           ["rename-at",0,"new",0,"sub"]"#,
    ),
    (
        "found: the number of a file that was replaced made another one the guest's own",
        r#"["open-at",0,"new","crw"] ["open-at",0,"other-new","crw"] ["rename-at",0,"other-new",0,"new"] ["drop",3]
           ["create-directory-at",0,"missing"] ["rename-at",0,"missing",0,"file"]"#,
    ),
    (
        "a replacement that comes to its rename, and one that does not",
        r#"["open-at",0,".bailiwick-tmp-1","cxrw"] ["write",3,"hostile",0] ["rename-at",0,".bailiwick-tmp-1",0,"private"]
           ["open-at",0,".bailiwick-tmp-1","cw"] ["rename-at",0,".bailiwick-tmp-1",0,"new"]
           ["open-at",0,".bailiwick-tmp-2","cw"] ["rename-at",0,"file",0,".bailiwick-tmp-1"]
           ["rename-at",0,".bailiwick-tmp-2",0,"empty"]"#,
    ),
    ("set-id bits do not survive being written to", r#"["open-at",0,"set-id","r"] ["open-at",0,"set-id","rw"]"#),
    ("set-id bits do not survive being replaced", r#"["open-at",0,"new","cw"] ["rename-at",0,"new",0,"set-id"]"#),
    (
        "a page that ends within a character",
        r#"["open-at",0,"file","rw"] ["open-at",0,"file","r"] ["write",3,"é",4095] ["read",4,9000,0] ["read",3,9000,0]"#,
    ),
];

#[test]
fn plans_that_once_failed_or_did_elsewhere_hold() {
    let mut failed = Vec::new();
    for (situation, plan) in PLANS {
        let grounds =
            if situation.starts_with("found") { &[Ground::Memory, Ground::Disk][..] } else { &[Ground::Memory] };
        for ground in grounds.iter().copied() {
            if let Err(findings) = check(ground, &Plan::parse(plan)) {
                failed.push(format!("{situation} ({ground:?}):\n{findings}"));
            }
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n\n"));
}
