// Setting up a process image: what IRIX's exec leaves for a new program.
#include <cstring>

#include "isa/mips/abi.h"
#include "syscalls/irix/irix.h"
#include "syscalls/posix/load_program.h"

namespace hardclock::irix {
namespace {

// The stack ends at 0x7fff8000 and may grow to 64 MB, IRIX's usual soft limit.
constexpr std::uint64_t stack_top = 0x7fff8000;
constexpr std::uint64_t initial_stack = 128 * 1024;
constexpr std::uint64_t stack_limit = std::uint64_t{64} << 20;
constexpr std::uint64_t stack_alignment = 16;

// Bytes of argument and environment strings that exec accepts (sysconf _SC_ARG_MAX).
constexpr std::size_t arg_max = 20480;

// The process data area: one page with the pid where libc looks for it (IRIX <sys/prctl.h>).
constexpr GuestAddr prda{0x00200000};
constexpr std::uint64_t prda_pid = 0xe00, prda_rpid = 0xe40;

enum AuxType : std::uint32_t {
  at_null = 0,
  at_phdr = 3,
  at_phent = 4,
  at_phnum = 5,
  at_pagesz = 6,
  at_base = 7,
  at_flags = 8,
  at_entry = 9
};
constexpr std::uint32_t program_header_size = 32;

// Builds the stack image from its top down.
class StackBuilder {
 public:
  explicit StackBuilder(AddressSpace& memory) : memory_(memory) {}

  std::uint32_t push_string(const std::string& text) {
    at_ -= text.size() + 1;
    write(at_, std::span(reinterpret_cast<const std::uint8_t*>(text.c_str()), text.size() + 1));
    return static_cast<std::uint32_t>(at_);
  }

  // Writes the vector of words so that the first of them is at an aligned address: sp.
  std::uint32_t push_words(const std::vector<std::uint32_t>& words) {
    at_ = (at_ - 4 * words.size()) & ~(stack_alignment - 1);
    std::uint64_t address = at_;
    for (const std::uint32_t word : words) {
      std::uint8_t bytes[4];
      store_bytes(bytes, word, memory_.endian());
      write(address, bytes);
      address += 4;
    }
    return static_cast<std::uint32_t>(at_);
  }

  bool ok() const { return ok_; }

 private:
  void write(std::uint64_t address, std::span<const std::uint8_t> bytes) {
    ok_ = ok_ && memory_.write_bytes(GuestAddr(address), bytes).ok();
  }

  AddressSpace& memory_;
  std::uint64_t at_ = stack_top;
  bool ok_ = true;
};

std::size_t bytes_of(const std::vector<std::string>& strings) {
  std::size_t bytes = 0;
  for (const std::string& text : strings) bytes += text.size() + 1;
  return bytes;
}

void push_vector(StackBuilder& stack, const std::vector<std::string>& strings,
                 std::vector<std::uint32_t>& words) {
  for (const std::string& text : strings) words.push_back(stack.push_string(text));
  words.push_back(0);
}

Failure<ExecFailure> not_mapped(MapError error, const std::string& what) {
  return Failure{ExecFailure{Errno::enomem, error == MapError::memory
                                                ? "no room for " + what + "; raise --max-memory"
                                                : "the program covers the place of " + what}};
}

// argc, argv, envp, auxiliary vector. Returns sp.
Result<std::uint32_t, ExecFailure> build_stack(AddressSpace& memory, const Program& program) {
  if (bytes_of(program.arguments) + bytes_of(program.environment) > arg_max) {
    return Failure{ExecFailure{Errno::e2big, "arguments and environment exceed 20480 bytes"}};
  }
  const auto mapped = memory.map_stack(GuestAddr(stack_top - initial_stack), initial_stack,
                                       GuestAddr(stack_top - stack_limit));
  if (!mapped) return not_mapped(mapped.error(), "the stack");
  StackBuilder stack(memory);
  const Image& image = *program.image;
  std::vector<std::uint32_t> words = {static_cast<std::uint32_t>(program.arguments.size())};
  push_vector(stack, program.arguments, words);
  push_vector(stack, program.environment, words);
  const auto word = [](GuestAddr address) { return static_cast<std::uint32_t>(address.value()); };
  const std::uint32_t auxv[] = {at_phdr,   word(image.program_headers),
                                at_phent,  program_header_size,
                                at_phnum,  image.program_header_count,
                                at_pagesz, page_size,
                                at_base,   0,
                                at_flags,  0,
                                at_entry,  word(image.entry),
                                at_null,   0};
  words.insert(words.end(), std::begin(auxv), std::end(auxv));
  const std::uint32_t sp = stack.push_words(words);
  if (!stack.ok()) {
    return Failure{
        ExecFailure{Errno::enomem, "the stack exceeds the memory limit; raise --max-memory"}};
  }
  return sp;
}

Result<Ok, ExecFailure> map_prda(AddressSpace& memory, int pid) {
  const auto mapped = memory.map(prda, page_size, Permissions{.read = true, .write = true}, "prda");
  if (!mapped) return not_mapped(mapped.error(), "the process data area at 0x200000");
  const auto id = static_cast<std::uint32_t>(pid);
  if (!memory.write(prda + prda_pid, id) || !memory.write(prda + prda_rpid, id)) {
    return not_mapped(MapError::memory, "the process data area");
  }
  return Ok{};
}

}  // namespace

Result<ProcessImage, ExecFailure> make_process_image(const Simulation& simulation,
                                                     const Program& program, int pid,
                                                     const MakeCpu& make_cpu) {
  ProcessImage result;
  result.memory =
      std::make_unique<AddressSpace>(simulation.budget(), program.image->endian, user_end);
  const auto mapped = posix::map_image(*result.memory, *program.image);
  if (!mapped) return Failure{ExecFailure{Errno::enomem, mapped.error()}};
  const auto prda_mapped = map_prda(*result.memory, pid);
  if (!prda_mapped) return Failure{prda_mapped.error()};
  const auto sp = build_stack(*result.memory, program);
  if (!sp) return Failure{sp.error()};
  auto cpu = make_cpu(*program.image, *result.memory);
  if (!cpu) return Failure{ExecFailure{Errno::enoexec, cpu.error()}};
  result.cpu = *std::move(cpu);
  mips::Registers& registers = mips::registers_of(*result.cpu);
  registers.gpr[mips::sp] = mips::to_register(*sp);
  registers.set_pc(program.image->entry.value());
  result.break_start = posix::end_of_image(*program.image);
  return result;
}

}  // namespace hardclock::irix
