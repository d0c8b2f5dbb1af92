//! Python modules that a file of the repository may shadow.

/// Installed Python test runners and what they import. A file with such a name next to the tests is imported first.
pub(crate) const OF_RUNNERS: [&str; 7] = ["pytest", "_pytest", "py", "pluggy", "iniconfig", "packaging", "nose2"];

/// Modules of Python's standard library that the runners import.
pub(crate) const LOADED: [&str; 37] = [
    "unittest", "doctest", "argparse", "asyncio", "atexit", "collections", "contextlib", "copy", "difflib", "enum",
    "fnmatch", "functools", "gc", "importlib", "inspect", "io", "itertools", "json", "logging", "os", "pathlib",
    "pprint", "random", "re", "runpy", "shutil", "signal", "subprocess", "sys", "sysconfig", "tempfile", "threading",
    "time", "traceback", "types", "warnings", "weakref",
];

/// More modules of the standard library. Tests use them to check results.
pub(crate) const STANDARD: [&str; 54] = [
    "abc", "array", "ast", "base64", "binascii", "bisect", "builtins", "bz2", "calendar", "cmath", "codecs",
    "concurrent", "configparser", "contextvars", "copyreg", "csv", "ctypes", "dataclasses", "datetime", "decimal",
    "email", "errno", "filecmp", "fractions", "getpass", "glob", "gzip", "hashlib", "heapq", "hmac", "html", "http",
    "ipaddress", "locale", "math", "mimetypes", "multiprocessing", "numbers", "operator", "pickle", "platform",
    "queue", "select", "shlex", "socket", "sqlite3", "ssl", "statistics", "string", "struct", "textwrap", "urllib",
    "uuid", "zlib",
];
