//! Detects whether a run in the export reads the work tree all the same: an editable install, a path in the
//! environment, an absolute path in a script. The result of such a run does not describe the export.

#[cfg(target_os = "linux")]
use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::repo::export::Layout;

/// The maximum number of folders to watch, and of paths to report.
#[cfg(target_os = "linux")]
const MOST: usize = 512;

/// Watches the work tree during a run. This works on Linux only.
#[derive(Debug)]
pub(super) struct AccessWatch {
    #[cfg(target_os = "linux")]
    events: Option<rustix::fd::OwnedFd>,
    #[cfg(target_os = "linux")]
    folders: BTreeMap<i32, PathBuf>,
}

#[cfg(target_os = "linux")]
impl AccessWatch {
    pub(super) fn on<'p>(top: &Path, files: impl Iterator<Item = &'p Path>) -> AccessWatch {
        use rustix::fs::inotify::{CreateFlags, WatchFlags, add_watch, init};
        let events = init(CreateFlags::CLOEXEC | CreateFlags::NONBLOCK).ok();
        let mut folders = BTreeMap::new();
        let wanted: BTreeSet<&Path> = files.filter_map(Path::parent).collect();
        for folder in wanted.into_iter().take(MOST) {
            let Some(events) = &events else { break };
            let flags = WatchFlags::OPEN | WatchFlags::ONLYDIR | WatchFlags::DONT_FOLLOW;
            if let Ok(number) = add_watch(events, top.join(folder), flags) {
                folders.insert(number, folder.to_owned());
            }
        }
        AccessWatch { events, folders }
    }

    /// Returns the paths that were opened since the last call: whole folders, and files of `layout`. Making an export opens many.
    pub(super) fn saw(&self, layout: &Layout) -> BTreeSet<PathBuf> {
        use std::os::unix::ffi::OsStrExt as _;
        let Some(events) = &self.events else { return BTreeSet::new() };
        let mut buffer = [std::mem::MaybeUninit::uninit(); 8192];
        let mut reader = rustix::fs::inotify::Reader::new(events, &mut buffer);
        let mut seen = BTreeSet::new();
        while let Ok(event) = reader.next() {
            let Some(folder) = self.folders.get(&event.wd()) else { continue };
            let name = event.file_name().map(|name| std::ffi::OsStr::from_bytes(name.to_bytes()));
            let path = name.map_or_else(|| folder.clone(), |name| folder.join(name));
            if seen.len() < MOST && (name.is_none() || layout.get(&path).is_some()) {
                seen.insert(path);
            }
        }
        seen
    }
}

#[cfg(not(target_os = "linux"))]
impl AccessWatch {
    pub(super) fn on<'p>(_top: &Path, _files: impl Iterator<Item = &'p Path>) -> AccessWatch {
        AccessWatch {}
    }

    pub(super) fn saw(&self, _layout: &Layout) -> BTreeSet<PathBuf> {
        BTreeSet::new()
    }
}
