//! Extended attributes of a file, including access control lists. A file that replaces another one gets exactly the attributes of
//! the old file.

#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
pub(super) use named::Attributes;
#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
pub(super) use none::Attributes;

#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
mod named {
    use std::ffi::{CStr, CString};
    use std::fs::File;

    use rustix::fs::XattrFlags;

    /// Attributes that sign the old content.
    const OF_CONTENT: [&CStr; 2] = [c"security.ima", c"security.evm"];
    /// The maximum number of bytes of one value, and of the list of all names: the limit of Linux.
    const LARGEST: usize = 64 << 10;

    /// Names and values of attributes.
    #[derive(Clone, Debug, Default)]
    pub(in crate::disk) struct Attributes(Vec<(CString, Vec<u8>)>);

    impl Attributes {
        /// Reads the attributes of a file. The result is empty if the file system has none.
        pub(in crate::disk) fn of(file: &File) -> Self {
            let value = |name: CString| {
                let mut value = vec![0; LARGEST];
                let length = rustix::fs::fgetxattr(file, &*name, &mut value[..]).ok()?;
                value.truncate(length);
                Some((name, value))
            };
            Attributes(names(file).into_iter().filter_map(value).collect())
        }

        /// Sets these attributes on a new file, and removes the others, which it got from its folder. Errors are ignored: attributes that
        /// we may not set (mostly labels of a security module) are set by the system's own rules.
        pub(in crate::disk) fn put_on(&self, file: &File) {
            for name in names(file) {
                if self.0.iter().all(|(own, _)| *own != name) {
                    let _ = rustix::fs::fremovexattr(file, &*name);
                }
            }
            for (name, value) in &self.0 {
                let _ = rustix::fs::fsetxattr(file, &**name, value, XattrFlags::empty());
            }
        }
    }

    /// The names of a file's attributes, without those that sign its content.
    fn names(file: &File) -> Vec<CString> {
        // Most files have no attributes: the buffer is allocated only if there are some.
        if !rustix::fs::flistxattr_query(file).is_ok_and(|length| length > 0) {
            return Vec::new();
        }
        let mut list = vec![0; LARGEST];
        let length = rustix::fs::flistxattr(file, &mut list[..]).unwrap_or_default();
        let names = list.get(..length).unwrap_or_default().split_inclusive(|byte| *byte == 0);
        let names = names.filter_map(|name| CStr::from_bytes_with_nul(name).ok());
        names.filter(|name| !OF_CONTENT.contains(name)).map(CStr::to_owned).collect()
    }
}

#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
mod none {
    use std::fs::File;

    /// Always empty: we cannot read attributes on this system.
    #[derive(Clone, Debug, Default)]
    pub(in crate::disk) struct Attributes;

    impl Attributes {
        /// Returns the empty value.
        pub(in crate::disk) fn of(_: &File) -> Self {
            Attributes
        }

        /// Does nothing.
        pub(in crate::disk) fn put_on(&self, _: &File) {}
    }
}
