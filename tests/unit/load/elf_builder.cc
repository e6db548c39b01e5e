#include "tests/unit/load/elf_builder.h"

#include <utility>

namespace hardclock::testing {

ElfBuilder::ElfBuilder(Endian order, unsigned elf_class) {
  file_.order = order;
  header.e_ident[EI_MAG0] = ELFMAG0;
  header.e_ident[EI_MAG1] = ELFMAG1;
  header.e_ident[EI_MAG2] = ELFMAG2;
  header.e_ident[EI_MAG3] = ELFMAG3;
  header.e_ident[EI_CLASS] = static_cast<unsigned char>(elf_class);
  header.e_ident[EI_DATA] = order == Endian::big ? ELFDATA2MSB : ELFDATA2LSB;
  header.e_ident[EI_VERSION] = EV_CURRENT;
  header.e_type = ET_EXEC;
  header.e_machine = EM_MIPS;
  header.e_version = EV_CURRENT;
  header.e_ehsize = is_64() ? sizeof(Elf64_Ehdr) : sizeof(Elf32_Ehdr);
  header.e_phoff = header.e_ehsize;
  header.e_phentsize = is_64() ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr);
  header.e_shentsize = is_64() ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr);
  sections.emplace_back();
  section_content_.emplace_back();
}

unsigned ElfBuilder::add_program_header(GElf_Word type, GElf_Word flags, GElf_Off offset,
                                        GElf_Addr address, GElf_Xword file_size,
                                        GElf_Xword memory_size) {
  program_headers.push_back(
      {type, flags, offset, address, address, file_size, memory_size, 0x1000});
  return program_headers.size() - 1;
}

unsigned ElfBuilder::add_section(GElf_Word type, GElf_Xword flags, std::string content,
                                 GElf_Word link, GElf_Xword entry_size) {
  GElf_Shdr section{};
  section.sh_type = type;
  section.sh_flags = flags;
  section.sh_size = content.size();
  section.sh_link = link;
  section.sh_entsize = entry_size;
  section.sh_addralign = 4;
  sections.push_back(section);
  section_content_.push_back(std::move(content));
  return sections.size() - 1;
}

unsigned ElfBuilder::add_symbols(GElf_Word type, const std::vector<SymbolSpec>& symbols) {
  std::string strings(1, '\0');
  FileBytes table{file_.order, std::vector<std::uint8_t>(sizeof(Elf32_Sym))};
  for (const SymbolSpec& symbol : symbols) {
    const std::size_t at = table.bytes.size();
    table.put(at + offsetof(Elf32_Sym, st_name), static_cast<std::uint32_t>(strings.size()));
    table.put(at + offsetof(Elf32_Sym, st_value), symbol.value);
    table.put(at + offsetof(Elf32_Sym, st_size), symbol.size);
    table.put(at + offsetof(Elf32_Sym, st_info),
              static_cast<std::uint8_t>(ELF32_ST_INFO(symbol.binding, symbol.type)));
    table.put(at + offsetof(Elf32_Sym, st_other), std::uint8_t{0});
    table.put(at + offsetof(Elf32_Sym, st_shndx), symbol.section);
    strings += symbol.name;
    strings += '\0';
  }
  const unsigned string_section = add_section(SHT_STRTAB, 0, strings);
  return add_section(type, 0, std::string(table.bytes.begin(), table.bytes.end()), string_section,
                     sizeof(Elf32_Sym));
}

FileBytes ElfBuilder::build() const {
  ElfBuilder complete = *this;
  FileBytes file = file_;
  if (complete.header.e_phnum == 0) complete.header.e_phnum = program_headers.size();
  const std::size_t headers_end =
      header.e_phoff + program_headers.size() * std::size_t{header.e_phentsize};
  if (file.bytes.size() < headers_end) file.bytes.resize(headers_end);
  for (std::size_t i = 0; i < sections.size(); ++i) {
    if (section_content_[i].empty()) continue;
    file.bytes.resize((file.bytes.size() + 3) / 4 * 4);
    complete.sections[i].sh_offset = file.bytes.size();
    file.put_bytes(file.bytes.size(), section_content_[i]);
  }
  if (sections.size() > 1) {
    file.bytes.resize((file.bytes.size() + 3) / 4 * 4);
    complete.header.e_shoff = file.bytes.size();
    complete.header.e_shnum = sections.size();
    for (std::size_t i = 0; i < sections.size(); ++i) {
      put_section_header(file, complete.header.e_shoff + i * header.e_shentsize,
                         complete.sections[i]);
    }
  }
  complete.put_header(file);
  for (std::size_t i = 0; i < program_headers.size(); ++i) {
    put_program_header(file, header.e_phoff + i * header.e_phentsize, program_headers[i]);
  }
  return file;
}

namespace {

template <class Header>
void put_header_as(FileBytes& file, const GElf_Ehdr& h) {
  for (std::size_t i = 0; i < EI_NIDENT; ++i) file.put(i, std::uint8_t{h.e_ident[i]});
  file.put(offsetof(Header, e_type), h.e_type);
  file.put(offsetof(Header, e_machine), h.e_machine);
  file.put(offsetof(Header, e_version), h.e_version);
  file.put(offsetof(Header, e_entry), static_cast<decltype(Header::e_entry)>(h.e_entry));
  file.put(offsetof(Header, e_phoff), static_cast<decltype(Header::e_phoff)>(h.e_phoff));
  file.put(offsetof(Header, e_shoff), static_cast<decltype(Header::e_shoff)>(h.e_shoff));
  file.put(offsetof(Header, e_flags), h.e_flags);
  file.put(offsetof(Header, e_ehsize), h.e_ehsize);
  file.put(offsetof(Header, e_phentsize), h.e_phentsize);
  file.put(offsetof(Header, e_phnum), h.e_phnum);
  file.put(offsetof(Header, e_shentsize), h.e_shentsize);
  file.put(offsetof(Header, e_shnum), h.e_shnum);
  file.put(offsetof(Header, e_shstrndx), h.e_shstrndx);
}

template <class Header>
void put_program_header_as(FileBytes& file, std::size_t at, const GElf_Phdr& p) {
  using Word = decltype(Header::p_offset);
  file.put(at + offsetof(Header, p_type), p.p_type);
  file.put(at + offsetof(Header, p_flags), p.p_flags);
  file.put(at + offsetof(Header, p_offset), static_cast<Word>(p.p_offset));
  file.put(at + offsetof(Header, p_vaddr), static_cast<Word>(p.p_vaddr));
  file.put(at + offsetof(Header, p_paddr), static_cast<Word>(p.p_paddr));
  file.put(at + offsetof(Header, p_filesz), static_cast<Word>(p.p_filesz));
  file.put(at + offsetof(Header, p_memsz), static_cast<Word>(p.p_memsz));
  file.put(at + offsetof(Header, p_align), static_cast<Word>(p.p_align));
}

template <class Header>
void put_section_header_as(FileBytes& file, std::size_t at, const GElf_Shdr& s) {
  using Word = decltype(Header::sh_offset);
  file.put(at + offsetof(Header, sh_name), s.sh_name);
  file.put(at + offsetof(Header, sh_type), s.sh_type);
  file.put(at + offsetof(Header, sh_flags), static_cast<Word>(s.sh_flags));
  file.put(at + offsetof(Header, sh_addr), static_cast<Word>(s.sh_addr));
  file.put(at + offsetof(Header, sh_offset), static_cast<Word>(s.sh_offset));
  file.put(at + offsetof(Header, sh_size), static_cast<Word>(s.sh_size));
  file.put(at + offsetof(Header, sh_link), s.sh_link);
  file.put(at + offsetof(Header, sh_info), s.sh_info);
  file.put(at + offsetof(Header, sh_addralign), static_cast<Word>(s.sh_addralign));
  file.put(at + offsetof(Header, sh_entsize), static_cast<Word>(s.sh_entsize));
}

}  // namespace

void ElfBuilder::put_header(FileBytes& file) const {
  is_64() ? put_header_as<Elf64_Ehdr>(file, header) : put_header_as<Elf32_Ehdr>(file, header);
}

void ElfBuilder::put_program_header(FileBytes& file, std::size_t offset, const GElf_Phdr& p) const {
  is_64() ? put_program_header_as<Elf64_Phdr>(file, offset, p)
          : put_program_header_as<Elf32_Phdr>(file, offset, p);
}

void ElfBuilder::put_section_header(FileBytes& file, std::size_t offset, const GElf_Shdr& s) const {
  is_64() ? put_section_header_as<Elf64_Shdr>(file, offset, s)
          : put_section_header_as<Elf32_Shdr>(file, offset, s);
}

ElfBuilder tiny_program(Endian order) {
  ElfBuilder builder(order);
  builder.header.e_entry = 0x400100;
  builder.header.e_flags = EF_MIPS_ARCH_2 | 0x1000;  // mips2, o32
  builder.add_program_header(PT_LOAD, PF_R | PF_X, 0, 0x400000, 0x200, 0x200);
  builder.add_program_header(PT_LOAD, PF_R | PF_W, 0x200, 0x10000000, 0x100, 0x1000);
  builder.place(0x100, std::string(0x100, 't'));
  builder.place(0x200, std::string(0x100, 'd'));
  builder.add_section(SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, "");
  builder.sections[1].sh_addr = 0x400100;
  builder.sections[1].sh_offset = 0x100;
  builder.sections[1].sh_size = 0x100;
  builder.add_section(SHT_PROGBITS, SHF_ALLOC | SHF_WRITE, "");
  builder.sections[2].sh_addr = 0x10000000;
  builder.sections[2].sh_offset = 0x200;
  builder.sections[2].sh_size = 0x100;
  return builder;
}

std::vector<SymbolSpec> tiny_symbols() {
  return {{"start", 0x400100, 0x20}, {"work", 0x400120, 0x40}};
}

}  // namespace hardclock::testing
