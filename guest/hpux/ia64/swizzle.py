#!/usr/bin/env python3
"""Usage: swizzle.py < INPUT > OUTPUT

Makes assembly code that GCC 12.2.0 has compiled with -milp32 right. A pointer of 32 bits stands for an
address whose highest bits follow from the pointer's (the instruction addp4); GCC leaves that out of many
an access, or makes it with the wrong operand, so that some registers hold addresses and others pointers.
Here every access converts: addp4 makes an address of either. r31 must be free (-ffixed-r31), and the code
not be in bundles (-fno-schedule-insns2).
"""

import re
import sys

ACCESS = re.compile(
    r"^\t(?P<predicate>\(p\d+\) )?(?P<name>(?!ld8\.mov)(?:ld|st|ldf|stf|lfetch|fetchadd|xchg|cmpxchg)[\w.]*)\s(?P<operands>.*)$")
MOVE = re.compile(r", (-?\d+)$")
BASE = re.compile(r"\[(r\d+)\]")
OWN = "r12"  # the stack's addresses are whole, and so are those of a linkage table (ld8.mov)


def swizzled(line):
    access = ACCESS.match(line)
    base = access and BASE.search(access["operands"])
    if not base or base[1] == OWN:
        return line
    predicate = access["predicate"] or ""
    operands = access["operands"].replace(base[0], "[r31]")
    moves = MOVE.search(operands)
    if moves:
        operands = operands[:moves.start()]
    lines = [f"\t{predicate}addp4 r31 = 0, {base[1]}", "\t;;", f"\t{predicate}{access['name']} {operands}"]
    if moves:
        lines.append(f"\t{predicate}adds {base[1]} = {moves[1]}, {base[1]}")
    return "\n".join(lines)


for text in sys.stdin:
    print(swizzled(text.rstrip("\n")))
