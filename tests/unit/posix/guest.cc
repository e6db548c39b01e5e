#include "tests/unit/posix/guest.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>

#include "sim/base/check.h"
#include "sim/load/load.h"
#include "syscalls/host/file_space.h"
#include "syscalls/systems.h"
#include "tests/support/mips_machine.h"
#include "tests/unit/load/elf_builder.h"

namespace hardclock::posix::testing {
namespace {

// Registers and opcodes of MIPS I (MIPS RISC Architecture, appendix A).
constexpr unsigned zero = 0, v0 = 2, v1 = 3, a0 = 4, a3 = 7, t0 = 8, t1 = 9, sp = 29, ra = 31;
constexpr std::uint32_t addiu = 0x24000000, ori = 0x34000000, lui = 0x3c000000, lw = 0x8c000000,
                        sw = 0xac000000, beq = 0x10000000, bne = 0x14000000,
                        syscall_instruction = 0x0000000c, jr = 0x00000008, nop = 0;
constexpr std::size_t register_arguments = 4;
constexpr std::uint32_t argument_area = 32;  // bytes, of eight o32 slots

std::uint32_t immediate(std::uint32_t opcode, unsigned rs, unsigned rt, std::uint32_t low) {
  return opcode | rs << 21 | rt << 16 | (low & 0xffff);
}

const CallInfo& find_named(const UnixSystem& system, std::string_view name) {
  const auto found = std::ranges::find_if(system.calls, [&](const CallInfo& call) {
    return call.name == name && call.state != CallState::missing && !call.is_multiplexed();
  });
  CHECK(found != system.calls.end());
  return *found;
}

std::string bytes_of(const std::vector<std::uint32_t>& words) {
  std::string bytes(4 * words.size(), '\0');
  for (std::size_t i = 0; i < words.size(); ++i) {
    store_bytes(reinterpret_cast<std::uint8_t*>(&bytes[4 * i]), words[i], Endian::big);
  }
  return bytes;
}

std::vector<std::uint8_t> file_of(const Program& program) {
  hardclock::testing::ElfBuilder elf;
  elf.header.e_machine = EM_MIPS;
  elf.header.e_flags = 0x1000;  // EF_MIPS_ABI_O32
  elf.header.e_entry = text_base;
  const std::string code = bytes_of(program.code()), data = bytes_of(program.data());
  CHECK(code.size() <= page_size && data.size() <= page_size);
  elf.add_program_header(PT_LOAD, PF_R | PF_X, page_size, text_base, code.size(), page_size);
  elf.add_program_header(PT_LOAD, PF_R | PF_W, 2 * page_size, data_base, data.size(), page_size);
  elf.place(page_size, code);
  elf.place(2 * page_size, data);
  return elf.build().bytes;
}

MakeCpu make_cpu() {
  return [](const posix::Program&, const Port&,
            AddressSpace& memory) -> Result<std::unique_ptr<Cpu>, std::string> {
    return std::unique_ptr<Cpu>(
        mips::make_cpu(support::mips_cpu("r3000"), memory, {.functional = true}));
  };
}

}  // namespace

// ---- Program

void Program::load(unsigned reg, const Argument& value) {
  if (value.kind == Argument::Kind::word) {
    raw(immediate(lw, zero, reg, value.value));
    raw(nop);
    return;
  }
  if (value.kind == Argument::Kind::code) {
    fixups_.push_back({Fixup::Kind::upper, code_.size(), value.value});
    fixups_.push_back({Fixup::Kind::lower, code_.size() + 1, value.value});
  }
  const std::uint32_t number = value.kind == Argument::Kind::number ? value.value : 0;
  raw(immediate(lui, zero, reg, number >> 16));
  raw(immediate(ori, reg, reg, number));
}

std::size_t Program::call(std::string_view name, std::initializer_list<Argument> arguments) {
  const CallInfo& info = find_named(system_, name);
  std::vector<Argument> slots;
  for (const Argument& argument : arguments) {
    if (info.subcode && slots.size() == *info.selector) slots.emplace_back(*info.subcode);
    slots.push_back(argument);
  }
  if (info.subcode && slots.size() == *info.selector) slots.emplace_back(*info.subcode);
  CHECK(result(calls_ + 1) <= own_data && slots.size() <= max_call_slots);
  raw(immediate(addiu, sp, sp, -argument_area));
  for (std::size_t i = slots.size(); i-- > 0;) {
    const bool is_in_register = i < register_arguments;
    const unsigned reg = is_in_register ? a0 + static_cast<unsigned>(i) : t0;
    load(reg, slots[i]);
    if (!is_in_register) raw(immediate(sw, sp, reg, 4 * static_cast<std::uint32_t>(i)));
  }
  load(v0, Argument(info.number));
  raw(syscall_instruction);
  raw(immediate(addiu, sp, sp, argument_area));
  raw(immediate(sw, zero, v0, result(calls_)));
  raw(immediate(sw, zero, v1, second_result(calls_)));
  raw(immediate(sw, zero, a3, failure(calls_)));
  return calls_++;
}

Label Program::label() {
  labels_.push_back(0);
  return {labels_.size() - 1};
}

void Program::place(Label label) {
  labels_[label.index] = code_.size();
}

void Program::branch(std::uint32_t instruction, Label target) {
  fixups_.push_back({Fixup::Kind::branch, code_.size(), target.index});
  raw(instruction);
  raw(nop);
}

void Program::jump(Label target) {
  branch(immediate(beq, zero, zero, 0), target);
}

void Program::jump_if_nonzero(std::uint32_t address, Label target) {
  load(t0, word_at(address));
  branch(immediate(bne, t0, zero, 0), target);
}

void Program::jump_if_zero(std::uint32_t address, Label target) {
  load(t0, word_at(address));
  branch(immediate(beq, t0, zero, 0), target);
}

void Program::store(std::uint32_t address, Argument value) {
  load(t0, value);
  load(t1, Argument(address));
  raw(immediate(sw, t1, t0, 0));
}

void Program::return_to_caller() {
  raw(jr | ra << 21);
  raw(nop);
}

std::uint32_t Program::address_of(std::size_t label) const {
  return text_base + 4 * static_cast<std::uint32_t>(labels_[label]);
}

std::vector<std::uint32_t> Program::code() const {
  std::vector<std::uint32_t> words = code_;
  for (const Fixup& fixup : fixups_) {
    const std::uint32_t address = address_of(fixup.label);
    const std::uint32_t next = text_base + 4 * static_cast<std::uint32_t>(fixup.at + 1);
    const std::uint32_t field = fixup.kind == Fixup::Kind::branch  ? (address - next) >> 2
                                : fixup.kind == Fixup::Kind::upper ? address >> 16
                                                                   : address;
    words[fixup.at] |= field & 0xffff;
  }
  return words;
}

std::vector<std::uint32_t> Program::data() const {
  std::vector<std::uint32_t> words(page_size / 4);
  for (const auto& [address, value] : data_) {
    CHECK(address >= own_data && address < heap_base && value.kind != Argument::Kind::word);
    words[(address - data_base) / 4] =
        value.kind == Argument::Kind::code ? address_of(value.value) : value.value;
  }
  return words;
}

Program program_for(std::string_view os) {
  return Program(*find_unix_system(os, Architecture::mips));
}

// ---- Guest

SimulationOptions Guest::default_options() {
  SimulationOptions options;
  options.cpu_clock = Hertz(1'000'000);  // a time slice is short
  options.max_instructions = Instructions(1'000'000);
  return options;
}

Guest::Guest(const Program& program, SimulationOptions options) : simulation(options) {
  const std::vector<std::uint8_t> bytes = file_of(program);
  const std::string path = folder_.path() + "/self";
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()),
             static_cast<std::streamsize>(bytes.size()));
  std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  auto image = load_image(bytes);
  CHECK(image.ok());
  host::FileSpace space;
  space.binds.push_back({path, "/self", false});
  const std::string data = folder_.path() + "/data";
  std::ofstream(data) << "data";
  space.binds.push_back({data, "/data", true});
  const std::string temporary = folder_.path() + "/tmp";
  std::filesystem::create_directory(temporary);
  space.binds.push_back({temporary, "/tmp", true});
  auto files = host::GuestFiles::create(space);
  CHECK(files.ok());
  kernel = std::make_unique<Kernel>(
      program.system(),
      Options{std::make_shared<host::GuestFiles>(*std::move(files)), host::TimeOfDay(), make_cpu(),
              [this](const std::string& line) { notices.push_back(line); }, nullptr});
  const auto started = kernel->start(
      simulation,
      posix::Program{"/self", std::make_shared<const Image>(*std::move(image)), {"self"}, {}}, {});
  CHECK(started.ok());
  first = *started;
  memory = first->memory;
}

std::uint32_t Guest::word(std::uint32_t address) const {
  return memory->read<std::uint32_t>(GuestAddr(address)).value();
}

std::optional<Errno> Guest::error(std::size_t call) const {
  if (word(Program::failure(call)) == 0) return std::nullopt;
  return kernel->system().errnos.error(value(call));
}

}  // namespace hardclock::posix::testing
