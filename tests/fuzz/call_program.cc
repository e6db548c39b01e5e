#include "tests/fuzz/call_program.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string_view>

#include "isa/mips/abi.h"
#include "syscalls/systems.h"

namespace hardclock::fuzzing {
namespace {

using mips_ports::DataModel;

// Linux has a range of call numbers for each of its data models (arch/mips/include/uapi/asm/
// unistd.h); the others have one table.
constexpr unsigned linux_n64_numbers = 5000, linux_n32_numbers = 6000;

bool belongs_to(const Variant& variant, const CallInfo& call) {
  if (variant.system->name != "linux") return true;
  switch (variant.model) {
    case DataModel::o32:
      return call.number < linux_n64_numbers;
    case DataModel::n64:
      return call.number >= linux_n64_numbers && call.number < linux_n32_numbers;
    case DataModel::n32:
      return call.number >= linux_n32_numbers;
  }
}

std::vector<CallInfo> calls_of(const Variant& variant) {
  std::vector<CallInfo> calls;
  std::ranges::copy_if(variant.system->calls, std::back_inserter(calls),
                       [&](const CallInfo& call) { return belongs_to(variant, call); });
  return calls;
}

// Calls that what the others do depends on: half of a program's are of these. Not every system has
// them all.
constexpr std::array<std::string_view, 20> common_names = {
    "open", "open",   "read",   "read",    "write", "mmap", "lseek",  "fstat",     "dup",  "pipe",
    "link", "rename", "unlink", "symlink", "chdir", "fork", "execve", "sigaction", "kill", "brk"};

std::vector<CallInfo> common_calls(const std::vector<CallInfo>& calls) {
  std::vector<CallInfo> common;
  for (const std::string_view name : common_names) {
    const auto found = std::ranges::find_if(calls, [name](const CallInfo& call) {
      return call.name == name && call.state != CallState::missing && !call.is_multiplexed();
    });
    if (found != calls.end()) common.push_back(*found);
  }
  return common;
}

// ---- The program's code: MIPS I but for the loads and stores of n32's and n64's registers (MIPS
// RISC Architecture, appendix A).

constexpr unsigned t0 = 8;
constexpr std::uint32_t lw = 0x8c000000, sw = 0xac000000, ld = 0xdc000000, sd = 0xfc000000,
                        addiu = 0x24000000, nop = 0, system_call = 0x0000000c,
                        breakpoint = 0x0000000d, jr = 0x00000008;
constexpr std::uint32_t argument_area = 64;  // bytes of stack for arguments 4..7

constexpr std::uint32_t immediate(std::uint32_t opcode, unsigned base, unsigned reg,
                                  std::uint64_t low) {
  return opcode | base << 21 | reg << 16 | static_cast<std::uint32_t>(low & 0xffff);
}

// ---- Values.

constexpr std::array<std::string_view, 20> names = {
    "f",   "d",    "d/g",  "l",    "up",     "abs",       "new",       "../outside/secret", "/f",
    "/up", "/abs", "/b/f", "/r/f", "/tmp/f", "/dev/null", "/dev/zero", "/proc/self/mem",    "/",
    ".",   ""};
constexpr std::size_t long_name = 1200;  // bytes: longer than any system's PATH_MAX but Linux's

constexpr std::array<std::uint64_t, 28> edges = {
    0,
    1,
    page_size,
    0x7fff,
    0x8000,
    0xffff,
    0x10000,
    0xffffff,
    0x1000000,
    0x40000000,
    0x7fffffff,
    0x80000000,
    0xfffff000,
    0xfffffff8,
    0xffffffff,
    std::uint64_t{1} << 32,
    (std::uint64_t{1} << 63) - 1,
    std::uint64_t{1} << 63,
    ~std::uint64_t{0} - page_mask,
    ~std::uint64_t{0},
    text_base,
    arguments_base,
    arguments_base + page_size - 4,
    results_base - 1,
    data_end - 4,
    data_end - 1,
    data_end,
    0x700000,  // nothing is mapped there
};

// What the low bits of a value's first byte choose; the second byte says which one.
enum class Choice : std::uint8_t { small, negative, name, words, result, edge, top, shifted };
constexpr unsigned choices = 8;
constexpr std::uint8_t suits_kind = 0x80;  // first byte: as the call's table would have it

Segment make_segment(std::uint64_t address, std::uint64_t size, Permissions permissions,
                     std::vector<std::uint8_t> bytes) {
  if (bytes.size() > size) bytes.resize(size);
  return {GuestAddr(address), size, permissions, std::move(bytes)};
}

class ProgramBuilder {
 public:
  ProgramBuilder(const Variant& variant, std::size_t call_count, std::span<const std::string> paths)
      : variant_(variant),
        calls_(calls_of(variant)),
        common_(common_calls(calls_)),
        call_count_(call_count) {
    word_bytes_ = variant.model == DataModel::o32 ? 4 : 8;
    load_ = word_bytes_ == 4 ? lw : ld;
    store_ = word_bytes_ == 4 ? sw : sd;
    // A signal handler, which returns at once.
    code_ = {jr | mips::ra << 21, nop};
    entry_ = text_base + 4 * code_.size();
    code_.push_back(immediate(addiu, mips::sp, mips::sp, -argument_area));
    for (const std::string_view name : names) add_name(name);
    for (const std::string& path : paths) add_name(path);
    add_name(std::string(long_name, 'n'));
  }

  void add_call(std::span<const std::uint8_t> record);
  void add_word(std::uint8_t choice, std::uint8_t which);
  std::shared_ptr<const Image> finish();

 private:
  struct Value {
    std::uint64_t number = 0;
    std::optional<std::size_t> result = {};  // instead: what this call's was
  };

  void add_name(std::string_view name);
  const CallInfo* choose_call(unsigned choice, std::uint64_t& number) const;
  Value value_of(std::uint8_t choice, std::uint8_t which) const;
  Value suitable_value(ValueKind kind, std::uint8_t which) const;
  std::uint64_t top_of_memory(std::uint8_t which) const;
  void load(unsigned reg, const Value& value);
  void put_word(std::vector<std::uint8_t>& bytes, std::uint64_t value, std::size_t size) const;

  Variant variant_;
  std::vector<CallInfo> calls_;
  std::vector<CallInfo> common_;
  std::size_t call_count_;
  std::optional<std::size_t> opened_;  // the latest call that gives a descriptor
  std::size_t done_ = 0;
  std::size_t word_bytes_;
  std::uint32_t load_, store_;
  std::uint64_t entry_;
  std::vector<std::uint32_t> code_;
  std::vector<std::uint8_t> arguments_;
  std::vector<std::uint64_t> name_addresses_;
  std::vector<std::uint8_t> strings_;
  std::vector<std::uint8_t> words_;
};

void ProgramBuilder::add_name(std::string_view name) {
  name_addresses_.push_back(strings_base + strings_.size());
  strings_.insert(strings_.end(), name.begin(), name.end());
  strings_.push_back(0);
}

// One of the table's calls or requests; or any number, rarely.
const CallInfo* ProgramBuilder::choose_call(unsigned choice, std::uint64_t& number) const {
  constexpr unsigned first_common = 0x7c00, first_raw = 0xf800;
  if (choice >= first_raw) {
    number = (choice & 1) != 0 ? edges[choice / 2 % edges.size()]
                               : calls_.front().number + choice - first_raw;
    return nullptr;
  }
  const std::vector<CallInfo>& from = choice >= first_common && !common_.empty() ? common_ : calls_;
  const CallInfo& call = from[choice % from.size()];
  number = call.number;
  return &call;
}

// Near the ends of what the system lets a program use, of its stack and of its mappings.
std::uint64_t ProgramBuilder::top_of_memory(std::uint8_t which) const {
  const posix::Layout& layout = variant_.system->ports.front().layout;
  std::vector<GuestAddr> tops = {layout.user_end, layout.stack_top,
                                 GuestAddr(layout.stack_top.value() - layout.stack_limit)};
  for (const auto& range : layout.mappings) {
    tops.push_back(range.low);
    tops.push_back(range.high);
  }
  const std::uint64_t top = tops[which / 4 % tops.size()].value();
  return top - std::array<std::uint64_t, 4>{0, 1, 16, page_size}[which % 4];
}

ProgramBuilder::Value ProgramBuilder::value_of(std::uint8_t choice, std::uint8_t which) const {
  constexpr unsigned shift_bits = 0x1f;
  switch (static_cast<Choice>(choice % choices)) {
    case Choice::small:
      return {which};
    case Choice::negative:
      return {~std::uint64_t{which}};
    case Choice::name:
      return {name_addresses_[which % name_addresses_.size()]};
    case Choice::words:
      return {words_base + 4 * std::uint64_t{which}};
    case Choice::result:
      return {0, which % call_count_};
    case Choice::edge:
      return {edges[which % edges.size()]};
    case Choice::top:
      return {top_of_memory(which)};
    default:
      return {std::uint64_t{which} << (choice / choices & shift_bits)};
  }
}

// Such that the call gets past its first checks.
ProgramBuilder::Value ProgramBuilder::suitable_value(ValueKind kind, std::uint8_t which) const {
  constexpr unsigned few = 8;
  switch (kind) {
    case ValueKind::path:
    case ValueKind::string:
      return value_of(static_cast<std::uint8_t>(Choice::name), which);
    case ValueKind::fd:
      if (which % 2 != 0 && opened_) return {0, *opened_};
      return {which / 2 % few};
    case ValueKind::pid:
      if (which % 2 != 0) return value_of(static_cast<std::uint8_t>(Choice::result), which / 2);
      return {which / 2 % few};
    case ValueKind::pointer:
    case ValueKind::in:
    case ValueKind::out:
    case ValueKind::out_string:
      return which % few == 0 ? Value{0} : Value{words_base + 4 * std::uint64_t{which}};
    case ValueKind::signal:
      return {which % (max_signals + 1)};
    default:
      return {which};
  }
}

void ProgramBuilder::load(unsigned reg, const Value& value) {
  std::uint64_t at = arguments_base + arguments_.size();
  if (value.result) {
    at = results_base + word_bytes_ * *value.result;
  } else {
    put_word(arguments_, value.number, word_bytes_);
  }
  code_.push_back(immediate(load_, mips::zero, reg, at));
}

void ProgramBuilder::add_call(std::span<const std::uint8_t> record) {
  const unsigned register_arguments = variant_.model == DataModel::o32 ? 4 : 8;
  std::uint64_t number = 0;
  const CallInfo* const call = choose_call(record[0] << 8 | record[1], number);
  std::size_t next = 0;  // of the table's arguments
  for (unsigned slot = 0; slot < max_call_slots; ++slot) {
    const std::uint8_t choice = record[2 + 2 * slot], which = record[3 + 2 * slot];
    Value value = value_of(choice, which);
    if (call != nullptr && call->subcode && slot == *call->selector) {
      value = {*call->subcode};
    } else if (call != nullptr && next < call->arguments.size()) {
      const ValueKind kind = call->arguments[next++].kind;
      if ((choice & suits_kind) != 0) value = suitable_value(kind, which);
    }
    const bool is_in_register = slot < register_arguments;
    load(is_in_register ? mips::a0 + slot : t0, value);
    if (is_in_register) continue;
    code_.push_back(nop);
    code_.push_back(immediate(store_, mips::sp, t0, 4 * slot));
  }
  if (call != nullptr && call->result == ValueKind::fd) opened_ = done_;
  load(mips::v0, {number});
  code_.push_back(system_call);
  code_.push_back(immediate(store_, mips::zero, mips::v0, results_base + word_bytes_ * done_++));
}

void ProgramBuilder::add_word(std::uint8_t choice, std::uint8_t which) {
  if (words_.size() + 4 > data_end - words_base) return;
  Value value = value_of(choice, which);
  if (value.result) value = {text_base};  // a handler
  const bool is_long = variant_.model == DataModel::n64 && words_.size() % 8 == 0 &&
                       words_.size() + 8 <= data_end - words_base;
  put_word(words_, value.number, is_long ? 8 : 4);
}

void ProgramBuilder::put_word(std::vector<std::uint8_t>& bytes, std::uint64_t value,
                              std::size_t size) const {
  bytes.resize(bytes.size() + size);
  std::uint8_t* const at = bytes.data() + bytes.size() - size;
  if (size == 8) {
    store_bytes(at, value, variant_.endian);
  } else {
    store_bytes(at, static_cast<std::uint32_t>(value), variant_.endian);
  }
}

std::shared_ptr<const Image> ProgramBuilder::finish() {
  constexpr std::uint32_t n32_flags = 0x30000020;  // EF_MIPS_ARCH_4, EF_MIPS_ABI2
  constexpr std::uint32_t n64_flags = 0x30000000, o32_flags = 0x00001000;
  code_.push_back(breakpoint);
  std::vector<std::uint8_t> text;
  for (const std::uint32_t word : code_) put_word(text, word, 4);
  std::vector<std::uint8_t> data(strings_base - results_base);
  data.insert(data.end(), strings_.begin(), strings_.end());
  data.resize(words_base - results_base);
  data.insert(data.end(), words_.begin(), words_.end());

  Image image;
  image.architecture = Architecture::mips;
  image.endian = variant_.endian;
  image.address_bits = variant_.model == DataModel::n64 ? 64 : 32;
  image.flags = variant_.model == DataModel::o32   ? o32_flags
                : variant_.model == DataModel::n32 ? n32_flags
                                                   : n64_flags;
  image.is_linux = variant_.system->name == "linux";
  image.entry = GuestAddr(entry_);
  image.segments = {
      make_segment(text_base, arguments_base - text_base, {.read = true, .execute = true}, text),
      make_segment(arguments_base, results_base - arguments_base, {.read = true}, arguments_),
      make_segment(results_base, data_end - results_base, {.read = true, .write = true}, data)};
  return std::make_shared<const Image>(std::move(image));
}

}  // namespace

const std::vector<Variant>& variants() {
  static const std::vector<Variant> all = [] {
    std::vector<Variant> made;
    for (const posix::UnixSystem* const system : unix_systems(Architecture::mips)) {
      made.push_back({system, DataModel::o32, Endian::big});
      if (system->name != "linux" && system->name != "irix") continue;
      made.push_back({system, DataModel::n32, Endian::big});
      made.push_back({system, DataModel::n64, Endian::big});
    }
    made.push_back({find_unix_system("linux", Architecture::mips), DataModel::o32, Endian::little});
    return made;
  }();
  return all;
}

CallProgram read_program(std::span<const std::uint8_t> input, std::span<const std::string> paths) {
  std::array<std::uint8_t, header_bytes> header{};
  std::ranges::copy(input.first(std::min(input.size(), header.size())), header.begin());
  input = input.subspan(std::min(input.size(), header.size()));
  const std::size_t wanted = 1 + header[2] % most_calls;
  const std::size_t calls = std::min(wanted, input.size() / call_bytes);

  CallProgram program{variants()[header[0] % variants().size()], header[1], nullptr};
  ProgramBuilder builder(program.variant, std::max<std::size_t>(calls, 1), paths);
  for (std::size_t i = 0; i < calls; ++i) {
    builder.add_call(input.subspan(i * call_bytes, call_bytes));
  }
  input = input.subspan(calls * call_bytes);
  for (std::size_t i = 0; i + 1 < input.size(); i += 2) builder.add_word(input[i], input[i + 1]);
  program.image = builder.finish();
  return program;
}

}  // namespace hardclock::fuzzing
