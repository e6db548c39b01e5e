// Setting up a process image: what exec leaves for a new program.
#include <algorithm>
#include <cstring>
#include <optional>

#include "syscalls/posix/kernel.h"
#include "syscalls/posix/load_program.h"

namespace hardclock::posix {
namespace {

constexpr std::uint64_t stack_alignment = 16;
// The lowest address at which a program or its dynamic linker is placed that has to be moved.
constexpr GuestAddr lowest_place{0x10000};

// Builds the stack image from its top down.
class StackBuilder {
 public:
  StackBuilder(AddressSpace& memory, GuestAddr top, unsigned word_bytes)
      : memory_(memory), at_(top.value()), word_bytes_(word_bytes) {}

  std::uint64_t push_bytes(std::span<const std::uint8_t> bytes) {
    at_ -= bytes.size();
    write(at_, bytes);
    return at_;
  }
  std::uint64_t push_string(const std::string& text) {
    return push_bytes(
        std::span(reinterpret_cast<const std::uint8_t*>(text.c_str()), text.size() + 1));
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
                                           const Program& program, const Image& image,
                                           GuestAddr linker_base) {
  const Layout& layout = system.layout;
  if (bytes_of(program.arguments) + bytes_of(program.environment) > layout.argument_bytes) {
    return Failure{ExecFailure{Errno::e2big, "arguments and environment exceed " +
                                                 std::to_string(layout.argument_bytes) + " bytes"}};
  }
  const std::uint64_t top = layout.stack_top.value();
  const auto mapped = memory.map_stack(GuestAddr(top - layout.initial_stack), layout.initial_stack,
                                       GuestAddr(top - layout.stack_limit));
  if (!mapped) return not_mapped(mapped.error(), "the stack");
  const unsigned word_bytes = convention_of(image).address_bits / 8;
  StackBuilder stack(memory, layout.stack_top, word_bytes);
  std::vector<std::uint64_t> words = {program.arguments.size()};
  push_vector(stack, program.arguments, words);
  push_vector(stack, program.environment, words);
  if (system.auxiliary_vector != nullptr) {
    const auto push = [&stack](std::span<const std::uint8_t> bytes) {
      return GuestAddr(stack.push_bytes(bytes));
    };
    const auto auxiliary = system.auxiliary_vector(StackContext{program, image, linker_base, push});
    words.insert(words.end(), auxiliary.begin(), auxiliary.end());
  }
  const GuestAddr sp = stack.push_words(words);
  if (!stack.ok()) {
    return Failure{
        ExecFailure{Errno::enomem, "the stack exceeds the memory limit; raise --max-memory"}};
  }
  return sp;
}

bool is_free(const AddressSpace& memory, const Image& image) {
  return std::ranges::all_of(image.segments, [&](const Segment& segment) {
    const std::uint64_t start = segment.address.value() & ~page_mask;
    const std::uint64_t end = segment.address.value() + segment.memory_size;
    return memory.is_free(GuestAddr(start), round_up_to_page(end) - start);
  });
}

// A shared object that its link editor left at address 0 has no place of its own.
bool has_place(const Image& image) {
  return !image.relocatable || image.segments.front().address.value() >= lowest_place.value();
}

// Where a shared object goes whose own place is taken, or that has none: at `preferred` or, where
// that is 0, in a range of the system's for mappings.
std::optional<GuestAddr> find_place(const UnixSystem& system, const AddressSpace& memory,
                                    const Image& image, GuestAddr preferred) {
  const std::uint64_t size = end_of_image(image) - image.segments.front().address;
  if (preferred != GuestAddr(0)) return preferred;
  for (const Layout::Range& range : system.layout.mappings) {
    if (const auto place = memory.find_free(range.low, range.high, size)) return place;
  }
  return std::nullopt;
}

// Maps an image where it belongs, or moved. The result is the image as it lies in memory.
Result<std::shared_ptr<const Image>, ExecFailure> place(const UnixSystem& system,
                                                        AddressSpace& memory,
                                                        std::shared_ptr<const Image> image,
                                                        GuestAddr preferred) {
  if (image->relocatable && !(has_place(*image) && is_free(memory, *image))) {
    const auto base = find_place(system, memory, *image, preferred);
    if (!base) {
      return Failure{ExecFailure{
          Errno::enomem, "no room for " + image->interpreter.value_or("its dynamic linker")}};
    }
    const std::uint64_t first = image->segments.front().address.value() & ~page_mask;
    image = std::make_shared<const Image>(moved(*image, base->value() - first));
  }
  if (!is_free(memory, *image)) {
    return Failure{
        ExecFailure{Errno::enomem, "the program covers the place of its dynamic linker"}};
  }
  const auto mapped = map_image(memory, *image);
  if (!mapped) return Failure{ExecFailure{Errno::enomem, mapped.error()}};
  return image;
}

}  // namespace

Result<ProcessImage, ExecFailure> make_process_image(const UnixSystem& system,
                                                     const Simulation& simulation,
                                                     const Program& program, int pid,
                                                     const MakeCpu& make_cpu) {
  ProcessImage result;
  const Convention& convention = convention_of(*program.image);
  const bool is_wide = convention.address_bits == 64;
  result.memory =
      std::make_unique<AddressSpace>(simulation.budget(), program.image->endian,
                                     is_wide ? system.layout.user_end_64 : system.layout.user_end);
  auto image = place(system, *result.memory, program.image, system.layout.shared_program);
  if (!image) return Failure{image.error()};
  result.image = *std::move(image);
  GuestAddr linker_base;
  GuestAddr entry = result.image->entry;
  if (program.linker != nullptr) {
    const auto linker = place(system, *result.memory, program.linker, GuestAddr(0));
    if (!linker) return Failure{linker.error()};
    linker_base = (*linker)->segments.front().address;
    entry = (*linker)->entry;
  }
  if (system.map_extras != nullptr) {
    const auto extras = system.map_extras(system, *result.memory, pid);
    if (!extras) return Failure{extras.error()};
  }
  const auto sp = build_stack(system, *result.memory, program, *result.image, linker_base);
  if (!sp) return Failure{sp.error()};
  auto cpu = make_cpu(*program.image, *result.memory);
  if (!cpu) return Failure{ExecFailure{Errno::enoexec, cpu.error()}};
  result.cpu = *std::move(cpu);
  convention.start_at(*result.cpu, entry, *sp);
  result.heap_start = end_of_image(*result.image);
  // What loading touched is in the price of an exec.
  result.memory->take_page_faults();
  return result;
}

}  // namespace hardclock::posix
