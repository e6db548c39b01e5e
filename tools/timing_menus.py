"""What tools/timing-doubts makes loops of: a menu of instructions for each instruction set. An item
has a timing class and lines in which {a} to {z} are registers and displacements of a kind.

Operands are such that a real chip takes the time of the pipeline alone. The cell at a pointer holds
its own address, for a chain of loads. A floating-point result is an operand and a constant a little
above 1, added or multiplied, so that numbers stay normal for a thousand trips; each format, and
words, have registers and memory of their own."""

from typing import NamedTuple


class Item(NamedTuple):
    timing_class: str
    lines: str


class Line(NamedTuple):
    """An item with its operands."""

    text: str
    results: frozenset  # registers


class Menu(NamedTuple):
    os: str
    assembler: str
    flags: list
    prepend: str
    link_options: list
    kinds: dict  # the operands of each kind
    results: str  # the kinds that are results
    items: list
    start: str
    setup: str  # before each loop, with {trips}
    tail: str  # of a loop, with {head}
    end: str
    counter: str
    pointers: list

    def choose(self, item, source):
        """A Line; a label is still {label}."""
        text, results = item.lines, set()
        for kind, operands in self.kinds.items():
            while f"{{{kind}}}" in text:
                operand = source.choice(operands)
                text = text.replace(f"{{{kind}}}", operand, 1)
                results.update([operand] if kind in self.results else [])
        return Line(text, frozenset(results))

    def _asm(self, sequence, head):
        lines = [line.text.replace("{label}", f"{head}_{i}").replace("{head}", head)
                 for i, line in enumerate(sequence)]
        return f"{head}:\t" + "\n\t".join(lines + [self.tail.format(head=head)])

    def loop(self, sequence, head, trips):
        return self.setup.format(trips=trips) + self._asm(sequence, head) + "\n"

    def program(self, loops):
        return self.start + "".join(loops) + self.end

    def kernel(self, sequence):
        """What tools/timing-check wants to know of a loop."""
        asm = self._asm(sequence, "K")
        flags = "".join(" " + flag for flag in self.flags)
        return {"asm": asm, "assemble": f"{self.assembler}{flags} (prepend {self.prepend})",
                "init": {"counter": self.counter, "counter_step": 1, "pointers": self.pointers,
                         "self_pointing": True}}


# ---- MIPS: o32, so that one program has the loops of every chip.

_MIPS_KINDS = {
    "i": ["$9", "$10", "$11"],  # results
    "j": ["$9", "$10", "$11", "$12"],  # operands
    "d": ["$f0", "$f2", "$f4"],
    "e": ["$f0", "$f2", "$f4", "$f12"],
    "c": ["$f12", "$f14"],  # constants
    "s": ["$f6", "$f8", "$f10"],
    "t": ["$f6", "$f8", "$f10", "$f16"],
    "k": ["$f16", "$f18"],
    "w": ["$f20", "$f22"],  # words in floating-point registers
    "v": ["$f20", "$f22"],
    "p": ["$4", "$5"],
    "m": ["16", "20", "24"],
    "n": ["128", "136", "144"],  # doubles
    "o": ["256", "260", "264"],  # singles
}

_MIPS_ITEMS = [
    Item("alu", "addu {i},{j},{j}"),
    Item("alu", "addiu {i},{j},1"),
    Item("alu", "or {i},{j},{j}"),
    Item("alu", "nop"),
    Item("shift", "sll {i},{j},1"),
    Item("shift_v", "sllv {i},{j},{j}"),
    Item("shift_v", "srav {i},{j},{j}"),
    Item("load", "lw {i},{m}({p})"),
    Item("store", "sw {j},{m}({p})"),
    Item("load", "lw $6,0($6)"),
    Item("load", "lw {i},{m}($6)"),
    Item("store", "sw {j},{m}($6)"),
    Item("load", "lwl $9,16({p})\n\tlwr $9,19({p})"),
    Item("mult", "mult {j},{j}"),
    Item("mfhilo", "mflo {i}"),
    Item("mfhilo", "mfhi {i}"),
    Item("div", "div $0,{j},$12"),
    Item("branch", "beq $0,$0,{label}\n\tnop\n{label}:"),
    Item("branch", "bne $0,$0,{label}\n\tnop\n{label}:"),
    Item("branch", "bne $0,$0,{head}\n\tnop"),
    Item("branch", "bne {j},$0,{label}\n\tnop\n{label}:"),
    Item("fp_add_d", "add.d {d},{e},{c}"),
    Item("fp_add_s", "add.s {s},{t},{k}"),
    Item("fp_mul_d", "mul.d {d},{e},{c}"),
    Item("fp_mul_s", "mul.s {s},{t},{k}"),
    Item("fp_div_d", "div.d {d},{e},{c}"),
    Item("fp_div_s", "div.s {s},{t},{k}"),
    Item("fp_move", "mov.d {d},{e}"),
    Item("fp_neg", "abs.d {d},{e}"),
    Item("fp_cmp_d", "c.lt.d {e},{c}"),
    Item("fp_cmp_s", "c.lt.s {t},{k}"),
    Item("branch", "bc1t {label}\n\tnop\n{label}:"),
    Item("fp_to", "mtc1 {j},{w}"),
    Item("fp_from", "mfc1 {i},{v}"),
    Item("fp_from", "mfc1 {i},{t}"),
    Item("fp_control", "cfc1 {i},$31"),
    Item("fp_cvt_id", "cvt.d.w {d},{v}"),
    Item("fp_cvt_is", "cvt.s.w {s},{v}"),
    Item("fp_cvt_di", "cvt.w.d {w},{c}"),
    Item("fp_cvt_si", "cvt.w.s {w},{k}"),
    Item("fp_cvt_sd", "cvt.d.s {d},{k}"),
    Item("fp_cvt_ds", "cvt.s.d {s},{c}"),
    Item("load_fp", "lwc1 {s},{o}({p})"),
    Item("store_fp", "swc1 {t},{o}({p})"),
]

_MIPS2_ITEMS = _MIPS_ITEMS + [
    Item("load_fp", "ldc1 {d},{n}({p})"),
    Item("store_fp", "sdc1 {e},{n}({p})"),
    Item("fp_sqrt_d", "sqrt.d {d},{e}"),
    Item("fp_sqrt_s", "sqrt.s {s},{t}"),
]

_MIPS_START = """	.set	noreorder
	.set	noat
	.text
	.globl	__start
__start:
"""
_MIPS_SETUP = (
    "\t.set\treorder\n\t.set\tat\n\tli\t$2,3\n\tmtlo\t$2\n\tmthi\t$2\n" +
    "".join(f"\tl.d\t$f{i},doubles\n" for i in (0, 2, 4, 12, 14)) +
    "".join(f"\tl.s\t$f{i},singles\n" for i in (6, 8, 10, 16, 18)) +
    "".join(f"\tmtc1\t$2,$f{i}\n" for i in (20, 22)) +
    "".join(f"\tli\t${i},3\n" for i in (9, 10, 11, 12)) +
    "".join(f"\tla\t${i},{name}\n" for i, name in ((4, "one"), (5, "other"), (6, "third"))) +
    "\tsw\t$6,0($6)\n"
    "\tli\t$8,{trips}\n\tnop\n" +
    "\t.set\tnoreorder\n\t.set\tnoat\n\t.balign\t128\n")
_MIPS_END = """	.set	reorder
	li	$4,0
	li	$2,1001
	syscall
	.data
	.balign	8
doubles:	.word	0x3ff00800,0
singles:	.word	0x3f800800
	.balign	8
one:	.fill	1024,4,0x3ff00800
other:	.fill	1024,4,0x3ff00800
third:	.fill	16,4,3
"""


def _mips(level, items):
    return Menu(os="irix", assembler="mips-linux-gnu-as", flags=["-EB", "-32", f"-march={level}"],
                prepend=".set noreorder/.set noat",
                link_options=["-EB", "-m", "elf32btsmip", "-e", "__start",
                              "-Ttext-segment=0x10000000"],
                kinds=_MIPS_KINDS, results="idsw", items=items, start=_MIPS_START,
                setup=_MIPS_SETUP, tail="addiu $8,$8,-1\n\tbne $8,$0,{head}\n\tnop", end=_MIPS_END,
                counter="$8", pointers=["$4", "$5", "$6"])


# ---- PA-RISC: level 1.1, which all have.

_PA_RISC_KINDS = {
    "i": ["%r3", "%r4", "%r5"],
    "j": ["%r3", "%r4", "%r5", "%r6"],
    "d": ["%fr4", "%fr5", "%fr6"],
    "e": ["%fr4", "%fr5", "%fr6", "%fr8"],
    "c": ["%fr8", "%fr9"],
    "s": ["%fr16L", "%fr17L", "%fr18L"],
    "t": ["%fr16L", "%fr17L", "%fr18L", "%fr20R"],
    "k": ["%fr20R", "%fr21R"],
    "w": ["%fr24", "%fr25"],
    "p": ["%r21", "%r22"],
    "m": ["16", "20"],
    "n": ["-8", "-16"],
    "o": ["8", "12"],
}

_PA_RISC_ITEMS = [
    Item("alu", "add {j},{j},{i}"),
    Item("alu", "ldo 1({j}),{i}"),
    Item("alu", "or {j},{j},{i}"),
    Item("alu", "nop"),
    Item("alu_carry", "addc {j},{j},{i}"),
    Item("shift", "extru {j},15,8,{i}"),
    Item("shift", "shd {j},{j},8,{i}"),
    Item("nullifier", "comclr,<> %r4,%r4,{i}"),
    Item("nullifier", "comclr,= %r0,%r6,{i}"),
    Item("nullifier", "comclr,<> %r4,%r4,%r5\n\tadd %r5,%r4,%r4"),
    Item("load", "ldw {m}({p}),{i}"),
    Item("load", "ldw 0(%r23),%r23"),
    Item("load", "ldw {m}(%r23),{i}"),
    Item("store", "stw {j},{m}(%r23)"),
    Item("store", "stw {j},{m}({p})"),
    Item("store_bytes", "stb {j},{m}({p})"),
    Item("branch_forward", "comb,= %r0,%r0,{label}\n\tnop\n{label}:"),
    Item("branch_forward", "comb,<> %r0,%r0,{label}\n\tnop\n{label}:"),
    Item("branch_backward", "comb,<> %r0,%r0,{head}\n\tnop"),
    Item("branch", "bl {label},%r0\n\tnop\n{label}:"),
    Item("fp_add_d", "fadd,dbl {e},{c},{d}"),
    Item("fp_add_s", "fadd,sgl {t},{k},{s}"),
    Item("fp_mul_d", "fmpy,dbl {e},{c},{d}"),
    Item("fp_mul_s", "fmpy,sgl {t},{k},{s}"),
    Item("fp_div_d", "fdiv,dbl {e},{c},{d}"),
    Item("fp_div_s", "fdiv,sgl {t},{k},{s}"),
    Item("fp_sqrt_d", "fsqrt,dbl {e},{d}"),
    Item("fp_move_d", "fcpy,dbl {e},{d}"),
    Item("fp_cnv_s", "fcnvff,dbl,sgl {c},{s}"),
    Item("fp_muladd_d", "fmpyadd,dbl %fr8,%fr9,%fr10,%fr8,%fr11"),
    Item("xmpyu", "xmpyu %fr8L,%fr9L,{w}"),
    Item("fp_cmp", "fcmp,dbl,= {e},{c}"),
    Item("fp_test", "ftest\n\tnop"),
    Item("load_fp_d", "fldds {n}({p}),{d}"),
    Item("store_fp_d", "fstds {e},{n}({p})"),
    Item("load_fp_s", "fldws {o}({p}),{s}"),
    Item("store_fp_s", "fstws {t},{o}({p})"),
]

_PA_RISC_START = """	.level	1.1
	.text
	.globl	__start
__start:
"""
_PA_RISC_SETUP = (
    "\tldil\tL%number,%r1\n\tldo\tR%number(%r1),%r1\n" +
    "".join(f"\tfldds\t0(%r1),%fr{i}\n" for i in range(4, 32)) +
    "".join(f"\tldi\t3,%r{i}\n" for i in (3, 4, 5, 6)) +
    "".join(f"\tldil\tL%{name},{register}\n\tldo\tR%{name}({register}),{register}\n"
            for name, register in (("one", "%r21"), ("other", "%r22"), ("third", "%r23"))) +
    "\tstw\t%r23,0(%r23)\n"
    "\tldi\t{trips},%r24\n\tnop\n\t.balignl\t128,0x08000240\n")
_PA_RISC_END = """	ldi	0,%r26
	ble	0x100(%sr2,%r0)
	ldi	1,%r20
	.data
	.align	8
number:	.word	0x3ff00800,0x3f800800
	.fill	1024,4,0x3ff00800
one:	.fill	1024,4,0x3ff00800
other:	.fill	1024,4,0x3ff00800
third:	.fill	16,4,3
"""

MENUS = {
    "mips1": _mips("r3000", _MIPS_ITEMS),
    "mips2": _mips("mips2", _MIPS2_ITEMS),
    "pa_risc": Menu(os="linux", assembler="hppa-linux-gnu-as", flags=[], prepend=".level 1.1",
                    link_options=["-e", "__start"], kinds=_PA_RISC_KINDS, results="idsw",
                    items=_PA_RISC_ITEMS,
                    start=_PA_RISC_START, setup=_PA_RISC_SETUP,
                    tail="addib,<> -1,%r24,{head}\n\tnop", end=_PA_RISC_END, counter="%r24",
                    pointers=["%r21", "%r22", "%r23"]),
}
