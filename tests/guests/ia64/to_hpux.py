#!/usr/bin/env python3
"""Usage: to_hpux.py 32|64 INPUT OUTPUT

Makes a program of HP-UX for IA-64 of a static big-endian ELF64 program that GNU ld has linked: for
64 bits the same file with HP-UX's marks, for 32 an ELF32 file whose addresses are the low halves of
the input's.
"""

import struct
import sys

ELFOSABI_HPUX = 1
EF_IA_64_BE, EF_IA_64_ABI64 = 0x08, 0x10
PT_LOAD = 1
SHT_SYMTAB, SHT_STRTAB = 2, 3

# Elf64_Ehdr behind e_ident, Elf64_Phdr, Elf64_Shdr, Elf64_Sym, and the same of ELF32.
EHDR64, PHDR64, SHDR64, SYM64 = ">HHIQQQIHHHHHH", ">IIQQQQQQ", ">IIQQQQIIQQ", ">IBBHQQ"
EHDR32, PHDR32, SHDR32, SYM32 = ">HHIIIIIHHHHHH", ">IIIIIIII", ">IIIIIIIIII", ">IIIBBH"
LOW = 0xFFFFFFFF


def identification(elf_class):
    return b"\x7fELF" + bytes([elf_class, 2, 1, ELFOSABI_HPUX, 1]) + bytes(7)


def table(data, form, offset, count):
    size = struct.calcsize(form)
    return [struct.unpack_from(form, data, offset + i * size) for i in range(count)]


def narrow_symbols(symbols):
    """Of .symtab."""
    return b"".join(struct.pack(SYM32, name, value & LOW, size, info, other, section)
                    for name, info, other, section, value, size in table(symbols, SYM64, 0,
                                                                         len(symbols) // 24))


def narrow(data):
    header = struct.unpack_from(EHDR64, data, 16)
    machine, entry, phoff, shoff, phnum, shnum, shstrndx = (
        header[1], header[3], header[4], header[5], header[9], header[11], header[12])
    loads = [p for p in table(data, PHDR64, phoff, phnum) if p[0] == PT_LOAD]
    sections = table(data, SHDR64, shoff, shnum)
    out = bytearray(52 + 32 * len(loads))
    places = []
    programs = b""
    for _, flags, offset, vaddr, _, filesz, memsz, _ in loads:
        out += bytes(-len(out) % 32)
        places.append((offset, offset + filesz, len(out)))
        programs += struct.pack(PHDR32, PT_LOAD, len(out), vaddr & LOW, vaddr & LOW, filesz, memsz,
                                flags, 32)
        out += data[offset:offset + filesz]
    headers = b""
    for name, kind, flags, addr, offset, size, link, info, align, entsize in sections:
        moved = [at + offset - low for low, high, at in places if low <= offset <= high]
        if kind == SHT_SYMTAB or kind == SHT_STRTAB:
            content = data[offset:offset + size]
            if kind == SHT_SYMTAB:
                content, entsize = narrow_symbols(content), struct.calcsize(SYM32)
            out += bytes(-len(out) % 4)
            moved, size = [len(out)], len(content)
            out += content
        headers += struct.pack(SHDR32, name, kind, flags, addr & LOW, moved[0] if moved else 0, size,
                               link, info, align, entsize)
    out += bytes(-len(out) % 4)
    elf = struct.pack(EHDR32, 2, machine, 1, entry & LOW, 52, len(out), EF_IA_64_BE, 52, 32,
                      len(loads), 40, shnum, shstrndx)
    out += headers
    out[:52] = identification(1) + elf
    out[52:52 + len(programs)] = programs
    return bytes(out)


def wide(data):
    out = bytearray(data)
    out[:16] = identification(2)
    struct.pack_into(">I", out, 48, EF_IA_64_BE | EF_IA_64_ABI64)
    return bytes(out)


def main():
    width, source, target = sys.argv[1:]
    with open(source, "rb") as file:
        data = file.read()
    with open(target, "wb") as file:
        file.write(narrow(data) if width == "32" else wide(data))


main()
