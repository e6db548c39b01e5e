"""The registry of systems: one entry each. All lists of systems follow from it.

A system is a folder (syscalls/ID: its calls), a file (profil/ID.cc: its profiling rules) and its entry
here. The entry makes it known to --os, to `hardclock systems` and `conform`, to the C program of
`conform --emit-c`, and to //guest/runtime, which has one file for each (systems/NAME.h).
"""

def _system(
        name,
        id = None,
        calls = None,
        namespace = None,
        entry = "{id}_system",
        machines = ["mips"],
        rules = None,
        detect = "",
        constant = None,
        like = "",
        has = ["clock", "mmap"],
        script = "irix.ld"):
    """One system.

    Args:
      name: as --os spells it.
      id: its name in C++ and in the names of files, if `name` cannot be one.
      calls: the folder and target below syscalls/ that has its calls; by default its id. "": a library,
        under which no program runs.
      namespace: of `calls`; by default the folder's name.
      entry: the function of `namespace` that returns the posix::UnixSystem.
      machines: whose programs run under it, as enum class Architecture spells them.
      rules: the file of profil/ that defines its profil::ID_system; by default its id. "": it has no profil(2).
      detect: the C condition by which the program of --emit-c knows it: macros of its compilers, and of headers
        where those say nothing. A macro that is not defined is 0.
      constant: its name in that program; by default the id in capitals.
      like: the system whose arithmetic and features it has in that program; "": program/rules.c has its own.
      has: features that the program may use: "clock" (gettimeofday), "mmap", "sproc".
      script: the linker script of its guests, in //tests/guests; "": they are SOM files for PA-RISC.
    """
    id = id or name
    calls = id if calls == None else calls
    return struct(
        name = name,
        id = id,
        calls = calls,
        namespace = namespace or calls,
        functions = {machine: entry.format(id = id, machine = machine) for machine in machines if calls},
        rules = id if rules == None else rules,
        detect = detect,
        constant = constant or id.upper(),
        like = like,
        has = has,
        script = script,
    )

_BSD44 = "defined(__NetBSD__) || defined(__FreeBSD__) || defined(__OpenBSD__) || defined(__bsdi__) || " + \
         "BSD >= 199306"
_SOLARIS25 = "defined(__sun) && (defined(__SunOS_5_4) || defined(__SunOS_5_5) || defined(__SunOS_5_5_1))"

# From the oldest kernel on, then libraries, then systems without profil(2). In the program of --emit-c the
# first condition that holds counts, and those up to 2.11BSD are the ones without headers for ANSI C.
SYSTEMS = [
    _system("v7", calls = "bsd", detect = "defined(V7)", constant = "V7_UNIX", has = [], script = "pdp11.ld"),
    _system("4.1bsd", "bsd41", calls = "bsd", detect = "BSD == 41", constant = "BSD_4_1", has = []),
    _system("4.2bsd", "bsd42", calls = "bsd", detect = "BSD == 42", constant = "BSD_4_2", has = ["clock"]),
    _system("4.3bsd", "bsd43", calls = "bsd", detect = "BSD == 43", constant = "BSD_4_3", has = ["clock"]),
    _system("2.11bsd", "bsd211", calls = "bsd", detect = "defined(BSD2_11)", constant = "BSD_2_11",
            has = ["clock"], script = "pdp11.ld"),
    _system("4.4bsd", "bsd44", calls = "bsd", detect = _BSD44, constant = "BSD_4_4"),
    _system("irix", detect = "defined(__sgi)", has = ["clock", "mmap", "sproc"]),
    _system("solaris2.5", "solaris25", calls = "solaris", rules = "solaris", detect = _SOLARIS25, constant = "SOLARIS_2_5"),
    _system("solaris", detect = "defined(__sun)"),
    _system("aix", detect = "defined(_AIX)", has = ["mmap"]),
    _system("hpux", machines = ["pa_risc", "ia64"], detect = "defined(__hpux)", constant = "HP_UX", script = ""),
    _system("glibc", calls = "", detect = "defined(__gnu_linux__)"),
    _system("linux", namespace = "gnu_linux", entry = "{machine}_system", machines = ["mips", "pa_risc", "ia64"], rules = ""),
]

# With rules of profil(2): kernels and libraries.
PROFILED = [system for system in SYSTEMS if system.rules]

# Those under which programs of //tests/guests run.
GUESTS = [system for system in PROFILED if system.functions]
