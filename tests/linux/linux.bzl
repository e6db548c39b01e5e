"""Static programs for Linux, made with Debian's cross compilers and their C library."""

# By the name of the convention; "el" are the little-endian ones.
ABIS = {
    "o32": "mips-linux-gnu-gcc",
    "o32el": "mipsel-linux-gnu-gcc",
    "n32": "mips64-linux-gnuabi64-gcc -mabi=n32",
    "n32el": "mips64el-linux-gnuabi64-gcc -mabi=n32",
    "n64": "mips64-linux-gnuabi64-gcc",
    "n64el": "mips64el-linux-gnuabi64-gcc",
    "hppa": "hppa-linux-gnu-gcc",
}

def linux_program(name, src, abi, options = ""):
    """One C file as the executable `name` for one of ABIS."""
    native.genrule(
        name = name + "_program",
        srcs = [src],
        outs = [name],
        cmd = "/usr/bin/%s -O1 -g0 -Wall -Werror -static %s -o $@ $(location %s) -lm" % (ABIS[abi], options, src),
        executable = True,
        message = "Building Linux guest",
    )
