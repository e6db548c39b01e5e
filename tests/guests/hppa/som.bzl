"""SOM programs for HP-UX on PA-RISC, built with Debian's cross compiler for hppa and tools/elf2som."""

HPPA_COMPILER = "/usr/bin/hppa-linux-gnu-gcc"

# Nothing of Linux is linked. The same bytes wherever and however often it is built.
HPPA_CODE = [
    "-fno-pic",
    "-O2",
    "-ffreestanding",
    "-fno-stack-protector",
    "-fno-asynchronous-unwind-tables",
    "-Wall",
    "-Wextra",
    "-Werror",
    "-g0",
    "-fno-ident",
    "-ffile-prefix-map=$$PWD=.",
]

_LINK = [
    "-static",
    "-nostdlib",
    "-nostartfiles",
    "-Wl,--build-id=none",
    "-Wl,--fatal-warnings",
    "-Wl,-z,max-page-size=4096",
]

_ELF2SOM = "//tools:elf2som"
_ELF2SOM_PARTS = [_ELF2SOM, "//tools:som_dynamic.py"]

def som_program(
        name,
        srcs,
        hdrs = [],
        magic = "share",
        march = "1.1",
        system_id = None,
        trap_null = False,
        copts = [],
        linkopts = [],
        **kwargs):
    """A static SOM executable named `name`, and the ELF program that it is made of, `name`.elf.

    Args:
      name: the executable's file name.
      srcs: C and assembler sources (.c, .S); one defines $START$.
      hdrs: files that they include.
      magic: "share", "exec", "demand" or "shmem".
      march: the instruction set: "1.0", "1.1" or "2.0".
      system_id: "1.0", "1.1", "1.2" or "2.0"; default: march, which GNU ld does not hand on.
      trap_null: a null pointer may not be read (ld -z).
      copts: further compiler options; they come last and win.
      linkopts: further options at the end of the link command, such as -lgcc for millicode.
      **kwargs: further attributes of genrule.
    """
    compile = [HPPA_COMPILER] + HPPA_CODE + ["-march=" + march] + copts + ["-I.", "-I$(GENDIR)"]
    compile += _LINK + ["-Wl,-T,$$script", "-o", "$@"]
    compile += ["$(execpaths %s)" % source for source in srcs] + linkopts
    native.genrule(
        name = name + "_elf",
        srcs = srcs + hdrs,
        outs = [name + ".elf"],
        cmd = """
            script=$$(mktemp)
            $(execpath %s) --linker-script --magic %s > $$script || exit 1
            %s || exit 1
            rm $$script
        """ % (_ELF2SOM, magic, " ".join(compile)),
        exec_tools = _ELF2SOM_PARTS,
        message = "Building guest",
        **kwargs
    )
    convert = ["$(execpath %s)" % _ELF2SOM, "--magic", magic]
    convert += ["--system-id", system_id or march]
    convert += ["-z"] if trap_null else []

    # The rule has a name of its own, because `name` is the file's.
    native.genrule(
        name = name + "_program",
        srcs = [name + ".elf"],
        outs = [name],
        cmd = " ".join(convert + ["$<", "$@"]),
        executable = True,
        exec_tools = _ELF2SOM_PARTS,
        message = "Making SOM",
        **kwargs
    )

_RUNTIME = "guest/hpux/include"
_RUNTIME_HEADERS = "//guest/hpux:headers"
_SHARED = [
    "-shared",
    "-nostdlib",
    "-Wl,--build-id=none",
    "-Wl,--fatal-warnings",
    "-Wl,-z,max-page-size=4096",
]

def som_shared(name, srcs, magic = "share", options = [], copts = [], info = "0x1000"):
    """A SOM program that uses shared libraries, or with magic "shl" such a library, named `name`.

    Args:
      name: the file's name.
      srcs: C and assembler sources (.c, .S) and their headers (.h); a program's define $START$.
      magic: "share" or "shl".
      options: of tools/elf2som, such as ["--library", "/usr/lib/libc.1"].
      copts: further compiler options; they come last and win.
      info: the bytes to leave for the dynamic loader's data.
    """
    linux = ["-U" + macro for macro in ["__linux__", "__linux", "linux", "__gnu_linux__"]]
    compile = [HPPA_COMPILER] + [option for option in HPPA_CODE if option != "-fno-pic"]
    compile += ["-fPIC", "-march=1.1"] + linux + ["-nostdinc", "-I" + _RUNTIME]
    compile += ["-isystem", "$$(%s -print-file-name=include)" % HPPA_COMPILER] + copts + _SHARED
    compile += ["-Wl,-Bsymbolic"] if magic != "shl" else []
    compile += ["-Wl,-T,$$script", "-o", "$$elf"] + ["$(execpaths %s)" % source for source in srcs if not source.endswith(".h")] + ["-lgcc"]
    shape = "--magic %s --shlib-info %s" % (magic, info)
    native.genrule(
        name = name + "_program",
        srcs = srcs + [_RUNTIME_HEADERS],
        outs = [name],
        cmd = """
            script=$$(mktemp) elf=$$(mktemp)
            $(execpath {tool}) --linker-script {shape} > $$script || exit 1
            {compile} || exit 1
            $(execpath {tool}) {shape} --system-id 1.1 {options} $$elf $@ || exit 1
            rm $$script $$elf
        """.format(tool = _ELF2SOM, shape = shape, compile = " ".join(compile), options = " ".join(options)),
        executable = True,
        exec_tools = _ELF2SOM_PARTS,
        message = "Making SOM",
    )
