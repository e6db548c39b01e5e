#!/usr/bin/env python3
"""Usage: ia64_to_hpux.py 32|64 INPUT OUTPUT

Makes a program or shared library of HP-UX for IA-64 of a big-endian ELF64 file that GNU ld has
linked: for 64 bits the same file with HP-UX's marks, for 32 an ELF32 file whose addresses are the low
halves of the input's. Each table of the ELF64 file is longer than that of ELF32, which takes its
place. A file with the name of a dynamic linker is a program.
"""

import struct
import sys

ELFOSABI_HPUX = 1
EF_IA_64_BE, EF_IA_64_ABI64 = 0x08, 0x10
ET_EXEC = 2
PT_INTERP = 3
SHT_SYMTAB, SHT_RELA, SHT_DYNAMIC, SHT_DYNSYM = 2, 4, 6, 11
DT_PLTRELSZ, DT_RELASZ, DT_RELAENT, DT_SYMENT = 2, 8, 9, 11

# Elf64_Ehdr behind e_ident, Elf64_Phdr, Elf64_Shdr, Elf64_Sym, Elf64_Rela, Elf64_Dyn; those of ELF32.
EHDR64, PHDR64, SHDR64, SYM64, RELA64, DYN64 = (
    ">HHIQQQIHHHHHH", ">IIQQQQQQ", ">IIQQQQIIQQ", ">IBBHQQ", ">QQQ", ">QQ")
EHDR32, PHDR32, SHDR32, SYM32, RELA32, DYN32 = (
    ">HHIIIIIHHHHHH", ">IIIIIIII", ">IIIIIIIIII", ">IIIBBH", ">III", ">II")
LOW = 0xFFFFFFFF


def identification(elf_class):
    return b"\x7fELF" + bytes([elf_class, 2, 1, ELFOSABI_HPUX, 1]) + bytes(7)


def table(data, form):
    return list(struct.iter_unpack(form, data[:len(data) // struct.calcsize(form) * struct.calcsize(form)]))


def narrow_symbol(name, info, other, section, value, size):
    return struct.pack(SYM32, name, value & LOW, size, info, other, section)


def narrow_relocation(place, info, addend):
    return struct.pack(RELA32, place & LOW, (info >> 32) << 8 | info & 0xFF, addend & LOW)


def narrow_dynamic(tag, value):
    if tag in (DT_PLTRELSZ, DT_RELASZ):
        value = value // struct.calcsize(RELA64) * struct.calcsize(RELA32)
    value = {DT_RELAENT: struct.calcsize(RELA32), DT_SYMENT: struct.calcsize(SYM32)}.get(tag, value)
    return struct.pack(DYN32, tag, value & LOW)


# By the section's type: an entry's form, that of ELF32, and what makes it.
NARROWED = {
    SHT_SYMTAB: (SYM64, SYM32, narrow_symbol),
    SHT_DYNSYM: (SYM64, SYM32, narrow_symbol),
    SHT_RELA: (RELA64, RELA32, narrow_relocation),
    SHT_DYNAMIC: (DYN64, DYN32, narrow_dynamic),
}


def narrow_section(out, section):
    """Of its content, in place; returns the section's header for ELF32."""
    name, kind, flags, addr, offset, size, link, info, align, entsize = section
    if kind in NARROWED:
        form, narrow_form, convert = NARROWED[kind]
        content = b"".join(convert(*each) for each in table(out[offset:offset + size], form))
        out[offset:offset + size] = content + bytes(size - len(content))
        size, entsize = len(content), struct.calcsize(narrow_form)
    return struct.pack(SHDR32, name, kind, flags, addr & LOW, offset, size, link, info, align, entsize)


def narrow(data):
    out = bytearray(data)
    (_, machine, _, entry, phoff, shoff, _, _, _, phnum, _, shnum, shstrndx) = struct.unpack_from(
        EHDR64, data, 16)
    segments = table(data[phoff:phoff + 56 * phnum], PHDR64)
    sections = table(data[shoff:shoff + 64 * shnum], SHDR64)
    headers = b"".join(narrow_section(out, section) for section in sections)
    del out[shoff:]
    out += headers
    programs = b"".join(
        struct.pack(PHDR32, kind, offset, vaddr & LOW, vaddr & LOW, filesz, memsz, flags, align & LOW)
        for kind, flags, offset, vaddr, _, filesz, memsz, align in segments)
    header = identification(1) + struct.pack(
        EHDR32, kind_of(data), machine, 1, entry & LOW, 52, shoff, EF_IA_64_BE, 52, 32, phnum, 40, shnum,
        shstrndx) + programs
    out[:64 + 56 * phnum] = header + bytes(64 + 56 * phnum - len(header))
    return bytes(out)


def kind_of(data):
    header = struct.unpack_from(EHDR64, data, 16)
    phoff, phnum = header[4], header[9]
    is_program = any(each[0] == PT_INTERP for each in table(data[phoff:phoff + 56 * phnum], PHDR64))
    return ET_EXEC if is_program else header[0]


def wide(data):
    out = bytearray(data)
    out[:16] = identification(2)
    struct.pack_into(">H", out, 16, kind_of(data))
    struct.pack_into(">I", out, 48, EF_IA_64_BE | EF_IA_64_ABI64)
    return bytes(out)


def main():
    width, source, target = sys.argv[1:]
    with open(source, "rb") as file:
        data = file.read()
    with open(target, "wb") as file:
        file.write(narrow(data) if width == "32" else wide(data))


main()
