#include "sim/translator/translator.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "sim/base/check.h"
#include "sim/translator/block_emitter.h"

namespace hardclock {
namespace {

using asmjit::x86::Assembler;

bool host_can() {
  const auto& features = asmjit::CpuInfo::host().features().x86();
  return features.hasBMI2() && features.hasMOVBE();
}

// A near jump: one byte and a displacement from its end.
constexpr std::uint8_t jump_opcode = 0xe9;
constexpr std::ptrdiff_t jump_size = 5;

// The displacement at `place` is the instruction's last.
void write_displacement(std::uint8_t* place, std::ptrdiff_t from_end) {
  const auto narrow = static_cast<std::int32_t>(from_end);
  std::memcpy(place, &narrow, sizeof narrow);
}

// Of a large program there are hundreds of thousands.
static_assert(sizeof(Translator::Exit) == 32);
// An exit takes ten bytes of code and more.
static_assert(CodeMemory::size / 10 < AccessSite::most_exits);

}  // namespace

struct Translator::Common {
  CommonCode code;
};

// All translators of a simulation use the same one: one of them translates at a time.
struct Translator::Emitter {
  asmjit::CodeHolder code;
  Assembler assembler;
  EmittedBlock emitted;

  static std::shared_ptr<Emitter> of(CacheBudget& caches) {
    return caches.common<Emitter>([](const Emitter&) { return true; }, std::make_shared<Emitter>);
  }

  void begin() {
    code.reset();
    code.init(asmjit::Environment::host());
    code.attach(&assembler);
  }
  // Where the code lies, to be written; null: there is no room, or it could not be made.
  struct Placed {
    std::uint8_t* often = nullptr;
    std::uint8_t* rare = nullptr;

    std::uint8_t* at(const CodePlace& place) const {
      return (place.is_rare ? rare : often) + place.offset;
    }
  };
  // Puts the code into memory.
  Placed finish(CodeMemory& memory) {
    asmjit::Section* const often = code.textSection();
    asmjit::Section* const rare = code.sectionByName(rare_section);
    Placed placed;
    const std::span<std::uint8_t> place = memory.allocate(often->bufferSize());
    if (place.empty()) return {};
    placed.often = place.data();
    if (rare != nullptr) {
      placed.rare = memory.allocate_rare(rare->bufferSize()).data();
      if (placed.rare == nullptr) return {};
      rare->setOffset(static_cast<std::uint64_t>(placed.rare - placed.often));
    }
    const auto base = reinterpret_cast<std::uint64_t>(memory.executable(placed.often));
    if (code.resolveUnresolvedLinks() != asmjit::kErrorOk ||
        code.relocateToBase(base) != asmjit::kErrorOk) {
      return {};
    }
    // A jump to a label that was never bound would go on behind itself.
    CHECK(!code.hasUnresolvedLinks());
    std::memcpy(placed.often, often->data(), often->bufferSize());
    if (rare != nullptr) std::memcpy(placed.rare, rare->data(), rare->bufferSize());
    return placed;
  }
  // The block's jumps to, and calls of, what all have in common.
  void connect(const CodeMemory& memory, const Placed& placed) const {
    for (const EmittedBlock::ToCommon& each : emitted.to_common) {
      std::uint8_t* const displacement = placed.at(each.displacement);
      const auto end =
          reinterpret_cast<std::uint64_t>(memory.executable(displacement)) + sizeof(std::int32_t);
      write_displacement(displacement, static_cast<std::ptrdiff_t>(each.target - end));
    }
  }
};

std::unique_ptr<Translator> Translator::make(CacheBudget& caches, const GuestMode& mode,
                                             std::uint32_t random_pins) {
  auto memory = host_can() ? CodeMemory::of(caches) : nullptr;
  if (memory == nullptr) return nullptr;
  return std::unique_ptr<Translator>(
      new Translator(std::move(memory), Emitter::of(caches), mode, random_pins));
}

Translator::Translator(std::shared_ptr<CodeMemory> memory, std::shared_ptr<Emitter> emitter,
                       const GuestMode& mode, std::uint32_t random_pins)
    : held_memory_(std::move(memory)),
      memory_(*held_memory_),
      emitter_(std::move(emitter)),
      pins_(mode, random_pins),
      mode_(mode),
      common_(std::make_unique<Common>()) {
  mode_.indirect_bits = few_indirect_bits;
  reset();
}

Translator::~Translator() = default;

void Translator::reset() {
  if (outgrows_table()) mode_.indirect_bits = many_indirect_bits;
  mode_.pinned = pins_.pinned();
  exits_.clear();
  // `= {}` would keep their memory.
  counted_ = decltype(counted_)();
  known_ = decltype(known_)();
  waits_ = decltype(waits_)();
  indirect_ = decltype(indirect_)();
  epoch_ = memory_.epoch();
  enter_ = nullptr;
}

bool Translator::emit_common_code() {
  Emitter& emitter = *emitter_;
  emitter.begin();
  const CommonLabels labels = emit_common(emitter.assembler, mode_);
  const Emitter::Placed placed = emitter.finish(memory_);
  if (placed.often == nullptr) return false;
  const std::uint8_t* const base = memory_.executable(placed.often);
  const auto address = [&](const asmjit::Label& label) {
    return reinterpret_cast<std::uint64_t>(base + emitter.code.labelOffset(label));
  };
  common_->code = {
      address(labels.leave),       address(labels.access),     address(labels.run_one),
      address(labels.fetch),       address(labels.plain_load), address(labels.plain_store),
      address(labels.plain_fetch), address(labels.predict),    address(labels.implicit_access),
      address(labels.note_moment), address(labels.is_noted)};
  indirect_.assign(std::size_t{1} << mode_.indirect_bits, IndirectEntry{});
  enter_ = reinterpret_cast<void (*)(HostFrame*, const void*)>(address(labels.enter));
  return true;
}

const void* Translator::translate(const BlockSource& source, void* block) {
  if ((enter_ == nullptr && !emit_common_code()) ||
      memory_.counters_left() < most_counters_of_block) {
    memory_.clear();
    return nullptr;
  }
  Emitter& emitter = *emitter_;
  emitter.begin();
  const std::size_t first = exits_.size();
  const std::size_t counted_before = counted_.size();
  const Counters counters = [&](std::size_t exit) {
    const auto number = static_cast<std::uint32_t>(first + exit);
    for (std::size_t i = counted_before; i < counted_.size(); ++i) {
      if (counted_[i].exit == number) return counted_[i].times;
    }
    counted_.push_back({number, &memory_.add_counter()});
    return counted_.back().times;
  };
  EmittedBlock& emitted = emitter.emitted;
  if (!emit_block(emitter.assembler, source, mode_, common_->code,
                  static_cast<std::uint32_t>(first), counters, emitted)) {
    return nullptr;
  }
  const Emitter::Placed placed = emitter.finish(memory_);
  if (placed.often == nullptr) {
    memory_.clear();
    return nullptr;
  }
  emitter.connect(memory_, placed);
  const void* const code = memory_.executable(placed.often);
  computes_with_numbers_ = computes_with_numbers_ || emitted.computes_with_numbers;
  exits_.resize(first + emitted.exits.size());
  if (mode_.notes_waits) waits_.resize(exits_.size() * wait_places_per_exit);
  for (std::size_t i = 0; i < emitted.exits.size(); ++i) {
    const EmittedExit& from = emitted.exits[i];
    Exit& to = exits_[first + i];
    to.kind = from.kind;
    to.way = from.way;
    CHECK(from.index <= 0xff);  // blocks have fewer instructions
    to.index = static_cast<std::uint8_t>(from.index);
    to.in_slot = from.in_slot;
    to.target = from.kind == Exit::Kind::begin ? source.pc : from.target;
    to.block = block;
    to.state = source.state;
    to.after = source.edges[static_cast<std::size_t>(from.way)].exit;
    to.jump = from.jump ? memory_.offset_of(placed.at(*from.jump)) : 0;
  }
  known_.emplace_back(code, Known{.first_exit = static_cast<std::uint32_t>(first),
                                  .exits = static_cast<std::uint32_t>(emitted.exits.size()),
                                  .writable = placed.often,
                                  .gone = placed.at(emitted.gone)});
  enter_indirect(source.pc, source.state, code);
  return code;
}

void Translator::enter_indirect(std::uint64_t pc, PipelineStates::Id state, const void* code) {
  if (!is_indirect(pc, state)) return;
  indirect_[indirect_place(pc, state, mode_.indirect_bits, mode_.code_shift)] = {
      pc | std::uint64_t{state} << indirect_key_bits, code};
}

auto Translator::run(HostFrame& frame, const void* code) -> const Exit& {
  frame.indirect = indirect_.data();
  if (mode_.notes_waits) frame.waits = waits_.data();
  frame.computes_with_numbers = computes_with_numbers_ ? 1 : 0;
  enter_(&frame, code);
  return exits_[frame.exit];
}

void Translator::link(const Exit& edge, const void* code) {
  if (edge.jump == 0) return;
  std::uint8_t* const displacement = memory_.at(edge.jump);
  const std::uint8_t* const end = memory_.executable(displacement) + sizeof(std::int32_t);
  write_displacement(displacement, static_cast<const std::uint8_t*>(code) - end);
}

void Translator::know_slow(std::uint32_t number, std::uint64_t slow, std::uint64_t cycles,
                           PipelineStates::Id after) {
  if (exits_[number].jump == 0) return;
  std::uint8_t* set = memory_.at(exits_[number].jump);
  for (std::size_t i = 0; i < slow_edges; ++i, set += 2 * sizeof slow) {
    std::uint64_t known = 0;
    std::memcpy(&known, set, sizeof known);
    if (known != 0) continue;
    const std::uint64_t given_back = RunBudget::cycles(cycles);
    std::memcpy(set + sizeof slow, &given_back, sizeof given_back);
    std::memcpy(set, &slow, sizeof slow);
    exits_[number + 1 + i].after = after;
    return;
  }
}

auto Translator::find(const void* code) -> Known* {
  const auto at =
      std::lower_bound(known_.begin(), known_.end(), code,
                       [](const auto& each, const void* of) { return each.first < of; });
  return at != known_.end() && at->first == code ? &at->second : nullptr;
}

void Translator::retire(const void* code) {
  if (epoch_ != memory_.epoch()) return;  // others have code there
  if (Known* const known = find(code)) leave_at_once(*known);
}

void Translator::suspend() {
  if (enter_ != nullptr) indirect_.assign(std::size_t{1} << mode_.indirect_bits, IndirectEntry{});
  for (auto& [code, known] : known_) leave_at_once(known);
}

void Translator::leave_at_once(Known& known) {
  static_assert(std::tuple_size_v<decltype(known.first)> == jump_size);
  if (std::exchange(known.is_retired, true)) return;
  std::memcpy(known.first.data(), known.writable, jump_size);
  known.writable[0] = jump_opcode;
  write_displacement(known.writable + 1, known.gone - known.writable - jump_size);
}

void Translator::resume(const void* code) {
  Known* const known = find(code);
  if (known == nullptr || !std::exchange(known->is_retired, false)) return;
  std::memcpy(known->writable, known->first.data(), jump_size);
}

void Translator::drop(const void* code) {
  for_each_exit_of(code, [](Exit& exit) { exit.block = nullptr; });
}

}  // namespace hardclock
