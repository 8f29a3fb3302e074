//! Records the system calls of another process, makes them fail, or kills the process at them.

use std::fs;
use std::path::Path;

use crate::LabError;

/// The system calls that touch files; those with `?` are not on every architecture.
pub(crate) const FILE_CALLS: &str = "openat,?open,?creat,read,pread64,write,pwrite64,writev,fsync,\
     fdatasync,sync_file_range,?rename,?renameat,renameat2,?link,linkat,?symlink,?mkdir,mkdirat,\
     ?unlink,unlinkat,?rmdir,close,truncate,ftruncate,fallocate,flock,lseek,statx,?newfstatat,fstat,\
     statfs,fstatfs,getdents64";

/// A system call that returned, or at which the process was killed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Call {
    /// The thread that made it.
    pub(crate) thread: u32,
    /// Its name, such as `openat`.
    pub(crate) name: String,
    /// Its arguments and its result, as strace shows them.
    text: String,
    /// Whether strace answered it instead of the system.
    pub(crate) is_injected: bool,
}

impl Call {
    pub(crate) fn succeeded(&self) -> bool {
        let result = self.text.rsplit_once(" = ").map_or("", |(_, result)| result);
        result.starts_with(|first: char| first.is_ascii_digit())
    }

    /// The absolute paths among its arguments.
    pub(crate) fn paths(&self) -> Vec<&str> {
        self.text.split('"').skip(1).step_by(2).filter(|path| path.starts_with('/')).collect()
    }

    /// The path of the descriptor that is its first argument.
    pub(crate) fn descriptor_path(&self) -> Option<&str> {
        let first = self.text.split(", ").next()?;
        let path = first.split_once('<')?.1.split_once('>')?.0;
        path.starts_with('/').then_some(path)
    }

    pub(crate) fn writes_to_standard_output(&self) -> bool {
        self.name == "write" && self.text.starts_with("1<")
    }

    /// Whether a flag such as `O_CREAT` is among its arguments.
    pub(crate) fn has_flag(&self, flag: &str) -> bool {
        self.text
            .split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_')
            .any(|word| word == flag)
    }

    /// The kind of file that the call is about: the path below `data` with every number as `#` and
    /// either kind of record as `*`, so that generations, processes and indexes look alike.
    pub(crate) fn path_kind(&self, data: &Path) -> String {
        let paths = self.paths();
        let Some(path) = paths.first().copied().or_else(|| self.descriptor_path()) else {
            return "no file".to_owned();
        };
        let Ok(below) = Path::new(path).strip_prefix(data) else {
            return if path.ends_with(".csv") { "source" } else { "elsewhere" }.to_owned();
        };
        let below = below.to_string_lossy().replace("release/", "*/").replace("emission/", "*/");
        let mut kind = String::new();
        for letter in below.chars() {
            match letter.is_ascii_digit() {
                true if kind.ends_with('#') => {}
                true => kind.push('#'),
                false => kind.push(letter),
            }
        }
        kind
    }
}

/// The words to put before a command, so that strace records its calls of these names.
pub(crate) fn strace(calls: &str, log: &Path, injections: &[String]) -> Vec<String> {
    let words = ["strace", "-f", "-y", "-s", "0", "-e", "signal=none"];
    let mut words: Vec<String> = words.map(str::to_owned).to_vec();
    words.extend(["-e".to_owned(), format!("trace={calls}")]);
    words.extend(["-o".to_owned(), log.display().to_string()]);
    words.extend(
        injections.iter().flat_map(|injection| ["-e".to_owned(), format!("inject={injection}")]),
    );
    words
}

/// Reads the calls that strace recorded, in the order in which they ended.
pub(crate) fn read_log(log: &Path) -> Result<Vec<Call>, LabError> {
    let text = fs::read(log).map_err(LabError::io("read what strace wrote down"))?;
    let text = String::from_utf8_lossy(&text);
    let mut unfinished: Vec<(u32, String)> = Vec::new();
    let mut calls = Vec::new();
    for line in text.lines() {
        let Some((thread, rest)) = line.split_once(' ') else { continue };
        let (Ok(thread), rest) = (thread.parse(), rest.trim_start()) else { continue };
        if let Some((begun, _)) = rest.split_once(" <unfinished ...>") {
            unfinished.push((thread, begun.to_owned()));
            continue;
        }
        let begun = unfinished.iter().position(|(other, _)| *other == thread);
        let whole = match (begun, rest.split_once(" resumed>")) {
            (Some(at), Some((_, end))) => unfinished.swap_remove(at).1 + end,
            _ => rest.to_owned(),
        };
        calls.extend(parse(thread, &whole));
    }
    // These calls never returned, because the process was killed.
    calls.extend(unfinished.iter().filter_map(|(thread, begun)| parse(*thread, begun)));
    Ok(calls)
}

fn parse(thread: u32, line: &str) -> Option<Call> {
    let (name, text) = line.split_once('(')?;
    let is_name =
        name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_');
    let is_injected = text.ends_with("(INJECTED)");
    (is_name && !name.is_empty()).then(|| Call {
        thread,
        name: name.to_owned(),
        text: text.to_owned(),
        is_injected,
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

    use super::*;

    #[test]
    fn lines_of_strace_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let log = folder.path().join("log");
        let lines = [
            r#"7 openat(AT_FDCWD</tmp>, "/d/.build-12/a", O_WRONLY|O_CREAT, 0666) = 4</d/.build-12/a>"#,
            r#"7 write(4</d/.build-12/a>, ""..., 9 <unfinished ...>"#,
            r#"8 fsync(5</d/gen-000001>)     = 0 (INJECTED)"#,
            r#"7 <... write resumed>)        = 9"#,
            r#"7 rename("/d/CURRENT.new", "/d/CURRENT") = -1 EIO (Input/output error) (INJECTED)"#,
            r#"7 +++ exited with 0 +++"#,
            r#"8 close(5</etc/x> <unfinished ...>"#,
        ];
        fs::write(&log, lines.join("\n")).unwrap();
        let calls = read_log(&log).unwrap();
        let seen: Vec<_> = calls
            .iter()
            .map(|call| {
                let kind = call.path_kind(Path::new("/d"));
                (call.thread, call.name.as_str(), kind, call.succeeded(), call.is_injected)
            })
            .collect();
        let expected = [
            (7, "openat", ".build-#/a", true, false),
            (8, "fsync", "gen-#", true, true),
            (7, "write", ".build-#/a", true, false),
            (7, "rename", "CURRENT.new", false, true),
            (8, "close", "elsewhere", false, false),
        ];
        assert_eq!(seen, expected.map(|call| (call.0, call.1, call.2.to_owned(), call.3, call.4)));
        assert!(calls[0].has_flag("O_CREAT") && !calls[0].has_flag("O_RDONLY"));
        assert_eq!(calls[3].paths(), ["/d/CURRENT.new", "/d/CURRENT"]);
        assert_eq!(calls[2].descriptor_path(), Some("/d/.build-12/a"));
    }
}
