#!/usr/bin/env python3
"""Usage: add_relocations.py INPUT OTHER OUTPUT

Completes a 64-bit shared library for HP-UX on PA-RISC that GNU ld has linked, which has no relocations
for what points into the library itself. OTHER is the same library at other addresses (text 1 MiB, data
2 MiB higher): each word of the data that differs wants one. They go, with those of GNU ld, to the section
.rela.all, for which the linker script leaves room.
"""

import struct
import sys

PT_LOAD, PT_DYNAMIC = 1, 2
PF_W = 2
R_PARISC_NONE, R_PARISC_DIR64, R_PARISC_IPLT, R_PARISC_EPLT = 0, 80, 129, 130
DT_PLTRELSZ, DT_RELA, DT_RELASZ, DT_JMPREL = 2, 7, 8, 23
NO_SYMBOL = 0xFFFFFFFF
TEXT_DISTANCE, DATA_DISTANCE = 0x100000, 0x200000


class Library:
    def __init__(self, path):
        with open(path, "rb") as file:
            self.data = bytearray(file.read())
        phoff, shoff = struct.unpack_from(">QQ", self.data, 32)
        phnum, _, shnum, shstrndx = struct.unpack_from(">HHHH", self.data, 56)
        segments = [struct.unpack_from(">IIQQQQQQ", self.data, phoff + 56 * i) for i in range(phnum)]
        self.loads = [s for s in segments if s[0] == PT_LOAD]
        self.dynamic = next(s for s in segments if s[0] == PT_DYNAMIC)
        headers = [struct.unpack_from(">IIQQQQ", self.data, shoff + 64 * i) for i in range(shnum)]
        names = headers[shstrndx][4]
        self.sections = {bytes(self.data[names + h[0]:]).split(b"\0")[0].decode(): h for h in headers}

    def tags(self):
        """Offset in the file of each entry's value, by tag."""
        start, size = self.dynamic[2], self.dynamic[5]
        return {struct.unpack_from(">Q", self.data, at)[0]: at + 8 for at in range(start, start + size, 16)}

    def value(self, tag):
        return struct.unpack_from(">Q", self.data, self.tags()[tag])[0]

    def offset(self, address):
        _, _, offset, start, *_ = next(s for s in self.loads if s[3] <= address < s[3] + s[5])
        return offset + address - start

    def relocations(self, tag, size_tag):
        start = self.offset(self.value(tag))
        return [struct.unpack_from(">QQq", self.data, at) for at in range(start, start + self.value(size_tag), 24)]


def is_real(relocation):
    return relocation[1] & 0xFFFFFFFF != R_PARISC_NONE and relocation[1] >> 32 != NO_SYMBOL


def words_of(relocation):
    place, info, _ = relocation
    kind = info & 0xFFFFFFFF
    if kind == R_PARISC_EPLT:
        return place + 16, place + 24
    return (place, place + 8) if kind == R_PARISC_IPLT else (place,)


def differing(library, other):
    """(address, value) of each word that points into the library."""
    data, other_data = (next(s for s in each.loads if s[1] & PF_W) for each in (library, other))
    for at in range(0, data[5] // 8 * 8, 8):
        value, = struct.unpack_from(">Q", library.data, data[2] + at)
        moved, = struct.unpack_from(">Q", other.data, other_data[2] + at)
        if value == moved:
            continue
        if moved - value not in (TEXT_DISTANCE, DATA_DISTANCE):
            sys.exit(f"add_relocations.py: {data[3] + at:#x} differs by {moved - value:#x}")
        yield data[3] + at, value


def main():
    library, other = Library(sys.argv[1]), Library(sys.argv[2])
    calls = library.relocations(DT_JMPREL, DT_PLTRELSZ) if DT_JMPREL in library.tags() else []
    kept = [r for r in library.relocations(DT_RELA, DT_RELASZ) if is_real(r) and r not in calls]
    known = {word for r in kept + calls for word in words_of(r)}
    dynamic = range(library.dynamic[3], library.dynamic[3] + library.dynamic[5])
    for address, value in differing(library, other):
        if address not in known and address not in dynamic:
            signed, = struct.unpack(">q", struct.pack(">Q", value))
            kept.append((address, R_PARISC_DIR64, signed))
    room = library.sections[".rela.all"]
    table = b"".join(struct.pack(">QQq", *r) for r in kept)
    if len(table) > room[5]:
        sys.exit(f"add_relocations.py: .rela.all has {room[5]} bytes for {len(table)}; raise it in library.ld")
    library.data[room[4]:room[4] + len(table)] = table
    struct.pack_into(">Q", library.data, library.tags()[DT_RELA], room[3])
    struct.pack_into(">Q", library.data, library.tags()[DT_RELASZ], len(table))
    with open(sys.argv[3], "wb") as file:
        file.write(library.data)


main()
