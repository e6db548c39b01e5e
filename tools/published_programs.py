"""Programs of tools/published-check around routines of other projects, in assembler: the user
has unpacked their sources; tests/timing/published has a driver for all of them."""

import os
import re
import shutil
import subprocess
import tempfile
from typing import NamedTuple

SECONDS_LIMIT = 120  # for a tool
REPEAT = 16  # calls of a routine
COMPLAINT = re.compile(r"\berror: (?!ld returned)|undefined reference|Error:|truncated")


class NotBuilt(Exception):
    """A tool's complaint."""


class Target(NamedTuple):
    """How a set of tools makes a program that hardclock runs."""

    os: str
    compile: list
    link: list


TARGETS = {
    "mips": Target("irix", ["-mabicalls", "-fPIC", "-G0"],
                   ["-Wl,-Ttext-segment=0x10000000"]),
    "hppa": Target("linux", ["-fno-pic"], ["-lgcc"]),
    # GMP's sec_tabselect writes to r6 and ar.lc, which belong to its caller.
    "ia64": Target("linux", ["-fPIC", "-ffixed-r6", "-fno-branch-count-reg"], ["-lgcc"]),
}

# What GMP's configure writes for GNU as, with what its files ask for.
CONFIG_M4 = """\
changequote(<,>)
ifdef(<__CONFIG_M4_INCLUDED__>,,<
define(<CONFIG_TOP_SRCDIR>,<`{root}'>)
define(<WANT_ASSERT>,0)
define(<WANT_PROFILING>,<`no'>)
define(<M4WRAP_SPURIOUS>,<no>)
define(<TEXT>,<.text>)
define(<DATA>,<.data>)
define(<RODATA>,<.section .rodata>)
define(<LABEL_SUFFIX>,<:>)
define(<GLOBL>,<.globl>)
define(<GLOBL_ATTR>,<>)
define(<GSYM_PREFIX>,<>)
define(<LSYM_PREFIX>,<.L>)
define(<TYPE>,<.type $1,@$2>)
define(<SIZE>,<.size $1,$2>)
define(<W32>,<.long>)
define(<ALIGN_LOGARITHMIC>,<no>)
define(<IA64_ALIGN_OK>,<`yes'>)
define(<SIZEOF_UNSIGNED>,<4>)
define(<GMP_LIMB_BITS>,{limb_bits})
define(<GMP_NAIL_BITS>,0)
define(<GMP_NUMB_BITS>,{limb_bits})
define(<GMP_LIMB_BYTES>,{limb_bytes})
>)
changequote(`,')
ifdef(`__CONFIG_M4_INCLUDED__',,`
include(CONFIG_TOP_SRCDIR`/mpn/asm-defs.m4')
include_mpn(`{definitions}')
')
define(`__CONFIG_M4_INCLUDED__')
"""


def target_of(compiler):
    """None for a compiler of another instruction set."""
    return next((target for name, target in TARGETS.items() if compiler.startswith(name)), None)


def output_of(command, folder):
    try:
        done = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True,
                              timeout=SECONDS_LIMIT, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise NotBuilt(str(error)) from None
    if done.returncode != 0:
        told = done.stderr.decode(errors="replace").splitlines()
        told = next((line for line in told if COMPLAINT.search(line)), "".join(told[:1]))
        raise NotBuilt(f"{os.path.basename(command[0])}: {told or 'no message'}")
    return done.stdout


class Builder:
    """Makes the programs of a set's rows. `here` has the driver, `root` the project's sources."""

    def __init__(self, here, root, build):
        self._here, self._root, self._build = here, os.path.abspath(root), build
        self._target = target_of(build["compiler"])

    @staticmethod
    def calls(row):
        """How often a program calls its routine."""
        return row.get("repeat", REPEAT)

    def program(self, row, count, path):
        """Writes the program of a row for calls of `count` elements."""
        with tempfile.TemporaryDirectory() as folder:
            for name in ("driver.c", "start.S"):
                shutil.copy(os.path.join(self._here, name), folder)
            files = [self._assembler_of(each, folder, row) for each in row["files"]]
            defined = {"LIMB": self._build["limb"], "COUNT": count, "CALL": row["call"],
                       "SETUP": row.get("setup", "(void)0"),
                       "REPEAT": self.calls(row)}
            output_of([self._build["compiler"], *self._build["flags"], *self._target.compile,
                       "-std=gnu89", "-w", "-O2", "-ffreestanding", "-fno-builtin",
                       "-fno-stack-protector", "-fno-tree-loop-distribute-patterns",
                       "-fno-asynchronous-unwind-tables", "-fno-ident", "-static", "-nostdlib",
                       *(f"-I{os.path.join(self._root, each)}" for each in self._includes()),
                       *(f"-D{name}={value}" for name, value in defined.items()),
                       "-Wl,--build-id=none", "-o", path, "start.S", "driver.c", *files,
                       *self._target.link], folder)

    def _includes(self):
        return self._build.get("includes", [])

    def _assembler_of(self, file, folder, row):
        """The name in `folder` of what the file is made into."""
        source = os.path.join(self._root, file["file"])
        stem, suffix = os.path.splitext(os.path.basename(source))
        made = file.get("as", stem + {".asm": ".s", ".pl": ".S"}.get(suffix, suffix))
        if suffix == ".asm":
            text = self._by_m4(source, folder, row)
        elif suffix == ".pl":
            text = self._by_perl(source, file.get("arguments", []), folder, made)
        else:
            with open(source, "rb") as whole:
                text = whole.read()
        if self._build.get("syntax") == "hp":
            text = gnu_syntax(text)
        with open(os.path.join(folder, made), "wb") as written:
            written.write(text)
        return made

    def _by_m4(self, source, folder, row):
        limb_bits = self._build["limb_bits"]
        os.makedirs(os.path.join(folder, "mpn"), exist_ok=True)
        with open(os.path.join(folder, "config.m4"), "w", encoding="utf-8") as config:
            config.write(CONFIG_M4.format(root=self._root, limb_bits=limb_bits,
                                          limb_bytes=limb_bits // 8,
                                          definitions=self._build["definitions"]))
        defined = [*self._build.get("defines", []), *row.get("defines", [])]
        return output_of(["m4", *(f"-D{name}" for name in defined), source],
                         os.path.join(folder, "mpn"))

    @staticmethod
    def _by_perl(source, arguments, folder, made):
        """Some of these scripts write the file that they are given, some to their output."""
        printed = output_of(["perl", source, *arguments, made], folder)
        path = os.path.join(folder, made)
        if not os.path.exists(path):
            return printed
        with open(path, "rb") as written:
            return written.read()


def gnu_syntax(text):
    """Of source for HP's assembler: labels have no colon there, and sections other names."""
    text = re.sub(rb"^([A-Za-z_$][\w$]*)[ \t]*$", rb"\1:", text, flags=re.MULTILINE)
    text = re.sub(rb"^[ \t]+\.SPACE\b.*$", b"\t.text", text, flags=re.MULTILINE)
    return re.sub(rb"^[ \t]+\.SUBSPA\b.*$", b"", text, flags=re.MULTILINE)
