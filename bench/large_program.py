#!/usr/bin/env python3
# Prints a C program for Linux/MIPS without a C library whose code is too large for a host's caches:
# 1500 functions, called in turn, of 22 basic blocks with some eight instructions each. Nothing in
# it repeats within a round but the calling loop.
#
#   large_program.py ROUNDS

import random
import sys

FUNCTIONS = 1500
CONDITIONS = 11  # of a function; each makes two blocks


def statements(source, count):
    kinds = [
        lambda: f"c += d ^ {source.randrange(1, 1 << 14)};",
        lambda: f"d = (d << {source.randrange(1, 8)}) + c;",
        lambda: f"c ^= d >> {source.randrange(1, 15)};",
        lambda: f"d += c & {source.randrange(1, 1 << 14)};",
    ]
    return " ".join(source.choice(kinds)() for _ in range(count))


def function(source, number):
    lines = [f"static __attribute__((noinline)) unsigned f{number}(unsigned a, unsigned b) {{",
             f"  unsigned c = a ^ {source.randrange(1 << 14)}u, d = b + {source.randrange(1 << 14)};"]
    for _ in range(CONDITIONS):
        lines.append(f"  if ((c >> {source.randrange(1, 20)}) & 1) {{ {statements(source, 4)} }}")
        lines.append(f"  {statements(source, 3)}")
    return "\n".join(lines + ["  return c + d;", "}"])


def program(rounds):
    source = random.Random(1)
    calls = "\n".join(f"    x = f{number}(x, i);" for number in range(FUNCTIONS))
    return "\n".join([function(source, number) for number in range(FUNCTIONS)] + [f"""
void __start(void);
void __start(void) {{
  unsigned x = 1;
  for (unsigned i = 0; i < {rounds}; i++) {{
{calls}
  }}
  register unsigned number __asm__("$2") = 4001;  /* exit */
  register unsigned status __asm__("$4") = x == 12345;
  __asm__ volatile("syscall" : : "r"(number), "r"(status));
  for (;;) {{
  }}
}}"""])


if __name__ == "__main__":
    print(program(int(sys.argv[1])))
