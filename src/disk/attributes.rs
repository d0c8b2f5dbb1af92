//! Extended attributes of a file, access control lists among them. A file that replaces another gets the attributes of the old one
//! and no others.

#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
pub(super) use named::Attributes;
#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
pub(super) use none::Attributes;

#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
mod named {
    use std::ffi::{CStr, CString};
    use std::fs::File;

    use rustix::fs::XattrFlags;

    /// Signatures of the content that stood there before.
    const OF_CONTENT: [&CStr; 2] = [c"security.ima", c"security.evm"];
    /// Bytes of a value, or of all names, at most: what Linux allows.
    const LARGEST: usize = 64 << 10;

    /// Names and values.
    #[derive(Clone, Debug, Default)]
    pub(in crate::disk) struct Attributes(Vec<(CString, Vec<u8>)>);

    impl Attributes {
        /// Those of a file; none where its file system has none.
        pub(in crate::disk) fn of(file: &File) -> Self {
            let value = |name: CString| {
                let mut value = vec![0; LARGEST];
                let length = rustix::fs::fgetxattr(file, &*name, &mut value[..]).ok()?;
                value.truncate(length);
                Some((name, value))
            };
            Attributes(names(file).into_iter().filter_map(value).collect())
        }

        /// Gives a new file these, and takes from it what its folder gave it. What the system does not let us set (labels
        /// of a security module, mostly) it sets by rules of its own.
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

    /// The names of a file's attributes, but for those that are of its content.
    fn names(file: &File) -> Vec<CString> {
        // Most files have none: no room is made before that is known.
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

    /// Nothing: no file of this system has any that we can name.
    #[derive(Clone, Debug, Default)]
    pub(in crate::disk) struct Attributes;

    impl Attributes {
        /// None.
        pub(in crate::disk) fn of(_: &File) -> Self {
            Attributes
        }

        /// Nothing to do.
        pub(in crate::disk) fn put_on(&self, _: &File) {}
    }
}
