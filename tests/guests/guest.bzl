"""guest_program: a program for the simulated processors, built with Debian's MIPS cross compilers."""

_COMPILERS = {
    "big": "/usr/bin/mips-linux-gnu-gcc",
    "little": "/usr/bin/mipsel-linux-gnu-gcc",
}

# Non-shared o32 code as IRIX's own compilers make it: no position independence, no small data, $f registers
# of 32 bits. Nothing of Linux and nothing of libgcc (which Debian has for newer processors only) is linked.
_CODE = [
    "-mabi=32",
    "-mno-abicalls",
    "-fno-pic",
    "-mfp32",
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

_RUNTIME_SOURCES = "//tests/guests/runtime:sources"
_RUNTIME_HEADERS = "//tests/guests/runtime:headers"
_SCRIPT = "//tests/guests:irix.ld"

def guest_program(
        name,
        srcs,
        hdrs = [],
        march = "mips1",
        endian = "big",
        linux = False,
        runtime = True,
        copts = [],
        linkopts = [],
        **kwargs):
    """A static o32 executable for MIPS, laid out as IRIX does (irix.ld); the file is named `name`.

    Args:
      name: the executable's file name.
      srcs: C and assembler sources (.c, .S).
      hdrs: files that they include.
      march: the instruction set: mips1 (R3000), mips2 (R6000) and later ones.
      endian: "big" (IRIX) or "little".
      linux: compile for Linux's system calls (GUEST_LINUX), so that qemu-mips can run the same program.
      runtime: link the start code and the small library of //tests/guests/runtime.
      copts: further compiler options; they come last and win.
      linkopts: further options at the end of the command.
      **kwargs: further attributes of genrule.
    """
    sources = srcs + ([_RUNTIME_SOURCES] if runtime else [])
    headers = hdrs + ([_RUNTIME_HEADERS] if runtime else [])
    options = _CODE + ["-march=" + march] + _REPRODUCIBLE + ["-Wall", "-Wextra", "-Werror"]
    options += ["-DGUEST_LINUX"] if linux else []
    command = [_COMPILERS[endian]] + options + copts
    command += ["-I.", "-I$(GENDIR)"] + _LINK + ["-Wl,-T,$(execpath %s)" % _SCRIPT, "-o", "$@"]
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
