//! A hand outside: does what a judge asks for and may not do itself, as somebody else who works in the repository.
//!
//! The judge leaves a file `outside` in its scratch folder: the world's HOME, then lines for `sh`. It is gone once they
//! were run, in the working folder.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

/// Works until it is dropped.
pub struct Hand {
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Hand {
    /// For the world that stands in `base`.
    pub fn start(base: &Path) -> Hand {
        let (stop, base) = (Arc::new(AtomicBool::new(false)), base.to_owned());
        let ended = Arc::clone(&stop);
        let thread = std::thread::spawn(move || {
            while !ended.load(Ordering::Relaxed) {
                asked(&base).for_each(|file| obey(&base, &file));
                std::thread::sleep(Duration::from_millis(5));
            }
        });
        Hand { stop, thread: Some(thread) }
    }
}

impl Drop for Hand {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

/// The requests of judges. Requests of other worlds may be in the same folder of the system.
fn asked(base: &Path) -> impl Iterator<Item = PathBuf> {
    let folders = [base.join("tmp"), "/tmp".into()].into_iter().flat_map(std::fs::read_dir);
    let scratches = folders.flatten().flatten().map(|entry| entry.path());
    let ours = |path: &PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("plan-judge-"));
    scratches.filter(ours).map(|scratch| scratch.join("scratch/outside")).filter(|file| file.exists())
}

fn obey(base: &Path, file: &Path) {
    let Ok(text) = std::fs::read_to_string(file) else { return };
    let Some((home, lines)) = text.split_once('\n').filter(|(home, _)| Path::new(home) == base.join("home")) else {
        return;
    };
    let mut shell = Command::new("sh");
    shell.args(["-c", lines]).current_dir(base.join("work")).env("HOME", home).stdin(Stdio::null());
    let done = shell.status();
    let _ = std::fs::remove_file(file);
    assert!(done.is_ok_and(|status| status.success()), "{lines}");
}
