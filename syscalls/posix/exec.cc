// Setting up a process image: what exec leaves for a new program.
#include <algorithm>
#include <optional>

#include "syscalls/posix/kernel.h"
#include "syscalls/posix/load_program.h"

namespace hardclock::posix {
namespace {

constexpr std::uint64_t stack_alignment = 16;
// Of a stack that grows up (PA-RISC): what the stack pointer is a multiple of, and the room below
// it for the frame marker and the argument homes of the function that starts.
constexpr std::uint64_t upward_alignment = 64, first_frame = 128;
// The lowest address at which a program or its dynamic linker is placed that has to be moved.
constexpr GuestAddr lowest_place{0x10000};

// Builds the stack image from the end that does not move.
class StackBuilder {
 public:
  StackBuilder(AddressSpace& memory, GuestAddr end, const SyscallAbi& abi)
      : memory_(memory),
        at_(end.value()),
        word_bytes_(abi.long_bytes()),
        grows_up_(abi.stack_grows_up) {}

  std::uint64_t push_bytes(std::span<const std::uint8_t> bytes) {
    if (!grows_up_) at_ -= bytes.size();
    const std::uint64_t address = at_;
    write(address, bytes);
    if (grows_up_) at_ += bytes.size();
    return address;
  }
  std::uint64_t push_string(const std::string& text) {
    return push_bytes(
        std::span(reinterpret_cast<const std::uint8_t*>(text.c_str()), text.size() + 1));
  }

  // Leaves a gap as further strings would.
  void skip(std::uint64_t bytes) { at_ = grows_up_ ? at_ + bytes : at_ - bytes; }

  // Writes the vector of words so that the first of them is at an aligned address, which is sp
  // where the stack grows down.
  GuestAddr push_words(const std::vector<std::uint64_t>& words) {
    const std::uint64_t bytes = word_bytes_ * words.size();
    const std::uint64_t first =
        (grows_up_ ? at_ + stack_alignment - 1 : at_ - bytes) & ~(stack_alignment - 1);
    at_ = grows_up_ ? first + bytes : first;
    std::uint64_t address = first;
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
    return GuestAddr(first);
  }

  GuestAddr stack_pointer() const {
    if (!grows_up_) return GuestAddr(at_);
    return GuestAddr(((at_ + upward_alignment - 1) & ~(upward_alignment - 1)) + first_frame);
  }
  bool ok() const { return ok_; }

 private:
  void write(std::uint64_t address, std::span<const std::uint8_t> bytes) {
    ok_ = ok_ && memory_.write_bytes(GuestAddr(address), bytes).ok();
  }

  AddressSpace& memory_;
  std::uint64_t at_;
  std::size_t word_bytes_;
  bool grows_up_;
  bool ok_ = true;
};

std::size_t bytes_of(const std::vector<std::string>& strings) {
  std::size_t bytes = 0;
  for (const std::string& text : strings) bytes += text.size() + 1;
  return bytes;
}

// Their addresses, which grow from one to the next, and a null.
std::vector<std::uint64_t> push_strings(StackBuilder& stack, bool grows_up,
                                        const std::vector<std::string>& strings) {
  std::vector<std::uint64_t> words(strings.size());
  for (std::size_t i = 0; i < strings.size(); ++i) {
    const std::size_t next = grows_up ? i : strings.size() - 1 - i;
    words[next] = stack.push_string(strings[next]);
  }
  words.push_back(0);
  return words;
}

// The environment lies above the arguments: debuggers read what they take for an argument in
// pieces of 256 bytes, and there is less above the last one otherwise.
void push_arguments(StackBuilder& stack, bool grows_up, const Program& program,
                    std::vector<std::uint64_t>& words) {
  std::vector<std::uint64_t> environment;
  if (!grows_up) environment = push_strings(stack, grows_up, program.environment);
  const auto arguments = push_strings(stack, grows_up, program.arguments);
  if (grows_up) environment = push_strings(stack, grows_up, program.environment);
  words.insert(words.end(), arguments.begin(), arguments.end());
  words.insert(words.end(), environment.begin(), environment.end());
}

// What pixie of IRIX 4 puts in front of a program moves the stack up to argv[0], word by word.
void align_program_name(StackBuilder& stack, const Program& program) {
  constexpr std::size_t word = 4;
  const std::size_t bytes = bytes_of(program.arguments) + bytes_of(program.environment);
  stack.skip((word - bytes % word) % word);
}

Failure<ExecFailure> not_mapped(MapError error, const std::string& what) {
  return Failure{ExecFailure{Errno::enomem, error == MapError::memory
                                                ? "no room for " + what + "; raise --max-memory"
                                                : "the program covers the place of " + what}};
}

// The end of a program's stack that does not move.
Result<GuestAddr, ExecFailure> map_stack(const Port& port, AddressSpace& memory,
                                         const Image& image) {
  const Layout& layout = port.layout;
  const GuestAddr top = layout.stack_top;
  const GuestAddr bottom = top - layout.stack_limit;
  const bool grows_up = port.abi->stack_grows_up;
  const GuestAddr start = grows_up ? bottom : top - layout.initial_stack;
  auto mapped = memory.map_stack(start, layout.initial_stack, grows_up ? top : bottom);
  if (mapped && image.executable_stack) {
    constexpr Permissions all{.read = true, .write = true, .execute = true};
    mapped = memory.protect(start, layout.initial_stack, all);
  }
  if (!mapped) return not_mapped(mapped.error(), "the stack");
  return grows_up ? bottom : top;
}

struct FirstStack {
  GuestAddr stack_pointer;
  StartArguments arguments;
};

// argc, argv, envp, and what the system puts behind them.
Result<FirstStack, ExecFailure> build_stack(const Port& port, AddressSpace& memory,
                                            const Program& program, const Image& image,
                                            GuestAddr linker_base, std::uint64_t gap) {
  const std::size_t most = port.layout.argument_bytes;
  if (bytes_of(program.arguments) + bytes_of(program.environment) > most) {
    return Failure{ExecFailure{
        Errno::e2big, "arguments and environment exceed " + std::to_string(most) + " bytes"}};
  }
  const auto end = map_stack(port, memory, image);
  if (!end) return Failure{end.error()};
  StackBuilder stack(memory, *end, *port.abi);
  std::vector<std::uint64_t> words = {program.arguments.size()};
  if (image.format == FileFormat::ecoff) align_program_name(stack, program);
  push_arguments(stack, port.abi->stack_grows_up, program, words);
  const std::size_t environment = 1 + program.arguments.size() + 1;
  stack.skip(gap);
  const std::size_t behind = words.size();
  if (port.auxiliary_vector != nullptr) {
    const auto push = [&stack](std::span<const std::uint8_t> bytes) {
      return GuestAddr(stack.push_bytes(bytes));
    };
    const auto auxiliary = port.auxiliary_vector(
        StackContext{program, image, linker_base, port.layout.page_bytes, push});
    words.insert(words.end(), auxiliary.begin(), auxiliary.end());
  }
  const GuestAddr first = stack.push_words(words);
  if (!stack.ok()) {
    return Failure{
        ExecFailure{Errno::enomem, "the stack exceeds the memory limit; raise --max-memory"}};
  }
  const auto address_of = [&](std::size_t word) { return first + word * port.abi->long_bytes(); };
  return FirstStack{
      stack.stack_pointer(),
      {program.arguments.size(), address_of(1), address_of(environment), address_of(behind)}};
}

bool is_free(const Layout& layout, const AddressSpace& memory, const Image& image) {
  return std::ranges::all_of(image.segments, [&](const Segment& segment) {
    const std::uint64_t start = layout.page_of(segment.address.value());
    const std::uint64_t end = segment.address.value() + segment.memory_size;
    return memory.is_free(GuestAddr(start), layout.round_up(end) - start);
  });
}

// A shared object that its link editor left at address 0 has no place of its own.
bool has_place(const Image& image) {
  return !image.relocatable || image.segments.front().address.value() >= lowest_place.value();
}

// Where a shared object goes whose own place is taken, or that has none: at `preferred` or, where
// that is 0, in a range of the system's for mappings.
std::optional<GuestAddr> find_place(const Layout& layout, const AddressSpace& memory,
                                    const Image& image, GuestAddr preferred) {
  const GuestAddr first(layout.page_of(image.segments.front().address.value()));
  const std::uint64_t size = end_of_image(layout, image) - first;
  if (size > memory.user_end() - preferred) return std::nullopt;
  if (preferred != GuestAddr(0)) return preferred;
  for (const Layout::Range& range : layout.mappings) {
    if (const auto place = memory.find_free(range.low, range.high, size)) return place;
  }
  return std::nullopt;
}

// Maps an image where it belongs, or moved. The result is the image as it lies in memory.
Result<std::shared_ptr<const Image>, ExecFailure> place(const Layout& layout, AddressSpace& memory,
                                                        std::shared_ptr<const Image> image,
                                                        const std::string& path,
                                                        GuestAddr preferred) {
  if (image->relocatable && !(has_place(*image) && is_free(layout, memory, *image))) {
    const auto base = find_place(layout, memory, *image, preferred);
    if (!base) return Failure{ExecFailure{Errno::enomem, "no room for " + path}};
    const std::uint64_t first = layout.page_of(image->segments.front().address.value());
    image = std::make_shared<const Image>(moved(*image, base->value() - first));
  }
  if (!is_free(layout, memory, *image)) {
    return Failure{
        ExecFailure{Errno::enomem, "the program covers the place of its dynamic linker"}};
  }
  const auto mapped = map_image(layout, memory, *image, path);
  if (!mapped) return Failure{ExecFailure{Errno::enomem, mapped.error()}};
  return image;
}

}  // namespace

const Port* find_port(const UnixSystem& system, const Image& image) {
  const auto found = std::ranges::find_if(
      system.ports, [&image](const Port& port) { return port.abi->suits(image); });
  return found == system.ports.end() ? nullptr : &*found;
}

Result<ProcessImage, ExecFailure> make_process_image(const UnixSystem& system,
                                                     const Simulation& simulation,
                                                     const Program& program, int pid,
                                                     const MakeCpu& make_cpu) {
  ProcessImage result;
  result.port = find_port(system, *program.image);
  if (result.port == nullptr) {
    return Failure{ExecFailure{Errno::enoexec,
                               program.path + " is no program for " + std::string(system.title) +
                                   ": its file is for another system or processor"}};
  }
  const Port& port = *result.port;
  const Layout& layout = port.layout;
  result.memory =
      std::make_unique<AddressSpace>(simulation.budget(), program.image->endian, layout.user_end);
  auto image = place(layout, *result.memory, program.image, program.path, layout.shared_program);
  if (!image) return Failure{image.error()};
  result.image = *std::move(image);
  GuestAddr linker_base;
  GuestAddr entry = result.image->entry;
  if (program.linker != nullptr) {
    const auto linker = place(layout, *result.memory, program.linker,
                              program.image->interpreter.value_or(""), GuestAddr(0));
    if (!linker) return Failure{linker.error()};
    linker_base = (*linker)->segments.front().address;
    entry = (*linker)->entry;
  }
  if (port.map_extras != nullptr) {
    const auto extras = port.map_extras(port, *result.memory, *result.image, pid);
    if (!extras) return Failure{extras.error()};
  }
  const auto stack = build_stack(port, *result.memory, program, *result.image, linker_base,
                                 simulation.stack_gap());
  if (!stack) return Failure{stack.error()};
  Program placed = program;
  placed.image = result.image;
  auto cpu = make_cpu(placed, port, *result.memory);
  if (!cpu) return Failure{ExecFailure{Errno::enoexec, cpu.error()}};
  result.cpu = *std::move(cpu);
  port.abi->start_at(*result.cpu, entry, stack->stack_pointer);
  if (port.abi->pass_arguments != nullptr) {
    port.abi->pass_arguments(*result.cpu, stack->arguments);
  }
  result.started = std::make_shared<const StartText>(
      StartText{program.arguments, program.environment, stack->arguments.behind});
  result.heap_start = end_of_image(layout, *result.image);
  // What loading touched is in the price of an exec.
  result.memory->take_page_faults();
  return result;
}

}  // namespace hardclock::posix
