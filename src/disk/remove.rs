//! Removes a file or a folder, write-protected or not.

use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

/// Removes a file, a link, or a folder with its content. Folders that a run made inaccessible are opened up first: they are ours.
///
/// # Errors
/// Something cannot be removed. A missing file is not an error.
pub fn remove(path: &Path) -> io::Result<()> {
    let is_folder = path.symlink_metadata().is_ok_and(|meta| meta.is_dir());
    let once = || if is_folder { fs::remove_dir_all(path) } else { fs::remove_file(path) };
    match once() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(_) => {
            path.parent().map(open_up).transpose()?;
            if is_folder {
                open_all(path)?;
            }
            match once() {
                Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
                done => done,
            }
        }
        done => done,
    }
}

fn open_all(folder: &Path) -> io::Result<()> {
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        open_up(&folder)?;
        for entry in fs::read_dir(&folder)? {
            let entry = entry?;
            if entry.file_type()?.is_dir() {
                folders.push(entry.path());
            }
        }
    }
    Ok(())
}

/// Gives the owner of a folder full access to it.
///
/// # Errors
/// The folder is missing, or belongs to another user.
fn open_up(folder: &Path) -> io::Result<()> {
    let mode = folder.symlink_metadata()?.permissions().mode();
    match mode & 0o700 {
        0o700 => Ok(()),
        _ => fs::set_permissions(folder, fs::Permissions::from_mode(mode | 0o700)),
    }
}
