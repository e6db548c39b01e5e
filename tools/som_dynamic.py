"""The dynamic loader's data of a SOM file, made of what GNU ld says in a shared ELF object.

tools/elf2som uses it. An ELF shared object for hppa has what a SOM one has: a linkage table of data
addresses (.got, the DLT), one of procedures (.plt, pairs of an address and a linkage pointer), and
code that reaches both through r19. What differs is how they are described: here by the header, the
import and export lists and the dynamic relocations of $SHLIB_INFO$ (HP, "The 32-bit PA-RISC
Run-time Architecture Document", chapter "Dynamic loader header").
"""

import struct

HEADER_VERSION = 93092112
HEADER_SIZE = 112
LOADER_TRAILER_SIZE = 16  # of which tools/elf2som fills the first 12 bytes for a loader
NOTHING = 0xFFFFFFFF
# The end of the trailer says that the buckets of the export list are those of hash_of(). HP's own
# function is not published, so that the loader searches other files' lists from front to back.
BUCKETS_TIMES_31 = 0x68633331
INITIALIZER_DEFINED = 2  # flags
BUCKETS = 97

SHT_RELA, SHT_DYNSYM = 4, 11
R_DIR32, R_PLABEL32, R_IPLT = 1, 65, 129
STT_OBJECT, STT_FUNC = 1, 2
SHN_UNDEF, STB_LOCAL = 0, 0

DATA, CODE, PLABEL, NULL = 2, 3, 13, 0
PLABEL_EXT, DATA_EXT, DATA_INT, TEXT_INT = 1, 3, 4, 7
NO_MODULE = 0xFFFF
BIND_DEFERRED = 1

# The linker script of an ELF shared object. What only ELF's loaders read lies where no SOM file has anything.
ELF_ADDRESS = 0x60000000
SHARED_SCRIPT = """\
{entry}
PHDRS
{{
  text PT_LOAD FLAGS(5);
  data PT_LOAD FLAGS(6);
  elf PT_LOAD FLAGS(4);
  dynamic PT_DYNAMIC FLAGS(4);
}}
SECTIONS
{{
  . = {text:#x};
  .shlib_info : {{ HIDDEN(__shlib_info = .); BYTE(0); . = {info:#x}; }} :text
  .rodata : {{ *(.rodata .rodata.*) }} :text
  .PARISC.unwind : {{ *(.PARISC.unwind .PARISC.unwind.*) }} :text
  .text : {{ *(.text .text.*) HIDDEN(_etext = .); . = ALIGN({page:#x}) + {page:#x}; }} :text
  . = {data:#x};
  .data : {{ *(.data .data.*) }} :data
  .plt : {{ *(.plt) }} :data
  .got : {{ *(.got) }} :data
  HIDDEN("$global$" = .);
  .sdata : {{ *(.sdata .sdata.*) }} :data
  .bss : {{ *(.sbss .sbss.* .bss .bss.* COMMON) }} :data
  {end}
  . = {elf:#x};
  .hash : {{ *(.hash) }} :elf
  .gnu.hash : {{ *(.gnu.hash) }} :elf
  .dynsym : {{ *(.dynsym) }} :elf
  .dynstr : {{ *(.dynstr) }} :elf
  .rela.dyn : {{ *(.rela.*) }} :elf
  .dynamic : {{ *(.dynamic) }} :elf :dynamic
  /DISCARD/ : {{ *(.comment .note .note.* .eh_frame .gnu.attributes) }}
}}
"""


class Unfit(Exception):
    """The object cannot become a SOM file."""


def hash_of(name):
    value = 0
    for byte in name.encode("latin-1"):
        value = (value * 31 + byte) & 0xFFFFFFFF
    return value


class Names:
    """The loader's string table."""

    def __init__(self):
        self.bytes = bytearray()
        self.places = {}

    def add(self, name):
        if name not in self.places:
            self.places[name] = len(self.bytes)
            self.bytes += name.encode("latin-1") + b"\0"
        return self.places[name]


class Relocation:
    """What ld leaves to the loader: a place, a kind, and a value inside or the name of a symbol."""

    def __init__(self, place, kind, symbol, addend):
        self.place = place
        self.kind = kind
        is_inside = symbol is None or symbol.binding == STB_LOCAL
        self.name = None if is_inside else symbol.name
        base = symbol.value if symbol is not None and is_inside else 0
        # Against a section ld gives whole addresses, as if the section were at 0.
        self.value = (base + addend) & 0xFFFFFFFF


def dynamic_symbols(elf, sections):
    found = []
    for section in sections:
        if section.type == SHT_DYNSYM:
            found = elf.symbols([section], sections, SHT_DYNSYM, first=0)
    return found


def relocations(elf, sections, symbols):
    found = []
    for section in sections:
        if section.type != SHT_RELA:
            continue
        for entry in struct.iter_unpack(">IIi", elf.bytes(section.offset, section.size)):
            place, info, addend = entry
            number = info >> 8
            symbol = symbols[number] if number else None
            found.append(Relocation(place, info & 0xFF, symbol, addend))
    return found


class LoaderData:
    """Fills the tables of a file's text and data that the dynamic loader reads."""

    def __init__(self, elf, sections, text, data, is_program):
        self.sections = {section.name: section for section in sections}
        self.text, self.data = text, data
        self.is_program = is_program
        self.symbols = dynamic_symbols(elf, sections)
        self.relocations = relocations(elf, sections, self.symbols)
        self.text_bytes = bytearray(elf.bytes(text.offset, text.file_size))
        self.data_bytes = bytearray(elf.bytes(data.offset, data.file_size))
        self.names = Names()
        self.imports = []
        self.dynamic = []
        self.dlt_count = self.plt_count = 0

    def section_range(self, name):
        section = self.sections.get(name)
        return (section.address, section.size) if section else (self.data.address, 0)

    def put(self, place, *words):
        for part, content in ((self.text, self.text_bytes), (self.data, self.data_bytes)):
            at = place - part.address
            if 0 <= at and at + 4 * len(words) <= len(content):
                struct.pack_into(f">{len(words)}I", content, at, *words)
                return
        raise Unfit(f"a relocation of {place:#x}, which is not in the file")

    def bind(self, linkage_pointer):
        """Sorts the relocations into the tables."""
        dlt, dlt_size = self.section_range(".got")
        plt, plt_size = self.section_range(".plt")
        dlt_imports = [(None, NULL)] * (dlt_size // 4)
        pairs, others = {}, []
        if dlt_size >= 4:
            self.put(dlt, 0)  # where _DYNAMIC is, which a SOM file has not
        for each in self.relocations:
            if dlt <= each.place < dlt + dlt_size:
                kind = PLABEL if each.kind == R_PLABEL32 else DATA
                if each.name is None:
                    self.put(each.place, each.value)
                else:
                    dlt_imports[(each.place - dlt) // 4] = (each.name, kind)
            elif each.kind == R_IPLT and plt <= each.place < plt + plt_size:
                pairs[(each.place - plt) // 8] = each
            elif each.kind in (R_DIR32, R_PLABEL32):
                others.append(each)
            else:
                raise Unfit(f"relocation {each.kind} at {each.place:#x}; compile with -fPIC")
        self.plt_count = max(pairs, default=-1) + 1
        plt_imports = [(None, NULL)] * self.plt_count
        for index, each in pairs.items():
            if each.name is None:
                self.put(each.place, each.value, linkage_pointer)
            else:
                plt_imports[index] = (each.name, CODE)
        # What follows the pairs is code of Linux's lazy binding.
        for at in range(plt + 8 * self.plt_count, plt + plt_size, 4):
            self.put(at, 0)
        self.dlt_count = len(dlt_imports)
        self.imports = dlt_imports + plt_imports
        for each in others:
            self.relocate(each)

    def relocate(self, each):
        """A word of data that holds an address."""
        in_text = each.place < self.data.address
        if each.name is None:
            self.put(each.place, each.value)
            if self.is_program:
                return
            kind = TEXT_INT if each.value < self.data.address else DATA_INT
            self.add_dynamic(each, NOTHING, kind)
        else:
            kind = PLABEL_EXT if each.kind == R_PLABEL32 else DATA_EXT
            self.imports.append((each.name, PLABEL if kind == PLABEL_EXT else DATA))
            self.add_dynamic(each, len(self.imports) - 1, kind)
        if in_text:
            raise Unfit(f"an address in the text at {each.place:#x}; compile with -fPIC")

    def add_dynamic(self, each, symbol, kind):
        location = each.place - self.data.address
        self.dynamic.append((0, symbol, location, each.value if each.name is None else 0, kind))

    def exports(self):
        return [
            symbol
            for symbol in self.symbols
            if symbol.section != SHN_UNDEF
            and symbol.binding != STB_LOCAL
            and symbol.name != "_GLOBAL_OFFSET_TABLE_"
            and (symbol.type in (STT_OBJECT, STT_FUNC) or symbol.name == "_end")
        ]

    def export_lists(self):
        exports = self.exports()
        buckets = [NOTHING] * BUCKETS
        records = b""
        for index, symbol in enumerate(exports):
            bucket = hash_of(symbol.name) % BUCKETS
            kind = CODE if symbol.type == STT_FUNC else DATA
            records += struct.pack(
                ">4IBBH",
                buckets[bucket],
                self.names.add(symbol.name),
                symbol.value,
                symbol.size,
                kind,
                0,
                NO_MODULE,
            )
            buckets[bucket] = index
        return struct.pack(f">{BUCKETS}I", *buckets), records, len(exports)

    def import_list(self):
        records = b""
        for name, kind in self.imports:
            place = NOTHING if name is None else self.names.add(name)
            records += struct.pack(">IHBB", place, NO_MODULE, kind, 0)
        return records

    def library_list(self, name, libraries):
        records = struct.pack(">IBBH", self.names.add(name), 0, BIND_DEFERRED, 0)
        for library, bind in libraries:
            records += struct.pack(">IBBH", self.names.add(library), 1, bind, 0)
        return records

    def initializer(self, name):
        """The index of the import that names the routine to call after loading."""
        if name is None:
            return NOTHING
        self.imports.append((name, CODE))
        return len(self.imports) - 1

    def info(self, linkage_pointer, name, libraries, initializer):
        """The bytes of $SHLIB_INFO$."""
        first_initializer = self.initializer(initializer)
        library_list = self.library_list(name, libraries)
        import_list = self.import_list()
        buckets, export_list, export_count = self.export_lists()
        dynamic = b"".join(struct.pack(">5I", *r[:4], r[4] << 24 | NO_MODULE) for r in self.dynamic)
        parts = [library_list, import_list, buckets, export_list, dynamic, bytes(self.names.bytes)]
        places = [HEADER_SIZE + LOADER_TRAILER_SIZE]
        for part in parts:
            places.append(places[-1] + len(part))
        flags = INITIALIZER_DEFINED if initializer else 0
        dlt = self.section_range(".got")[0] - self.data.address
        plt = self.section_range(".plt")[0] - self.data.address
        header = [HEADER_VERSION, linkage_pointer - self.data.address, places[0], len(libraries) + 1]
        header += [places[1], len(self.imports), places[2], BUCKETS, places[3], export_count]
        header += [places[5], len(self.names.bytes), places[4] if dynamic else NOTHING]
        header += [len(self.dynamic), dlt, plt, self.dlt_count, self.plt_count, flags, 0]
        header += [NOTHING, 0, NOTHING, first_initializer, 0, 0, 0, 0]
        trailer = struct.pack(">12xI", BUCKETS_TIMES_31)
        return struct.pack(">28I", *header) + trailer + b"".join(parts)

    def fill(self, linkage_pointer, name, libraries, initializer):
        """Writes $SHLIB_INFO$ into the room that the linker script left for it."""
        self.bind(linkage_pointer)
        info = self.info(linkage_pointer, name, libraries, initializer)
        room = self.sections[".shlib_info"]
        if len(info) > room.size:
            raise Unfit(f"--shlib-info {room.size} is too small; it needs {len(info)}")
        at = room.address - self.text.address
        self.text_bytes[at : at + len(info)] = info
