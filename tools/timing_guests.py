"""Guest programs of tools/timing-check around its kernels. An instruction set has a class with the
name of a system and three functions, and a line in GUESTS."""

import re
import struct

TRIPS = 100  # that count; twice as many go before
REACH = 16 * 1024  # bytes of a buffer to either side of its pointer
# Neighbouring buffers are at different places of a page, and so of every cache.
BUFFER = 2 * REACH + 13 * 128


class MipsGuest:
    """An IRIX program: SGI's MIPSABI, exit(2) is call 1000 + 1 in each convention."""

    OS = "irix"
    _STACK_POINTER = 29
    _EMULATION = {"32": "elf32{}tsmip", "n32": "elf32{}tsmipn32", "64": "elf64{}tsmip"}
    _INSTRUCTION = re.compile(r"(?:^|[\n:;])[ \t]*([a-z0-9.]+)[ \t]+([^\n;#]*)")
    _FP_LOAD = re.compile(r"\b(l[wd]x?c1|l\.[sd])\b")

    # Start, end and counts in memory: a kernel may use any register.
    _PROGRAM = """
{directives}
	.text
	.globl	__start
__start:
	.set	push
	.set	reorder
	.set	at
{setup}
	nop
	.set	pop
	.balign	128
# 1 "asm"
{asm}
	.set	reorder
	.set	at
	lw	$2,timing_check.last
	bnez	$2,timing_check.end
	lw	$3,timing_check.measured
	sw	$3,timing_check.trips
	sw	$3,timing_check.last
	b	__start
timing_check.end:
	li	$4,0
	li	$2,1001
	syscall

	.data
	.balign	8
timing_check.numbers:
{numbers}
timing_check.trips:	.word	{warm}
timing_check.measured:	.word	TIMING_CHECK_TRIPS
timing_check.last:	.word	0
	.balign	4096
	.skip	2048
{buffers}
"""

    @classmethod
    def assembly(cls, kernel):
        numbers = (f"\t.word\t0x{high:08x},0x{low:08x}" for high, low in cls._numbers(kernel))
        filling = cls._filling(kernel)
        buffers = (f"\t.fill\t{REACH // 4},4,{filling}\ntiming_check.buffer{i}:\n"
                   f"\t.fill\t{(BUFFER - REACH) // 4},4,{filling}"
                   for i in range(len(kernel.pointers)))
        return cls._PROGRAM.format(
            directives="\n".join(kernel.directives),
            setup="\n".join("\t" + line for line in cls._setup(kernel)),
            asm=kernel.asm,
            numbers="\n".join(numbers),
            warm=2 * TRIPS * kernel.counter_step,
            buffers="\n".join(buffers))

    # Addresses fit into 32 bits in each convention, so that a kernel's lw loads a whole pointer.
    @classmethod
    def assembler_options(cls, kernel):
        return ["-W", "-G0"] + (["-msym32"] if "-64" in kernel.flags else [])

    @classmethod
    def link_options(cls, kernel):
        order = "l" if "-EL" in kernel.flags else "b"
        convention = next((flag[1:] for flag in kernel.flags if flag[1:] in cls._EMULATION), "32")
        return [f"-E{order.upper()}", "-m", cls._EMULATION[convention].format(order),
                "-e", "__start", "-Ttext-segment=0x10000000"]

    @classmethod
    def _setup(cls, kernel):
        yield "li $2,3"
        yield from ("mtlo $2", "mthi $2")
        for i, (register, kind) in enumerate(cls._formats(kernel).items()):
            yield f"l.{kind} {register},timing_check.numbers+{8 * i}"
        yield from (f"li ${i},3" for i in range(1, 32) if i != cls._STACK_POINTER)
        load_address = "dla" if "-64" in kernel.flags else "la"
        store = "sd" if re.search(r"\bld\b", kernel.asm) else "sw"
        for i, pointer in enumerate(kernel.pointers):
            yield f"{load_address} {pointer},timing_check.buffer{i}"
            if kernel.self_pointing:
                yield f"{store} {pointer},0({pointer})"
        yield f"lw {kernel.counter},timing_check.trips"

    @classmethod
    def _formats(cls, kernel):
        """Of each floating-point register that the kernel names: "s" or "d"."""
        formats = {}
        for mnemonic, operands in cls._INSTRUCTION.findall(kernel.asm):
            # As in cvt.d.s and c.lt.s: the result's format, the operands' format.
            kinds = [kind for kind in mnemonic.split(".")[1:] if kind in ("s", "d")]
            for i, register in enumerate(re.findall(r"\$f[0-9]+\b", operands)):
                even = int(register[2:]) % 2 == 0
                kind = kinds[0 if i == 0 else -1] if kinds else "d" if even else "s"
                formats.setdefault(register, kind)
        return formats

    @classmethod
    def _numbers(cls, kernel):
        """Two words for each register of _formats(), in the order that l.d and l.s expect."""
        for register, kind in cls._formats(kernel).items():
            number = 1 + (int(register[2:]) + 1) / 4096
            bits = struct.pack(">f4x" if kind == "s" else ">d", number)
            words = struct.unpack(">2I", bits)
            yield reversed(words) if kind == "d" and "-EL" in kernel.flags else words

    @classmethod
    def _filling(cls, kernel):
        """A word that makes numbers near 1.0 or, where no kernel loads such, 3."""
        if not cls._FP_LOAD.search(kernel.asm):
            return "3"
        return "0x3ff00800" if "d" in cls._formats(kernel).values() else "0x3f800800"


class PaRiscGuest:
    """A Linux program: exit(2) is call 1, by the gateway page in space register 2."""

    OS = "linux"
    _STACK_POINTER = 30
    # As a double 1.001953, as a single 1.875244 on the left and 1.000244 on the right.
    _NUMBER = (0x3FF00800, 0x3F800800)

    _PROGRAM = """
{directives}
	.text
	.globl	__start
__start:
{setup}
	nop
	.balignl	128,0x08000240
# 1 "asm"
{asm}
	ldil	L%timing_check.last,%r1
	ldw	R%timing_check.last(%r1),%r1
	comib,<>	0,%r1,timing_check.end
	nop
	ldil	L%timing_check.measured,%r1
	ldw	R%timing_check.measured(%r1),%r2
	ldil	L%timing_check.trips,%r1
	stw	%r2,R%timing_check.trips(%r1)
	ldil	L%timing_check.last,%r1
	stw	%r2,R%timing_check.last(%r1)
	b	__start
	nop
timing_check.end:
	ldi	0,%r26
	ble	0x100(%sr2,%r0)
	ldi	1,%r20

	.data
	.align	8
timing_check.number:	.word	{number[0]},{number[1]}
timing_check.trips:	.word	{warm}
timing_check.measured:	.word	TIMING_CHECK_TRIPS
timing_check.last:	.word	0
	.align	4096
	.skip	2048
{buffers}
"""

    @classmethod
    def assembly(cls, kernel):
        filling = cls._filling(kernel)
        names = [f"timing_check.buffer{i}" for i in range(len(kernel.pointers))]
        buffers = (f"\t.fill\t{REACH // 4},4,{filling}\n{name}:\n"
                   f"\t.fill\t{(BUFFER - REACH) // 4},4,{filling}"
                   for name in names + ["timing_check.stack"])
        return cls._PROGRAM.format(
            directives="\n".join("\t" + each for each in kernel.directives),
            setup="\n".join("\t" + line for line in cls._setup(kernel)),
            asm=kernel.asm,
            number=cls._NUMBER,
            warm=2 * TRIPS * kernel.counter_step,
            buffers="\n".join(buffers))

    @classmethod
    def assembler_options(cls, kernel):
        return []

    @classmethod
    def link_options(cls, kernel):
        return ["-e", "__start"]

    @classmethod
    def _setup(cls, kernel):
        yield from cls._address("%r1", "timing_check.number")
        yield from (f"fldds 0(%r1),%fr{i}" for i in range(4, 32))
        yield from (f"ldi 3,%r{i}" for i in range(1, 32) if i != cls._STACK_POINTER)
        yield "mtsar %r1"
        yield from cls._address(f"%r{cls._STACK_POINTER}", "timing_check.stack")
        for i, pointer in enumerate(kernel.pointers):
            yield from cls._address(pointer, f"timing_check.buffer{i}")
            if kernel.self_pointing:
                yield f"stw {pointer},0({pointer})"
        yield f"ldil L%timing_check.trips,{kernel.counter}"
        yield f"ldw R%timing_check.trips({kernel.counter}),{kernel.counter}"

    @staticmethod
    def _address(register, name):
        yield f"ldil L%{name},{register}"
        yield f"ldo R%{name}({register}),{register}"

    @classmethod
    def _filling(cls, kernel):
        if re.search(r"\bfldd", kernel.asm):
            return hex(cls._NUMBER[0])
        return hex(cls._NUMBER[1]) if re.search(r"\bfldw", kernel.asm) else "3"


GUESTS = {"mips": MipsGuest, "hppa": PaRiscGuest}  # by what the assembler's name begins with


def guest_of(kernel):
    """A class, or None where none is for the assembler."""
    return next((guest for prefix, guest in GUESTS.items() if kernel.assembler.startswith(prefix)),
                None)
