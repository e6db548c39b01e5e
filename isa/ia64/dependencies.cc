#include "isa/ia64/dependencies.h"

#include <fmt/format.h>

#include <span>
#include <unordered_map>

#include "isa/ia64/bundle.h"

namespace hardclock::ia64 {
namespace {

using namespace dependencies;

constexpr Item p63 = predicate_resource(63);

std::string place(GuestAddr at) {
  const std::uint64_t slot = at.value() % bundle_bytes;
  return fmt::format("{:#x} (slot {})", at.value() - slot, slot);
}

SlotText slot_of(const InstructionText& text) {
  return slot_text(unpack(std::span<const std::uint8_t, bundle_bytes>(text.bytes)), text.slot);
}

}  // namespace

std::string sentence(const Dependency& dependency) {
  const bool reads = dependency.kind == Dependency::Kind::read_after_write;
  const bool read = dependency.kind == Dependency::Kind::write_after_read;
  return fmt::format("{}: {} {}, which {} {} in the same instruction group",
                     place(dependency.second), reads ? "reads" : "writes", name_of(dependency.item),
                     place(dependency.first), read ? "read" : "wrote");
}

struct DependencyChecker::Instructions {
  // A program may write code as long as it runs.
  static constexpr std::size_t most = 1 << 16;

  const Accesses& accesses(const SlotText& text) {
    if (known.size() == most) known.clear();
    const auto found = known.find(text.word);
    return found != known.end() ? found->second
                                : known.emplace(text.word, accesses_of(text)).first->second;
  }

  std::unordered_map<Word, Accesses> known;
};

// Looks at one instruction.
class DependencyChecker::Visit {
 public:
  Visit(DependencyChecker& checker, const Accesses& accesses, const Registers& registers,
        GuestAddr at)
      : checker_(checker), accesses_(accesses), registers_(registers), at_(at) {}

  // Reads come first: an instruction may read what it writes.
  std::optional<Dependency> run() {
    if (accesses_.is_predicated) {
      read({predicate_resource(accesses_.predicate), accesses_.is_branch});
    }
    if (takes_place()) read_all();
    for (const Write& written : accesses_.always_written) write(written);
    if (takes_place()) write_all();
    return found_;
  }

  bool takes_place() const {
    return accesses_.is_loop_branch || !accesses_.is_predicated ||
           (registers_.predicates >> accesses_.predicate & 1) != 0;
  }

 private:
  void read_all() {
    for (const Read& wanted : accesses_.reads) read(wanted);
    if (accesses_.unat == UnatBit::read) read({unat_item(), false});
    const unsigned rotating = registers_.stack.marker().sor;
    if (accesses_.least_stacked < first_rotating_gr + rotating) read({rename_bases, false});
  }
  void write_all() {
    for (const Write& written : accesses_.writes) write(written);
    if (accesses_.unat == UnatBit::written) write({.item = unat_item()});
  }
  Item unat_item() const { return unat_bit(slot(registers_.stack.value(accesses_.unat_address))); }

  bool is_current(const Use& use) const { return use.group == checker_.group_; }
  void read(const Read& wanted) {
    if (wanted.item == p63 && wanted.by_branch) {
      checker_.branch_read_of_p63_ = {checker_.group_, at_, {}};
    }
    const Use& write = checker_.writes_[wanted.item];
    if (!is_current(write) || write.how.reaches_all) return;
    if (wanted.by_branch && write.how.reaches_branches) return;
    note(Dependency::Kind::read_after_write, wanted.item, write);
  }
  void write(const Write& written) {
    Use& before = checker_.writes_[written.item];
    const bool merges = written.merging != Merging::none && written.merging == before.how.merging;
    if (is_current(before) && !merges) {
      note(Dependency::Kind::write_after_write, written.item, before);
    }
    if (written.item == p63 && accesses_.is_loop_branch &&
        is_current(checker_.branch_read_of_p63_)) {
      note(Dependency::Kind::write_after_read, written.item, checker_.branch_read_of_p63_);
    }
    before = {checker_.group_, at_, written};
  }
  void note(Dependency::Kind kind, Item item, const Use& first) {
    if (!found_ && first.at != at_) found_ = Dependency{kind, item, first.at, at_};
  }

  DependencyChecker& checker_;
  const Accesses& accesses_;
  const Registers& registers_;
  GuestAddr at_;
  std::optional<Dependency> found_;
};

DependencyChecker::DependencyChecker() : instructions_(std::make_shared<Instructions>()) {}

bool DependencyChecker::goes_on_with(const InstructionText& text) const {
  return last_ && !group_is_over_ && text.follows(*last_);
}

std::optional<Dependency> DependencyChecker::next(const InstructionText& text,
                                                  const Registers& registers) {
  // An instruction that a clock interrupt found waiting is here again.
  if (last_ == text && !group_is_over_) return std::nullopt;
  if (!goes_on_with(text)) ++group_;
  last_ = text;
  group_is_over_ = false;
  const SlotText slot = slot_of(text);
  const std::optional<Template> layout = template_of(slot.template_number);
  if (!layout) return std::nullopt;
  if (layout->units[slot.slot] == Unit::x) {
    group_is_over_ = layout->stops[slot.slot];
    return std::nullopt;
  }
  const Accesses& accesses = instructions_->accesses(slot);
  Visit visit(*this, accesses, registers, text.pc());
  const std::optional<Dependency> found = visit.run();
  group_is_over_ = layout->stops[slot.slot] || (accesses.ends_group && visit.takes_place());
  return found;
}

}  // namespace hardclock::ia64
