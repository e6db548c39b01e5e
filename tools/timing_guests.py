"""Programs of tools/timing-check around its kernels: guests of hardclock, and routines that a C
program calls on a real machine (timing_program.py). An instruction set has a class with the name of
a system and the functions of both, and a line in GUESTS."""

import re
import struct

TRIPS = 100  # that count; twice as many go before
REACH = 16 * 1024  # bytes of a buffer to either side of its pointer
# Neighbouring buffers are at different places of a page, and so of every cache.
BUFFER = 2 * REACH + 13 * 128

# What a routine is passed: a block of words. Its caller knows these places, too.
TRIP_COUNT = 0  # the counter's start
POINTERS = 1  # the first address
MOST_POINTERS = 15
NUMBERS = 16  # two words for each floating-point register, at a multiple of eight bytes
MOST_NUMBERS = 32


class MipsGuest:
    """An IRIX program: SGI's MIPSABI, exit(2) is call 1000 + 1 in each convention."""

    OS = "irix"
    _STACK_POINTER = 29
    _EMULATION = {"32": "elf32{}tsmip", "n32": "elf32{}tsmipn32", "64": "elf64{}tsmip"}
    _INSTRUCTION = re.compile(r"(?:^|[\n:;])[ \t]*([a-z0-9.]+)[ \t]+([^\n;#]*)")
    _FP_LOAD = re.compile(r"\b(l[wd]x?c1|l\.[sd])\b")

    # The loop, aligned, after what it finds in registers.
    _LOOP = """
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
"""
    # Start, end and counts in memory: a kernel may use any register.
    _PROGRAM = _LOOP + """\
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
        filling = cls.filling(kernel)
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
        return [*cls.link_format(kernel), "-e", "__start", "-Ttext-segment=0x10000000"]

    @classmethod
    def link_format(cls, kernel):
        order = "l" if "-EL" in kernel.flags else "b"
        convention = next((flag[1:] for flag in kernel.flags if flag[1:] in cls._EMULATION), "32")
        return [f"-E{order.upper()}", "-m", cls._EMULATION[convention].format(order)]

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

    # A C function: it saves every register that its caller may need, and addresses no memory but
    # the stack and the block that it is passed in $4.
    _ROUTINE = _LOOP + """\
{restore}
	jr	$31
"""
    _FRAME = 256
    _BLOCK = 4
    _SAVED = [*range(16, 24), 28, 30, 31]

    @classmethod
    def routine(cls, kernel):
        saved = list(cls._saved(kernel))
        return cls._ROUTINE.format(
            directives="\n".join(kernel.directives),
            setup="\n".join("\t" + line for line in [
                f"addiu ${cls._STACK_POINTER},-{cls._FRAME}",
                *(f"s{access}" for access in saved), *cls._routine_setup(kernel)]),
            asm=kernel.asm,
            restore="\n".join("\t" + line for line in [
                *(f"l{access}" for access in saved),
                f"addiu ${cls._STACK_POINTER},{cls._FRAME}"]))

    @classmethod
    def _saved(cls, kernel):
        """An access, after its first letter, for each register that belongs to the caller."""
        register = "d" if "-n32" in kernel.flags else "w"
        places = iter(range(24, cls._FRAME, 8))
        for i in cls._SAVED:
            yield f"{register} ${i},{next(places)}(${cls._STACK_POINTER})"
        for i in range(20, 32, 1 if "-n32" in kernel.flags else 2):
            yield f".d $f{i},{next(places)}(${cls._STACK_POINTER})"

    @classmethod
    def _routine_setup(cls, kernel):
        yield "li $2,3"
        yield from ("mtlo $2", "mthi $2")
        for i, (register, kind) in enumerate(cls._formats(kernel).items()):
            yield f"l.{kind} {register},{4 * NUMBERS + 8 * i}(${cls._BLOCK})"
        kept = (cls._STACK_POINTER, cls._BLOCK)
        yield from (f"li ${i},3" for i in range(1, 32) if i not in kept)
        given = {pointer: POINTERS + i for i, pointer in enumerate(kernel.pointers)}
        given[kernel.counter] = TRIP_COUNT
        last = given.pop(f"${cls._BLOCK}", None)
        yield from (f"lw {register},{4 * place}(${cls._BLOCK})"
                    for register, place in given.items())
        yield (f"li ${cls._BLOCK},3" if last is None else
               f"lw ${cls._BLOCK},{4 * last}(${cls._BLOCK})")

    @classmethod
    def routine_numbers(cls, kernel):
        """The words of the block from NUMBERS on, as the machine has them in memory."""
        return [word for pair in cls._numbers(kernel) for word in pair]

    @classmethod
    def routine_convention(cls, kernel):
        """Of a program that can call the routine; None: it has addresses of 64 bits."""
        if "-64" in kernel.flags:
            return None
        order = "little" if "-EL" in kernel.flags else "big"
        return f"MIPS, {'n32' if '-n32' in kernel.flags else 'o32'}, {order}-endian"

    @staticmethod
    def words_of(kernel, code):
        order = "<" if "-EL" in kernel.flags else ">"
        return struct.unpack(f"{order}{len(code) // 4}I", code)

    # For SGI's assembler, too: it has no words in a text, and .align takes a power of two.
    SOURCE_BEGIN = "\t.set\tnoreorder\n\t.set\tnoat\n\t.text\n"
    _SOURCE = "\t.align\t7\n\t.globl\t{name}\n\t.ent\t{name}\n{name}:\n{lines}\t.end\t{name}\n"
    NAME_IS_ADDRESS = True  # of a function: its code can be read there
    LISTING_OPTIONS = ["-d", "-z", "-M", "no-aliases,reg-names=numeric"]
    _LISTED = re.compile(r"^ *([0-9a-f]+):\t[0-9a-f]+ \t([^<\n]*?)(?:([0-9a-f]+) <[^>\n]*>)?$",
                         re.MULTILINE)

    @classmethod
    def source(cls, name, _, listing):
        """A routine in assembler source; `listing` is its disassembly."""
        lines = [(int(place, 16), text, target and int(target, 16))
                 for place, text, target in cls._LISTED.findall(listing)]
        targets = {target for _, _, target in lines if target}
        text = ""
        for place, instruction, target in lines:
            label = f"{name}_{place - lines[0][0]:x}:\n" if place in targets else ""
            there = f"{name}_{target - lines[0][0]:x}" if target else ""
            # What the listing calls a shift is a macro in a delay slot to SGI's assembler.
            instruction = "nop" if instruction == "sll\t$0,$0,0x0" else instruction
            text += f"{label}\t{instruction}{there}\n"
        return cls._SOURCE.format(name=name, lines=text)

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
    def filling(cls, kernel):
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
        filling = cls.filling(kernel)
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

    # A C function: it saves every register that its caller may need, and addresses no memory but
    # the stack and the block that it is passed in %r26. The stack grows towards higher addresses;
    # its caller has a place for %r2.
    _ROUTINE = """
{directives}
	.text
	.globl	__start
__start:
	stw	%r2,-20(%r30)
	ldo	512(%r30),%r30
{setup}
	nop
	.balignl	128,0x08000240
# 1 "asm"
{asm}
{restore}
	ldo	-512(%r30),%r30
	ldw	-20(%r30),%r2
	bv	%r0(%r2)
	nop
"""
    _BLOCK = 26
    _SAVED = [*range(3, 20), 27]
    _SAVED_NUMBERS = range(12, 22)

    @classmethod
    def routine(cls, kernel):
        return cls._ROUTINE.format(
            directives="\n".join("\t" + each for each in kernel.directives),
            setup="\n".join("\t" + line for line in [
                *cls._saved("stw %r{0},{1}(%r30)", "fstds,ma %fr{0},8(%r1)"),
                *cls._routine_setup(kernel)]),
            asm=kernel.asm,
            restore="\n".join("\t" + line for line in
                              cls._saved("ldw {1}(%r30),%r{0}", "fldds,ma 8(%r1),%fr{0}")))

    @classmethod
    def _saved(cls, access, number_access):
        for i, register in enumerate(cls._SAVED):
            yield access.format(register, 4 * i - 448)
        yield "ldo -320(%r30),%r1"
        yield from (number_access.format(register) for register in cls._SAVED_NUMBERS)

    @classmethod
    def _routine_setup(cls, kernel):
        yield f"ldo {4 * NUMBERS}(%r{cls._BLOCK}),%r1"
        yield from (f"fldds 0(%r1),%fr{i}" for i in range(4, 32))
        kept = (cls._STACK_POINTER, cls._BLOCK)
        yield from (f"ldi 3,%r{i}" for i in range(1, 32) if i not in kept)
        yield "mtsar %r1"
        given = {pointer: POINTERS + i for i, pointer in enumerate(kernel.pointers)}
        given[kernel.counter] = TRIP_COUNT
        last = given.pop(f"%r{cls._BLOCK}", None)
        yield from (f"ldw {4 * place}(%r{cls._BLOCK}),{register}"
                    for register, place in given.items())
        yield (f"ldi 3,%r{cls._BLOCK}" if last is None else
               f"ldw {4 * last}(%r{cls._BLOCK}),%r{cls._BLOCK}")

    @classmethod
    def routine_numbers(cls, kernel):
        return cls._NUMBER

    @classmethod
    def routine_convention(cls, kernel):
        return "PA-RISC, 32 bits"

    @classmethod
    def link_format(cls, kernel):
        return []

    @staticmethod
    def words_of(kernel, code):
        return struct.unpack(f">{len(code) // 4}I", code)

    # For HP's assembler, too.
    SOURCE_BEGIN = "\t.code\n"
    NAME_IS_ADDRESS = False
    LISTING_OPTIONS = ["-d"]

    @staticmethod
    def source(name, words, _):
        """A routine in assembler source."""
        lines = "".join(f"\t.word\t0x{word:08x}\n" for word in words)
        return f"\t.align\t128\n\t.export\t{name},entry\n\t.label\t{name}\n{lines}"

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
    def filling(cls, kernel):
        if re.search(r"\bfldd", kernel.asm):
            return hex(cls._NUMBER[0])
        return hex(cls._NUMBER[1]) if re.search(r"\bfldw", kernel.asm) else "3"


class Ia64Guest:
    """A Linux program: exit(2) is call 1025, its argument the first output register."""

    OS = "linux"
    _STACK_POINTER = "r12"

    # Each instruction of ours ends its group. The last ones leave a kernel's frame, which may
    # rotate as a whole.
    _PROGRAM = """
{directives}
	.text
	.globl	__start
__start:
	alloc	r2=ar.pfs,0,96,0,96 ;;
{setup}
	.align	128
# 1 "asm"
{asm}
	;;
	movl	r2=timing_check.last ;;
	ld8	r2=[r2] ;;
	cmp.ne	p6,p0=0,r2 ;;
	(p6) br.cond.sptk.few timing_check.end ;;
	movl	r3=TIMING_CHECK_TRIPS ;;
	movl	r2=timing_check.trips ;;
	st8	[r2]=r3 ;;
	movl	r2=timing_check.last ;;
	st8	[r2]=r3 ;;
	br.sptk.few	timing_check.again ;;
timing_check.again:
	clrrrb ;;
	br.sptk.few	__start ;;
timing_check.end:
	clrrrb ;;
	alloc	r2=ar.pfs,0,0,1,0 ;;
	mov	r32=0
	mov	r15=1025 ;;
	break	0x100000 ;;

	.data
	.align	8
timing_check.number:	data8	{number}
timing_check.trips:	data8	{warm}
timing_check.last:	data8	0
	.align	4096
	.skip	2048
{buffers}
"""
    _NUMBER = 0x3FF0080000000000  # 1.001953

    @classmethod
    def assembly(cls, kernel):
        filling = cls._NUMBER if re.search(r"\bldf", kernel.asm) else 3
        buffers = (f"\t.fill\t{REACH // 8},8,{filling}\ntiming_check.buffer{i}:\n"
                   f"\t.fill\t{(BUFFER - REACH) // 8},8,{filling}"
                   for i in range(len(kernel.pointers)))
        return cls._PROGRAM.format(
            directives="\n".join("\t" + each for each in kernel.directives),
            setup="\n".join(f"\t{line} ;;" for line in cls._setup(kernel)),
            asm=kernel.asm,
            number=cls._NUMBER,
            warm=2 * TRIPS * kernel.counter_step,
            buffers="\n".join(buffers))

    # Linux is little-endian, whatever the loop was written for.
    @classmethod
    def assembler_options(cls, kernel):
        return ["-mle"]

    @classmethod
    def link_options(cls, kernel):
        return ["-e", "__start"]

    @classmethod
    def routine_convention(cls, kernel):
        return None  # of a program of --emit-c: it would have addresses of 64 bits

    @classmethod
    def _setup(cls, kernel):
        yield "movl r2=timing_check.number"
        yield from (f"ldfd {register}=[r2]"
                    for register in sorted(set(re.findall(r"\bf[0-9]+\b", kernel.asm)))
                    if register not in ("f0", "f1"))
        named = set(re.findall(r"\br[0-9]+\b", kernel.asm)) | {f"r{i}" for i in range(1, 32)}
        yield from (f"mov {register}=3" for register in sorted(named)
                    if register not in ("r0", cls._STACK_POINTER))
        for i, pointer in enumerate(kernel.pointers):
            yield f"movl {pointer}=timing_check.buffer{i}"
            if kernel.self_pointing:
                yield f"st8 [{pointer}]={pointer}"
        counter = "r2" if kernel.counter == "ar.lc" else kernel.counter
        yield f"movl {counter}=timing_check.trips"
        yield f"ld8 {counter}=[{counter}]"
        if kernel.counter == "ar.lc":
            yield from ("adds r2=-1,r2", "mov.i ar.lc=r2", "mov r2=3")
        yield "mov pr=r0,-1"


# By what the assembler's name begins with.
GUESTS = {"mips": MipsGuest, "hppa": PaRiscGuest, "ia64": Ia64Guest}


def guest_of(kernel):
    """A class, or None where none is for the assembler."""
    return next((guest for prefix, guest in GUESTS.items() if kernel.assembler.startswith(prefix)),
                None)
