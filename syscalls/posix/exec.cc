// Setting up a process image: what exec leaves for a new program.
#include <cstring>

#include "syscalls/posix/kernel.h"
#include "syscalls/posix/load_program.h"

namespace hardclock::posix {
namespace {

constexpr std::uint64_t stack_alignment = 16;
// 64-bit programs have the lower half of the address space: HP-UX's data is at 0x6000000000000000.
constexpr GuestAddr user_end_64{std::uint64_t{1} << 63};

// Builds the stack image from its top down.
class StackBuilder {
 public:
  StackBuilder(AddressSpace& memory, GuestAddr top, unsigned word_bytes)
      : memory_(memory), at_(top.value()), word_bytes_(word_bytes) {}

  std::uint64_t push_string(const std::string& text) {
    at_ -= text.size() + 1;
    write(at_, std::span(reinterpret_cast<const std::uint8_t*>(text.c_str()), text.size() + 1));
    return at_;
  }

  // Writes the vector of words so that the first of them is at an aligned address: sp.
  GuestAddr push_words(const std::vector<std::uint64_t>& words) {
    at_ = (at_ - word_bytes_ * words.size()) & ~(stack_alignment - 1);
    std::uint64_t address = at_;
    for (const std::uint64_t word : words) {
      std::uint8_t bytes[8];
      if (word_bytes_ == 8) {
        store_bytes(bytes, word, memory_.endian());
      } else {
        store_bytes(bytes, static_cast<std::uint32_t>(word), memory_.endian());
      }
      write(address, std::span(bytes).first(word_bytes_));
      address += word_bytes_;
    }
    return GuestAddr(at_);
  }

  bool ok() const { return ok_; }

 private:
  void write(std::uint64_t address, std::span<const std::uint8_t> bytes) {
    ok_ = ok_ && memory_.write_bytes(GuestAddr(address), bytes).ok();
  }

  AddressSpace& memory_;
  std::uint64_t at_;
  std::size_t word_bytes_;
  bool ok_ = true;
};

std::size_t bytes_of(const std::vector<std::string>& strings) {
  std::size_t bytes = 0;
  for (const std::string& text : strings) bytes += text.size() + 1;
  return bytes;
}

void push_vector(StackBuilder& stack, const std::vector<std::string>& strings,
                 std::vector<std::uint64_t>& words) {
  for (const std::string& text : strings) words.push_back(stack.push_string(text));
  words.push_back(0);
}

Failure<ExecFailure> not_mapped(MapError error, const std::string& what) {
  return Failure{ExecFailure{Errno::enomem, error == MapError::memory
                                                ? "no room for " + what + "; raise --max-memory"
                                                : "the program covers the place of " + what}};
}

// argc, argv, envp, and what the system puts behind them. Returns sp.
Result<GuestAddr, ExecFailure> build_stack(const UnixSystem& system, AddressSpace& memory,
                                           const Program& program) {
  const Layout& layout = system.layout;
  if (bytes_of(program.arguments) + bytes_of(program.environment) > layout.argument_bytes) {
    return Failure{ExecFailure{Errno::e2big, "arguments and environment exceed " +
                                                 std::to_string(layout.argument_bytes) + " bytes"}};
  }
  const std::uint64_t top = layout.stack_top.value();
  const auto mapped = memory.map_stack(GuestAddr(top - layout.initial_stack), layout.initial_stack,
                                       GuestAddr(top - layout.stack_limit));
  if (!mapped) return not_mapped(mapped.error(), "the stack");
  const unsigned word_bytes = convention_of(*program.image).address_bits / 8;
  StackBuilder stack(memory, layout.stack_top, word_bytes);
  std::vector<std::uint64_t> words = {program.arguments.size()};
  push_vector(stack, program.arguments, words);
  push_vector(stack, program.environment, words);
  if (system.auxiliary_vector != nullptr) {
    const auto auxiliary = system.auxiliary_vector(*program.image);
    words.insert(words.end(), auxiliary.begin(), auxiliary.end());
  }
  const GuestAddr sp = stack.push_words(words);
  if (!stack.ok()) {
    return Failure{
        ExecFailure{Errno::enomem, "the stack exceeds the memory limit; raise --max-memory"}};
  }
  return sp;
}

}  // namespace

Result<ProcessImage, ExecFailure> make_process_image(const UnixSystem& system,
                                                     const Simulation& simulation,
                                                     const Program& program, int pid,
                                                     const MakeCpu& make_cpu) {
  ProcessImage result;
  const bool is_wide = convention_of(*program.image).address_bits == 64;
  result.memory = std::make_unique<AddressSpace>(simulation.budget(), program.image->endian,
                                                 is_wide ? user_end_64 : system.layout.user_end);
  const auto mapped = map_image(*result.memory, *program.image);
  if (!mapped) return Failure{ExecFailure{Errno::enomem, mapped.error()}};
  if (system.map_extras != nullptr) {
    const auto extras = system.map_extras(system, *result.memory, pid);
    if (!extras) return Failure{extras.error()};
  }
  const auto sp = build_stack(system, *result.memory, program);
  if (!sp) return Failure{sp.error()};
  auto cpu = make_cpu(*program.image, *result.memory);
  if (!cpu) return Failure{ExecFailure{Errno::enoexec, cpu.error()}};
  result.cpu = *std::move(cpu);
  convention_of(*program.image).start_at(*result.cpu, program.image->entry, *sp);
  result.heap_start = end_of_image(*program.image);
  return result;
}

}  // namespace hardclock::posix
