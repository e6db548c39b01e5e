// Which system and port a file gets, with and without --os, and what is refused. The rules are
// choose_system.h's.
#include "syscalls/choose_system.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>

namespace hardclock {
namespace {

constexpr std::uint32_t n32_flag = 0x20;  // EF_MIPS_ABI2
constexpr std::uint8_t hpux_abi = 1;      // ELFOSABI_HPUX

Image elf(Architecture architecture, unsigned address_bits = 32, std::uint32_t flags = 0) {
  Image image;
  image.architecture = architecture;
  image.address_bits = address_bits;
  image.flags = flags;
  return image;
}

Image som() {
  Image image = elf(Architecture::pa_risc);
  image.format = FileFormat::som;
  return image;
}

std::string system_of(const Image& image, const std::optional<std::string>& os = {}) {
  const auto chosen = choose_system(image, os, "prog");
  return chosen ? std::string(chosen->system->name) : "error: " + chosen.error();
}

void expect_refused(const Image& image, const std::optional<std::string>& os,
                    const std::vector<std::string>& words) {
  const auto chosen = choose_system(image, os, "prog");
  ASSERT_FALSE(chosen.ok());
  EXPECT_EQ(chosen.error().find('\n'), std::string::npos);
  for (const std::string& word : words) {
    EXPECT_NE(chosen.error().find(word), std::string::npos) << chosen.error() << "\n" << word;
  }
}

TEST(ChooseSystem, TheFileDecides) {
  EXPECT_EQ(system_of(elf(Architecture::mips)), "irix");
  EXPECT_EQ(system_of(elf(Architecture::mips, 64)), "irix");
  EXPECT_EQ(system_of(som()), "hpux");
  EXPECT_EQ(system_of(elf(Architecture::pa_risc, 64)), "hpux");
  EXPECT_EQ(system_of(elf(Architecture::pa_risc)), "linux") << "HP-UX's say that they are";
  Image marked = elf(Architecture::pa_risc);
  marked.os_abi = hpux_abi;
  EXPECT_EQ(system_of(marked), "hpux");
  Image linux_file = elf(Architecture::mips);
  linux_file.is_linux = true;
  EXPECT_EQ(system_of(linux_file), "linux");
}

// li v0, first; syscall; li v0, second; syscall.
Image static_of_gnu_tools(std::uint16_t first, std::uint16_t second) {
  constexpr GuestAddr start(0x400000);
  Image image = elf(Architecture::mips, 32, n32_flag);
  image.is_of_gnu_tools = true;
  Segment text;
  text.address = start;
  for (const std::uint16_t number : {first, second}) {
    const auto high = static_cast<std::uint8_t>(number >> 8);
    const auto low = static_cast<std::uint8_t>(number & 0xff);
    for (const int byte : {0x24, 0x02, +high, +low, 0, 0, 0, 0x0c}) {
      text.bytes.push_back(static_cast<std::uint8_t>(byte));
    }
  }
  text.memory_size = text.bytes.size();
  image.code = {{start, text.memory_size}};
  image.segments.push_back(std::move(text));
  return image;
}

// IRIX's call 20 is 1020, Linux's are 6000 and more in n32 (asm/unistd.h).
TEST(ChooseSystem, TheCallsOfAStaticProgramOfGnuToolsDecide) {
  EXPECT_EQ(system_of(static_of_gnu_tools(1020, 1001)), "irix");
  EXPECT_EQ(system_of(static_of_gnu_tools(6038, 6058)), "linux");
  EXPECT_EQ(system_of(static_of_gnu_tools(1020, 6058)), "linux") << "1020 may be anything";
  EXPECT_EQ(system_of(static_of_gnu_tools(20, 21)), "linux");
  EXPECT_EQ(system_of(static_of_gnu_tools(1020, 1001), "linux"), "linux");
}

// IRIX 4's and others' of before ELF. Little-endian ones are Ultrix's, and there is no Ultrix.
TEST(ChooseSystem, EcoffIsOfIrix4UnlessItIsLittleEndian) {
  Image image = elf(Architecture::mips);
  image.format = FileFormat::ecoff;
  EXPECT_EQ(system_of(image), "irix");
  EXPECT_EQ(system_of(image, "4.3bsd"), "4.3bsd");
  expect_refused(image, "linux", {"--os=linux", "ECOFF", "leave --os out"});
  image.endian = Endian::little;
  expect_refused(image, {}, {"prog", "little-endian MIPS ECOFF", "Ultrix", "--os=", "4.3bsd"});
  EXPECT_EQ(system_of(image, "4.3bsd"), "4.3bsd");
}

TEST(ChooseSystem, MipsProgramsRunUnderOtherSystems) {
  for (const char* const os : {"v7", "4.4bsd", "solaris", "aix", "linux"}) {
    EXPECT_EQ(system_of(elf(Architecture::mips), os), os);
  }
}

// A port for each data model, whose structures and arguments are its own.
TEST(ChooseSystem, ThePortIsOfTheFilesDataModel) {
  const auto widths = [](const Image& image) {
    const posix::SyscallAbi& abi = *choose_system(image, {}, "prog")->port->abi;
    return std::pair(abi.address_bits, abi.register_bits);
  };
  EXPECT_EQ(widths(elf(Architecture::mips)), std::pair(32u, 32u));
  EXPECT_EQ(widths(elf(Architecture::mips, 32, n32_flag)), std::pair(32u, 64u));
  EXPECT_EQ(widths(elf(Architecture::mips, 64)), std::pair(64u, 64u));
  EXPECT_EQ(widths(som()), std::pair(32u, 32u));
  EXPECT_EQ(widths(elf(Architecture::pa_risc, 64)), std::pair(64u, 64u));
}

// The kernel page by which a program enters is the port's, not the file's.
TEST(ChooseSystem, TheGatewayIsThePorts) {
  EXPECT_EQ(choose_system(som(), {}, "prog")->port->gateway_page, GuestAddr(0xc0000000));
  EXPECT_EQ(choose_system(elf(Architecture::pa_risc), "linux", "prog")->port->gateway_page,
            GuestAddr(0));
  EXPECT_EQ(choose_system(elf(Architecture::mips), {}, "prog")->port->gateway_page, std::nullopt);
}

TEST(ChooseSystem, WhatDisagreesIsRefused) {
  expect_refused(elf(Architecture::pa_risc), "hpux",
                 {"prog", "32-bit ELF program for PA-RISC", "HP-UX does not run", "--os=linux"});
  expect_refused(elf(Architecture::pa_risc, 64), "linux", {"64-bit ELF", "--os=hpux"});
  expect_refused(som(), "linux", {"--os=linux", "SOM", "leave --os out"});
  expect_refused(elf(Architecture::mips), "hpux", {"'hpux'", "irix"});
  expect_refused(som(), "irix", {"'irix'", "hpux, linux"});
  Image linux_file = elf(Architecture::mips);
  linux_file.is_linux = true;
  expect_refused(linux_file, "irix", {"--os=irix", "for Linux", "leave --os out"});
  Image wide_linux_file = elf(Architecture::pa_risc, 64);
  wide_linux_file.is_linux = true;
  expect_refused(wide_linux_file, {}, {"says it is for Linux", "does not run"});
}

// Linux on IA-64 is little-endian and has 64 bits (arch/ia64/include/asm/elf.h); HP-UX's programs
// are big-endian, and say whose they are (binutils, bfd/elfxx-ia64.c: ELFOSABI_HPUX).
TEST(ChooseSystem, ItaniumsRunLinuxAndHpux) {
  Image image = elf(Architecture::ia64, 64);
  image.endian = Endian::little;
  EXPECT_EQ(system_of(image), "linux");
  EXPECT_EQ(system_of(image, "linux"), "linux");
  expect_refused(image, "irix", {"'irix'", "linux"});
  image.endian = Endian::big;
  expect_refused(image, {}, {"prog", "64-bit big-endian ELF", "Itanium", "does not run"});
  image.endian = Endian::little;
  image.address_bits = 32;
  expect_refused(image, {}, {"prog", "32-bit ELF", "Itanium", "does not run"});
  image.os_abi = 1;
  image.endian = Endian::big;
  for (const unsigned bits : {32u, 64u}) {
    image.address_bits = bits;
    EXPECT_EQ(system_of(image), "hpux");
    EXPECT_EQ(choose_system(image, {}, "prog")->port->abi->address_bits, bits);
    expect_refused(image, "linux", {"big-endian ELF", "Itanium", "--os=hpux"});
  }
}

// Never MIPS or IRIX by default.
TEST(ChooseSystem, OtherMachinesAreRefused) {
  for (const std::optional<std::string>& os :
       {std::optional<std::string>(), std::optional<std::string>("irix")}) {
    expect_refused(elf(Architecture{}), os, {"prog", "unknown processor", "PA-RISC and IA-64"});
    expect_refused(Image(), os, {"unknown processor"});
  }
}

}  // namespace
}  // namespace hardclock
