//! Writes the manual pages and the shell completions of a program, made from the definition of its
//! command line, so that they cannot differ from what it does.

use std::fs::{self, File};
use std::io;
use std::path::Path;

use clap::Command;
use clap_complete::Shell;

/// The folder of the manual pages, below the one that is written to.
pub const PAGES: &str = "share/man/man1";

/// The shells, and where each looks for the completions of a program below `/usr` or `/usr/local`.
const COMPLETIONS: [(Shell, &str); 3] = [
    (Shell::Bash, "share/bash-completion/completions/NAME"),
    (Shell::Zsh, "share/zsh/site-functions/_NAME"),
    (Shell::Fish, "share/fish/vendor_completions.d/NAME.fish"),
];

/// Writes a page for the program and for each of its commands, and completions for bash, zsh and
/// fish, into their folders below `prefix`. The pages leave out hidden commands and flags.
///
/// # Errors
/// When the file system fails.
pub fn write(mut command: Command, prefix: &Path) -> io::Result<()> {
    let pages = prefix.join(PAGES);
    fs::create_dir_all(&pages)?;
    clap_mangen::generate_to(command.clone(), &pages)?;
    let name = command.get_name().to_owned();
    for (shell, path) in COMPLETIONS {
        let path = prefix.join(path.replace("NAME", &name));
        path.parent().map_or(Ok(()), fs::create_dir_all)?;
        clap_complete::generate(shell, &mut command, &name, &mut File::create(path)?);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

    use clap::Arg;

    use super::*;

    #[test]
    fn a_program_has_completions_and_pages_without_what_is_hidden() {
        let flag = |name: &'static str| Arg::new(name).long(name).help("what it sets");
        let command = Command::new("some-program")
            .about("does something")
            .arg(flag("colour").env("SOME_COLOUR"))
            .arg(flag("secret-flag").hide(true))
            .subcommand(Command::new("start").about("starts it").arg(flag("port")))
            .subcommand(Command::new("secret-command").hide(true).arg(flag("depth")));
        let folder = tempfile::tempdir().unwrap();
        write(command, folder.path()).unwrap();

        let read = |path: &str| fs::read_to_string(folder.path().join(path)).unwrap();
        let pages = fs::read_dir(folder.path().join(PAGES)).unwrap();
        let mut pages: Vec<_> = pages.map(|page| page.unwrap().file_name()).collect();
        pages.sort();
        assert_eq!(pages, ["some-program-start.1", "some-program.1"]);
        for (path, words) in [
            ("share/man/man1/some-program.1", &["does something", "SOME_COLOUR", "starts it"][..]),
            ("share/man/man1/some-program-start.1", &["starts it", "port"]),
            ("share/bash-completion/completions/some-program", &["--colour", "start"]),
            ("share/zsh/site-functions/_some-program", &["--colour", "start"]),
            ("share/fish/vendor_completions.d/some-program.fish", &["colour", "start"]),
        ] {
            let text = read(path);
            for word in words {
                assert!(text.contains(word), "{path}: {word}: {text}");
            }
            let is_page = path.ends_with(".1");
            assert!(!is_page || !text.contains("secret"), "{path}: {text}");
        }
    }
}
