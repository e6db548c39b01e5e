"""Programs for the simulated processors, built with Debian's cross compilers.

guest makes a program for any of the systems on a C library with the usual headers, guest_program one for IRIX on the
older runtime of guest.h, linux_guest one for Linux on the cross compiler's own library.
"""

load("//syscalls:systems.bzl", "GUESTS")
load("//tests/guests/hppa:som.bzl", "HPPA_CODE", "HPPA_COMPILER", "som_program")

_COMPILERS = {
    "big": "/usr/bin/mips-linux-gnu-gcc",
    "little": "/usr/bin/mipsel-linux-gnu-gcc",
}

# $f registers have 32 bits in o32. Addresses of IRIX's non-shared programs fit in 32 bits in n64 too.
_ABIS = {
    "o32": ["-mabi=32", "-mfp32"],
    "n32": ["-mabi=n32"],
    "n64": ["-mabi=64", "-msym32"],
}

# Non-shared code as IRIX's own compilers make it: no position independence, no small data. Nothing of Linux
# and nothing of libgcc (which Debian has for newer processors only) is linked.
_CODE = [
    "-mno-abicalls",
    "-fno-pic",
    "-G0",
    "-O2",
    "-ffreestanding",
    "-fno-stack-protector",
    "-fno-asynchronous-unwind-tables",
]

_LINK = [
    "-static",
    "-nostdlib",
    "-nostartfiles",
    "-Wl,--build-id=none",
    "-Wl,--fatal-warnings",
    "-Wl,-z,max-page-size=4096",
]

# The same bytes wherever and however often it is built: no paths, no debug information unless asked for.
_REPRODUCIBLE = [
    "-g0",
    "-fno-ident",
    "-ffile-prefix-map=$$PWD=.",
]

_RUNTIME_SOURCES = "//guest/runtime:sources"
_RUNTIME_HEADERS = "//guest/runtime:headers"
_SCRIPT = "//tests/guests:irix.ld"

# n64 programs have PT_MIPS_OPTIONS for PT_MIPS_REGINFO.
_OPTIONS_SCRIPT = "sed 's/reginfo 0x70000000/reginfo 0x70000002/; s/\\.reginfo/.MIPS.options/g' "

def guest_program(
        name,
        srcs,
        hdrs = [],
        march = "mips1",
        abi = "o32",
        endian = "big",
        copts = [],
        linkopts = [],
        **kwargs):
    """A static executable for MIPS, laid out as IRIX does (irix.ld); the file is named `name`.

    Args:
      name: the executable's file name.
      srcs: C and assembler sources (.c, .S).
      hdrs: files that they include.
      march: the instruction set: mips1 (R3000), mips2 (R6000) and later ones.
      abi: "o32", or from mips3 on "n32" or "n64".
      endian: "big" (IRIX) or "little".
      copts: further compiler options; they come last and win.
      linkopts: further options at the end of the command.
      **kwargs: further attributes of genrule.
    """
    sources = srcs + [_RUNTIME_SOURCES]
    headers = hdrs + [_RUNTIME_HEADERS]
    options = _ABIS[abi] + _CODE + ["-march=" + march] + _REPRODUCIBLE + ["-Wall", "-Wextra", "-Werror"]
    script = "$(execpath %s)" % _SCRIPT
    command = [_COMPILERS[endian]] + options + copts
    if abi == "n64":
        command = [_OPTIONS_SCRIPT + script + " > $@.ld;"] + command
        script = "$@.ld"
    command += ["-I.", "-I$(GENDIR)"] + _LINK + ["-Wl,-T," + script, "-o", "$@"]
    command += ["$(execpaths %s)" % source for source in sources] + linkopts

    # The rule has a name of its own, because `name` is the file's.
    native.genrule(
        name = name + "_program",
        srcs = sources + headers + [_SCRIPT],
        outs = [name],
        cmd = " ".join(command),
        executable = True,
        message = "Building guest",
        **kwargs
    )

# By name. What a program finds of its system is in guest/runtime/systems/NAME.h.
SYSTEMS = {system.name: system for system in GUESTS}

# The systems whose programs are SOM files for PA-RISC; all others' are ELF files for MIPS.
PA_RISC_SYSTEMS = [name for name, system in SYSTEMS.items() if "mips" not in system.functions]

_INCLUDE = "guest/runtime/include"
_SYSTEM = "guest/runtime/systems/%s.h"
_LIBRARY_HEADERS = "//guest/runtime:library_headers"

def _system_command(os, endian, march):
    """The compiler with the options that a program of this system is compiled with."""
    if os in PA_RISC_SYSTEMS:
        return [HPPA_COMPILER] + HPPA_CODE + ["-march=" + march] + _system_options(os, HPPA_COMPILER)
    compiler = _COMPILERS[endian]
    options = _ABIS["o32"] + _CODE + ["-march=" + march] + _REPRODUCIBLE + ["-Wall", "-Wextra", "-Werror"]
    return [compiler] + options + _system_options(os, compiler)

def _system_options(os, compiler):
    """What makes the compiler one of this system: its macros and headers, and nothing of Linux."""
    linux = ["-U" + macro for macro in ["__linux__", "__linux", "linux", "__gnu_linux__"]]
    system = ["-D__hardclock_guest__", "-include", _SYSTEM % os]
    return linux + system + ["-nostdinc", "-I" + _INCLUDE, "-isystem", "$$(%s -print-file-name=include)" % compiler]

def guest_library(name, srcs, os, endian = "big"):
    """The C library of //guest/runtime for one system, as an archive named `name`."""
    is_pa_risc = os in PA_RISC_SYSTEMS
    compile = _system_command(os, endian, "1.1" if is_pa_risc else "mips1") + ["-I.", "-c", "-ffunction-sections"]
    archiver = (HPPA_COMPILER if is_pa_risc else _COMPILERS[endian]).replace("gcc", "ar")
    native.genrule(
        name = name + "_archive",
        srcs = srcs + [_LIBRARY_HEADERS],
        outs = [name],
        # Objects are archived from a folder of their own, so that only their names are recorded.
        cmd = """
            objects=$$(mktemp -d)
            for source in %s; do
              case $$source in
                *.[cS]) %s -o $$objects/$$(basename $$source).o $$source || exit 1;;
              esac
            done
            %s rcsD $@ $$objects/*.o
            rm -r $$objects
        """ % (
            " ".join(["$(execpaths %s)" % source for source in srcs]),
            " ".join(compile),
            archiver,
        ),
        message = "Building guest library",
    )

def ecoff_guest(name, endian = "big", **kwargs):
    """A guest for IRIX 4 as an ECOFF file: linked to ecoff.ld, then made by GNU objcopy.

    Args:
      name: the executable's file name.
      endian: "big" or "little".
      **kwargs: what guest takes, but for `os`.
    """
    guest(name = name + ".elf", os = "irix", endian = endian, script = "ecoff.ld", **kwargs)
    native.genrule(
        name = name + "_ecoff",
        srcs = [name + ".elf"],
        outs = [name],
        cmd = "%s -O ecoff-%smips $< $@" % (_COMPILERS[endian].replace("gcc", "objcopy"), endian),
        executable = True,
        message = "Building guest",
    )

def guest(
        name,
        srcs,
        os,
        hdrs = [],
        endian = "big",
        march = "mips1",
        copts = [],
        linkopts = [],
        script = None,
        **kwargs):
    """A static 32-bit executable for one of SYSTEMS or for Linux on MIPS; the file is named `name`.

    Args:
      name: the executable's file name.
      srcs: C and assembler sources (.c, .S).
      os: the system, as --os spells it. "linux" has what programs need that qemu-mips runs, too.
      hdrs: files that they include.
      endian: "big" or "little".
      march: the instruction set: mips1 (R3000), mips2 (R6000) and later ones; PA-RISC programs are for 1.1.
      copts: further compiler options, such as -std=c89; they come last and win.
      linkopts: further options at the end of the command.
      script: the link editor's script, if not the system's; only on MIPS.
      **kwargs: further attributes of genrule.
    """
    library = "//guest/runtime:lib%s%s.a" % (os, "_little" if endian == "little" else "")
    if os in PA_RISC_SYSTEMS:
        som_program(
            name = name,
            srcs = srcs + [library],
            hdrs = hdrs + [_LIBRARY_HEADERS],
            copts = _system_options(os, HPPA_COMPILER) + copts,
            linkopts = ["-Wl,--gc-sections", "-lgcc"] + linkopts,
            **kwargs
        )
        return
    script = "//tests/guests:" + (script or (SYSTEMS[os].script if os in SYSTEMS else "irix.ld"))
    command = _system_command(os, endian, march) + copts
    command += ["-I.", "-I$(GENDIR)"] + _LINK + ["-Wl,--gc-sections", "-Wl,-T,$(execpath %s)" % script, "-o", "$@"]
    command += ["$(execpaths %s)" % source for source in srcs] + ["$(execpath %s)" % library] + linkopts
    native.genrule(
        name = name + "_program",
        srcs = srcs + hdrs + [_LIBRARY_HEADERS, library, script],
        outs = [name],
        cmd = " ".join(command),
        executable = True,
        message = "Building guest",
        **kwargs
    )

def linux_guest(name, srcs, hdrs = [], compiler = "mips-linux-gnu-gcc", copts = [], **kwargs):
    """A static program for Linux on the cross compiler's own C library; the file is named `name`.

    Args:
      name: the executable's file name.
      srcs: C sources.
      hdrs: files that they include.
      compiler: a cross compiler of /usr/bin.
      copts: further compiler options.
      **kwargs: further attributes of genrule.
    """
    options = ["-O2", "-static", "-Wall", "-Wextra", "-Werror"] + _REPRODUCIBLE + copts
    native.genrule(
        name = name + "_program",
        srcs = srcs + hdrs,
        outs = [name],
        cmd = " ".join(["/usr/bin/" + compiler] + options + ["-o", "$@"] +
                       ["$(execpaths %s)" % source for source in srcs]),
        executable = True,
        message = "Building guest",
        **kwargs
    )
