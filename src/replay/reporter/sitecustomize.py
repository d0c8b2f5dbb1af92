"""Reports when an interpreter ends which clocks, assert methods and builtins are not what they were at its start.

It changes nothing: another `sitecustomize` runs as it would without this one. Each line of a report holds the name, the
file of what stands there now, and a module of the export that holds it.
"""


def _watch(reports, export):
    import atexit
    import builtins
    import os
    import sys
    import time

    function, write, close = type(_watch), os.write, os.close
    kind, each, text, instance = type, list, str, isinstance
    attributes, get, has, join, inside = vars, getattr, hasattr, os.path.join, os.getpid
    modules, pid, begun_in, flags = sys.modules, os.getpid(), os.getcwd(), os.O_WRONLY | os.O_CREAT | os.O_TRUNC
    create, environ, bound = os.open, os.environ, type(_watch.__get__(1))
    quiet = {"print", "input", "breakpoint", "exit", "quit", "help", "copyright", "credits", "license"}
    clocks = ("time", "monotonic", "perf_counter", "process_time", "sleep", "localtime", "gmtime", "strftime")
    clocks = clocks + ("time_ns", "monotonic_ns", "perf_counter_ns", "process_time_ns", "ctime", "mktime")
    first = [("time", time, name, get(time, name)) for name in clocks if has(time, name)]
    for name, value in each(attributes(builtins).items()):
        if callable(value) and not name.startswith("_") and name not in quiet:
            first.append(("builtins", builtins, name, value))
    zone = environ.get("TZ")

    def note(end, lines):
        file = create(join(reports, "%d.%s" % (pid, end)), flags, 0o600)
        write(file, ("".join(lines)).encode("utf-8", "surrogateescape"))
        close(file)

    def code_file(value):
        """The file with the code of a function or class, or of the class of an object."""
        for _ in (1, 2, 3, 4, 5):
            if instance(value, bound) or kind(value).__name__ in ("staticmethod", "classmethod"):
                value = value.__func__
            elif kind(value).__name__ == "partial":
                value = value.func
        if instance(value, function):
            file = value.__code__.co_filename
        else:
            owner = value if instance(value, kind) else kind(value)
            file = get(modules.get(owner.__module__), "__file__", None) or ""
        return join(begun_in, file) if file and not file.startswith("<") else ""

    def holder(value):
        """A module of the export that has the object under a name."""
        for module in each(modules.values()):
            file = get(module, "__file__", None)
            if instance(file, text) and file.startswith(export + os.sep):
                for held in each(attributes(module).values()):
                    if held is value:
                        return file
        return ""

    def swapped(found):
        """What is loaded later, and so is told by where its code comes from."""
        module = modules.get("datetime")
        for name in ("datetime", "date") if module else ():
            value = get(module, name, None)
            if value is not None and get(value, "__module__", None) != "datetime":
                found.append(("datetime." + name, value))
        module = modules.get("random")
        for name in ("random", "randint", "randrange", "choice", "choices", "sample", "shuffle") if module else ():
            value = get(module, name, None)
            if get(value, "__self__", None) is not get(module, "_inst", None):
                found.append(("random." + name, value))
        for module, owner in (("unittest.case", "TestCase"), ("unittest.result", "TestResult")):
            owner = get(modules.get(module), owner, None)
            for name, value in each(attributes(owner).items()) if owner else ():
                is_watched = name.startswith(("assert", "add")) or name in ("run", "fail", "wasSuccessful", "_callTestMethod")
                if is_watched:
                    whole = get(value, "__qualname__", owner.__qualname__ + "." + name)
                    is_own = get(value, "__module__", module) == module and "unittest" in code_file(value)
                    is_other = whole.startswith(owner.__qualname__ + ".assert") and not whole.endswith("." + name)
                    if instance(value, function) and (not is_own or is_other) or not has(value, "__get__"):
                        found.append(("unittest." + owner.__name__ + "." + name, value))
        module = modules.get("pytest")
        for name in ("raises", "warns", "approx", "fail", "skip") if module else ():
            value = get(module, name, None)
            if value is not None and not text(get(value, "__module__", "_pytest")).startswith("_pytest"):
                found.append(("pytest." + name, value))

    def end():
        # A fork that ends in this way is not the interpreter that began.
        if inside() != pid:
            return
        found = [(label + "." + name, get(owner, name, None)) for label, owner, name, value in first
                 if get(owner, name, None) is not value]
        swapped(found)
        lines = ["%s\t%s\t%s\n" % (name, code_file(value), holder(value)) for name, value in found]
        if environ.get("TZ") != zone:
            lines.append("TZ\t\t\n")
        note("end", lines)

    note("start", [])
    atexit.register(end)


def _go_on(own):
    import sys

    is_own = [entry for entry in sys.path if entry == own]
    for entry in is_own:
        sys.path.remove(entry)
    sys.path_importer_cache.pop(own, None)
    this = sys.modules.pop("sitecustomize", None)
    try:
        import sitecustomize  # noqa: F401
    except ImportError as error:
        if error.name != "sitecustomize":
            raise
    finally:
        # The import of this file looks for its name.
        if this is not None:
            sys.modules.setdefault("sitecustomize", this)


try:
    _watch("@REPORTS@", "@EXPORT@")
except Exception:
    pass
_go_on("@OWN@")
