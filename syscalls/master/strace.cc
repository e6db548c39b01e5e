#include "syscalls/master/strace.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "sim/base/bits.h"

namespace hardclock {
namespace {

constexpr std::size_t max_string = 32;  // strace(1), -s
constexpr std::size_t max_path = 1024;  // PATH_MAX of IRIX and HP-UX; more is no path

bool is_octal_digit(char c) {
  return c >= '0' && c <= '7';
}

// As a C string literal, without the quotes. An octal escape is as short as what follows permits.
std::string escaped(std::string_view bytes) {
  constexpr std::string_view special = "\t\n\v\f\r\"\\";
  constexpr std::string_view letters = "tnvfr\"\\";
  std::string out;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const auto byte = static_cast<unsigned char>(bytes[i]);
    if (const std::size_t at = special.find(bytes[i]); at != special.npos) {
      out += {'\\', letters[at]};
    } else if (byte >= ' ' && byte <= '~') {
      out += bytes[i];
    } else if (i + 1 < bytes.size() && is_octal_digit(bytes[i + 1])) {
      out += fmt::format("\\{:03o}", byte);
    } else {
      out += fmt::format("\\{:o}", byte);
    }
  }
  return out;
}

// In quotes, cut after `max` bytes.
std::string quoted(std::string_view bytes, std::size_t max) {
  return fmt::format("\"{}\"{}", escaped(bytes.substr(0, max)), bytes.size() > max ? "..." : "");
}

// The bytes from `address` up to the first unreadable one, at most `max`; with `stop_at_nul` up to
// and including the first NUL.
std::string readable_bytes(AddressSpace& memory, GuestAddr address, std::uint64_t max,
                           bool stop_at_nul) {
  std::string out;
  while (out.size() < max) {
    const GuestAddr at = address + out.size();
    const Region* region = memory.region_at(at);
    if (region == nullptr || !region->permissions.read) break;
    std::array<std::uint8_t, 64> chunk;  // divides a page
    const std::size_t to_boundary = chunk.size() - at.value() % chunk.size();
    const std::size_t part = std::min<std::uint64_t>(max - out.size(), to_boundary);
    if (!memory.read_bytes(at, std::span(chunk.data(), part))) break;
    const auto end = chunk.begin() + part;
    const auto nul = stop_at_nul ? std::find(chunk.begin(), end, 0) : end;
    out.append(chunk.begin(), nul == end ? end : nul + 1);
    if (nul != end) break;
  }
  return out;
}

std::string pointer_text(std::uint64_t address) {
  return address == 0 ? "NULL" : fmt::format("{:#x}", address);
}

// `pointer` is what is shown if nothing can be read at its address.
std::string string_text(AddressSpace& memory, GuestAddr address, std::uint64_t pointer,
                        std::size_t max) {
  std::string bytes = readable_bytes(memory, address, max + 1, true);
  if (!bytes.empty() && bytes.back() == '\0') {
    bytes.pop_back();
  } else if (bytes.size() <= max) {
    return pointer_text(pointer);
  }
  return quoted(bytes, max);
}

std::string buffer_text(AddressSpace& memory, GuestAddr address, std::uint64_t pointer,
                        std::uint64_t size) {
  const std::uint64_t shown = std::min<std::uint64_t>(size, max_string);
  const std::string bytes = readable_bytes(memory, address, shown, false);
  if (bytes.size() < shown || pointer == 0) return pointer_text(pointer);
  return quoted(bytes, max_string) + (size > max_string ? "..." : "");
}

std::uint64_t truncated(std::uint64_t value, unsigned bits) {
  return bit_field(value, 0, bits);
}

// A number of the kind; kinds that refer to memory print as addresses.
std::string number_text(ValueKind kind, std::uint64_t value, unsigned word_bits,
                        const SignalName& signal_name) {
  switch (kind) {
    case ValueKind::int32:
    case ValueKind::fd:
    case ValueKind::pid:
    case ValueKind::subcode:
    case ValueKind::call:
      return fmt::format("{}", sign_extend(value, 32));
    case ValueKind::uint32:
      return fmt::format("{}", truncated(value, 32));
    case ValueKind::word:
      return fmt::format("{}", sign_extend(value, word_bits));
    case ValueKind::size:
      return fmt::format("{}", truncated(value, word_bits));
    case ValueKind::int64:
      return fmt::format("{}", static_cast<std::int64_t>(value));
    case ValueKind::mode:
      return fmt::format("{:#o}", truncated(value, 32));
    case ValueKind::signal: {
      const auto signal = static_cast<std::uint32_t>(value);
      const std::string_view name = signal_name != nullptr ? signal_name(signal) : "";
      return name.empty() ? fmt::format("{}", sign_extend(value, 32)) : std::string(name);
    }
    case ValueKind::pointer:
    case ValueKind::path:
    case ValueKind::string:
    case ValueKind::in:
    case ValueKind::out:
    case ValueKind::out_string:
      return pointer_text(truncated(value, word_bits));
    case ValueKind::hex:
    case ValueKind::rest:
    case ValueKind::unknown:
      return fmt::format("{:#x}", truncated(value, word_bits));
    case ValueKind::pad:
    case ValueKind::none:
      break;
  }
  return {};
}

// The arguments of one call, slot by slot.
class Slots {
 public:
  Slots(const CallInfo& call, std::span<const std::uint64_t> slots)
      : call_(call), slots_(slots.first(std::min<std::size_t>(slots.size(), call.slot_count))) {}

  // Slot of each of call.arguments; a request's sub-code is not among them.
  std::vector<std::size_t> positions() const {
    std::vector<std::size_t> out;
    std::size_t next = 0;
    for (const ArgInfo& argument : call_.arguments) {
      out.push_back(skip_subcode(next));
      for (unsigned i = 0; i < slots_of(argument.kind); ++i) next = skip_subcode(next) + 1;
    }
    return out;
  }

  // The value that begins in a slot; nothing if it is not there.
  std::optional<std::uint64_t> value(ValueKind kind, std::size_t slot) const {
    if (slot >= slots_.size()) return std::nullopt;
    if (kind != ValueKind::int64) return slots_[slot];
    const std::size_t low = skip_subcode(slot + 1);
    if (low >= slots_.size()) return std::nullopt;
    return slots_[slot] << 32 | truncated(slots_[low], 32);
  }

  // From `slot` on: whatever the caller passed.
  std::vector<std::uint64_t> rest(std::size_t slot) const {
    std::vector<std::uint64_t> out;
    for (; slot < slots_.size(); ++slot) {
      if (skip_subcode(slot) == slot) out.push_back(slots_[slot]);
    }
    return out;
  }

 private:
  std::size_t skip_subcode(std::size_t slot) const {
    return call_.subcode && call_.selector == slot ? slot + 1 : slot;
  }

  const CallInfo& call_;
  std::span<const std::uint64_t> slots_;
};

// open(path, flags, mode): the flags stand before.
bool is_mode_of_open(const CallInfo& call, std::size_t argument) {
  return call.arguments[argument].kind == ValueKind::mode && argument > 0 &&
         call.arguments[argument - 1].kind == ValueKind::hex &&
         call.arguments[argument - 1].name == "flags";
}

std::string joined(std::string_view name, const std::vector<std::string>& texts) {
  return fmt::format("{}({})", name, fmt::join(texts, ", "));
}

}  // namespace

CallText::CallText(const CallInfo& call, std::span<const std::uint64_t> slots_given,
                   AddressSpace& memory, const CallTextRules& rules)
    : name_(call.name), word_bits_(call.word_bits) {
  const Slots slots(call, slots_given);
  const std::vector<std::size_t> positions = slots.positions();
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    const ArgInfo& argument = call.arguments[i];
    if (argument.kind == ValueKind::pad) continue;
    if (argument.kind == ValueKind::rest || argument.kind == ValueKind::unknown) {
      for (const std::uint64_t value : slots.rest(positions[i])) {
        texts_.push_back(number_text(ValueKind::hex, value, word_bits_, nullptr));
      }
      continue;
    }
    const std::optional<std::uint64_t> value = slots.value(argument.kind, positions[i]);
    if (!value) {
      texts_.push_back("?");
      continue;
    }
    if (is_mode_of_open(call, i) && rules.create_flag != 0) {
      const auto flags = slots.value(ValueKind::hex, positions[i - 1]);
      if (flags && (*flags & rules.create_flag) == 0) continue;
    }
    const std::size_t size_at = argument.size_argument;
    const std::uint64_t size =
        slots.value(call.arguments[size_at].kind, positions[size_at]).value_or(0);
    add_argument(argument.kind, *value, truncated(size, word_bits_), memory, rules);
  }
}

void CallText::add_argument(ValueKind kind, std::uint64_t value, std::uint64_t size,
                            AddressSpace& memory, const CallTextRules& rules) {
  const std::uint64_t pointer = truncated(value, word_bits_);
  const GuestAddr address =
      rules.address_of != nullptr ? rules.address_of(pointer) : GuestAddr(pointer);
  switch (kind) {
    case ValueKind::path:
      texts_.push_back(string_text(memory, address, pointer, max_path));
      return;
    case ValueKind::string:
      texts_.push_back(string_text(memory, address, pointer, max_string));
      return;
    case ValueKind::in:
      texts_.push_back(buffer_text(memory, address, pointer, size));
      return;
    case ValueKind::out:
    case ValueKind::out_string:
      outputs_.push_back({texts_.size(), kind, address, pointer, size});
      break;
    default:
      break;
  }
  texts_.push_back(number_text(kind, value, word_bits_, rules.signal_name));
}

std::string CallText::at_entry() const {
  return joined(name_, texts_);
}

std::string CallText::at_return(std::uint64_t value, AddressSpace& memory) const {
  std::vector<std::string> texts = texts_;
  for (const Output& output : outputs_) {
    const std::uint64_t filled = std::min(truncated(value, word_bits_), output.size);
    texts[output.text] = output.kind == ValueKind::out
                             ? buffer_text(memory, output.address, output.pointer, filled)
                             : string_text(memory, output.address, output.pointer, max_string);
  }
  return joined(name_, texts);
}

std::string format_result(const CallInfo& call, std::uint64_t value,
                          std::optional<std::uint64_t> second, std::optional<ErrnoName> error) {
  if (error) {
    return error->name.empty() ? fmt::format(" = -1 ({})", error->number)
                               : fmt::format(" = -1 {} ({})", error->name, error->number);
  }
  if (call.result == ValueKind::none) return " = ?";
  std::string out = " = " + number_text(call.result, value, call.word_bits, nullptr);
  if (call.second_result && second) {
    const ArgInfo& info = *call.second_result;
    out += fmt::format(" ({} {})", info.name,
                       number_text(info.kind, *second, call.word_bits, nullptr));
  }
  return out;
}

}  // namespace hardclock
