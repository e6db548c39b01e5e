#include "syscalls/conform/emit_c/case_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <set>

#include "sim/base/check.h"
#include "syscalls/conform/emit_c/limits.h"
#include "syscalls/conform/emit_c/objects.h"

namespace hardclock::conform {
namespace {

constexpr int first_process = 1;  // process

std::string word(std::uint64_t value) {
  return fmt::format("{:#x}UL", value & 0xffffffff);
}

// C has no literal for the lowest number.
std::string signed_word(std::int32_t value) {
  const bool is_lowest = value == std::numeric_limits<std::int32_t>::min();
  return is_lowest ? fmt::format("{}L - 1L", value + 1) : fmt::format("{}L", value);
}

// The part of an object's address that a program must keep.
std::uint64_t alignment_of(const MemoryObject& object) {
  return object.address.value() % 8;
}

std::string halves(std::uint64_t value) {
  return word(value >> 32) + ", " + word(value);
}

// The events of one process become a function; those after its exec another one. A child's function
// is called where it is forked: everything that the child does precedes its parent's next event.
class CaseWriter {
 public:
  CaseWriter(const Case& of, const std::string& name, std::size_t first_resumed,
             const std::vector<CounterView>& views)
      : case_(of), name_(name), first_resumed_(first_resumed), views_(views) {}

  Result<CaseText, std::string> write();

 private:
  void write_process(int pid, std::size_t from, const std::string& function);
  void open() { body_.clear(); }
  void close(const std::string& function);
  template <class... Args>
  void line(fmt::format_string<Args...> format, Args&&... args) {
    body_ += "  " + fmt::format(format, std::forward<Args>(args)...) + "\n";
  }

  void objects();
  void make_call(const CallStep& step, int pid, std::size_t next_event);
  void arguments(const Call& call);
  void expectations(int pid, bool is_original);
  void expect_counters(const Buffers& buffers);

  void act(const Event& event, std::size_t index);
  void act_memory(const MemoryEvent& memory, bool is_after_exec);
  void act_fork(const ForkEvent& fork, std::size_t index);

  std::string address_of(const Address& address, std::uint64_t size) const;
  std::uint64_t offset_of(const Call& call) const;
  // The pc of the first tick that process `pid`, or a child made later, has before its next call.
  std::optional<GuestAddr> next_pc(int pid, std::size_t from) const;
  bool is_on(int pid, std::size_t events) const;
  std::size_t index_of(const MemoryObject* object) const {
    return static_cast<std::size_t>(object - case_.memory.data());
  }

  const Case& case_;
  const std::string& name_;
  std::size_t first_resumed_;
  const std::vector<CounterView>& views_;
  std::string body_;                 // of the function being written
  std::set<int> sharers_;            // pids that never had memory of their own
  const Call* last_call_ = nullptr;  // of those written that succeed
  CaseText text_;
  std::string error_;
};

Result<CaseText, std::string> CaseWriter::write() {
  text_.start = "case_" + name_;
  last_call_ = &case_.first.call;
  open();
  objects();
  make_call(case_.first, first_process, 0);
  write_process(first_process, 0, text_.start);
  if (!error_.empty()) return Failure{error_};
  return std::move(text_);
}

void CaseWriter::close(const std::string& function) {
  text_.functions += fmt::format("void {}(void) {{\n{}}}\n\n", function, body_);
}

void CaseWriter::objects() {
  for (std::size_t i = 0; i < case_.memory.size(); ++i) {
    const MemoryObject& object = case_.memory[i];
    const CounterView& view = views_[i];
    line("new_object({}, {}, {}L, {}, {}, {});", i, alignment_of(object), object.size, view.skew,
         view.width, view.is_paged ? "IN_PAGES" : (view.is_far ? "FAR_AWAY" : "IN_ARENA"));
    for (const MemoryObject::Preset& preset : object.presets) {
      const auto counters = counters_of(object, view, {{preset.index, preset.value}}, preset.width);
      if (!counters) {
        error_ = counters.error();
        return;
      }
      for (const auto& [index, value] : *counters) {
        line("preset({}, {}, {});", i, index, halves(value));
      }
    }
    if (!object.protection.write) line("protect_object({}, 0);", i);
  }
}

// Everything that process `pid` does from the event `from` on, up to its exec or its end.
void CaseWriter::write_process(int pid, std::size_t from, const std::string& function) {
  for (std::size_t i = from; i < case_.events.size(); ++i) {
    const Event& event = case_.events[i];
    if (event.pid != pid) continue;
    const auto* const exec = std::get_if<ExecEvent>(&event.what);
    if (exec == nullptr || !exec->ok) {
      act(event, i);
      continue;
    }
    const std::string after = fmt::format("{}_{}", text_.start, i);
    line("exec_self({});", first_resumed_ + text_.resumed.size());
    close(function);
    text_.resumed.push_back(after);
    sharers_.erase(pid);
    open();
    for (std::size_t k = 0; k < case_.memory.size(); ++k) {
      line("new_object({}, {}, {}L, {}, {}, IN_ARENA);", k, alignment_of(case_.memory[k]),
           case_.memory[k].size, views_[k].skew, views_[k].width);
    }
    arguments(*last_call_);
    line("suppose({});", word(next_pc(pid, i).value_or(GuestAddr(offset_of(*last_call_))).value()));
    write_process(pid, i + 1, after);
    return;
  }
  expectations(pid, from == 0);
  close(function);
}

void CaseWriter::act(const Event& event, std::size_t index) {
  if (const auto* const tick = std::get_if<TickEvent>(&event.what)) {
    const ProcessObservation before = seen_before(case_, event.pid, index);
    line("{}ticks({}, {}L, {});", before.is_fast ? "fast_" : "", word(tick->pc.value()), tick->n,
         before.profiling.value_or(false) ? 1 : 0);
  } else if (const auto* const run = std::get_if<RunEvent>(&event.what)) {
    const profil::SystemRules& system = *case_.variant->system;
    line("run({}, {}L, {}L);", word(run->pc.value()), run->milliseconds, system.tick_rate.value());
  } else if (const auto* const step = std::get_if<CallStep>(&event.what)) {
    make_call(*step, event.pid, index + 1);
  } else if (const auto* const fork = std::get_if<ForkEvent>(&event.what)) {
    act_fork(*fork, index);
  } else if (const auto* const memory = std::get_if<MemoryEvent>(&event.what)) {
    act_memory(*memory, has_exec(case_, event.pid, index));
  } else {
    CHECK(std::holds_alternative<ExecEvent>(event.what));
    line("exec_fails();");
  }
}

void CaseWriter::act_memory(const MemoryEvent& memory, bool is_after_exec) {
  const MemoryObject* const object = find_object(case_, memory.address);
  CHECK(object != nullptr);
  const std::size_t i = index_of(object);
  switch (memory.kind) {
    case MemoryEvent::Kind::mmap:
      // The program's new image has its buffers from the start.
      if (!is_after_exec) line("map_object({});", i);
      if (!memory.protection.write) line("protect_object({}, 0);", i);
      break;
    case MemoryEvent::Kind::munmap:
      line("unmap_object({});", i);
      break;
    case MemoryEvent::Kind::mprotect:
      line("protect_object({}, {});", i, memory.protection.write ? 1 : 0);
      break;
    case MemoryEvent::Kind::evict:
      CHECK(false);
  }
}

void CaseWriter::act_fork(const ForkEvent& fork, std::size_t index) {
  const std::string function = fmt::format("{}_{}", text_.start, index);
  const auto pc = next_pc(fork.child, index + 1);
  if (pc && is_on(case_.events[index].pid, index)) line("move({});", word(pc->value()));
  switch (fork.kind) {
    case ForkEvent::Kind::fork:
      line("in_fork({});", function);
      break;
    case ForkEvent::Kind::vfork:
      line("in_vfork({});", function);
      break;
    case ForkEvent::Kind::sproc_shared:
      line("in_sproc(PR_SADDR, {});", function);
      break;
    case ForkEvent::Kind::sproc_copied:
      line("in_sproc(0, {});", function);
      break;
  }
  if (shares_memory(case_, fork)) sharers_.insert(fork.child);
  const std::string parent = body_;
  const Call* const parent_call = last_call_;
  open();
  write_process(fork.child, index + 1, function);
  body_ = parent;
  last_call_ = parent_call;
}

void CaseWriter::expect_counters(const Buffers& buffers) {
  for (const auto& [name, elements] : buffers) {
    const MemoryObject* const object = find_object(case_, name);
    if (object == nullptr) continue;
    const std::size_t i = index_of(object);
    const auto counters = counters_of(*object, views_[i], elements, object->width);
    if (!counters) {
      error_ = counters.error();
      return;
    }
    line("want_object({});", i);
    for (const auto& [index, value] : *counters) {
      line("want({}, {}, {});", i, index, halves(value));
    }
  }
  line("compare();");
}

// A process that shares its memory with its parent has no counters of its own: the parent compares
// them when both have ended.
void CaseWriter::expectations(int pid, bool is_original) {
  if (case_.expect.ended.contains(pid)) {
    line("fail(\"the process goes on: ended by a signal\", 1L, 0L);");
    return;
  }
  const auto counters = case_.expect.counters.find(pid);
  if (!sharers_.contains(pid) && counters != case_.expect.counters.end()) {
    expect_counters(counters->second);
  }
  if (is_original && pid == first_process) {
    for (const int sharer : sharers_) {
      const auto shared = case_.expect.counters.find(sharer);
      if (shared != case_.expect.counters.end()) expect_counters(shared->second);
    }
  }
  const auto profiling = case_.expect.profiling.find(pid);
  if (profiling != case_.expect.profiling.end()) {
    line("profiling_is({});", profiling->second ? 1 : 0);
  }
}

std::string CaseWriter::address_of(const Address& address, std::uint64_t size) const {
  if (address.kind == Address::Kind::bad) return "bad_address()";
  if (address.kind == Address::Kind::null || address.value == GuestAddr(0)) return "0UL";
  const MemoryObject* const object = object_reached(case_, address.value, size);
  if (object == nullptr) return "bad_address()";
  return fmt::format("object_address({}, {})", index_of(object),
                     word((address.value - object->address) & 0xffffffff));
}

std::uint64_t CaseWriter::offset_of(const Call& call) const {
  if (const auto* const profil = std::get_if<ProfilCall>(&call))
    return profil->offset.value.value();
  const auto* const sprofil = std::get_if<SprofilCall>(&call);
  if (sprofil == nullptr || sprofil->entries.empty()) return 0;
  return sprofil->entries.front().offset.value.value();
}

void CaseWriter::arguments(const Call& call) {
  const unsigned width = std::max(counter_width(case_, call), 2U);
  if (const auto* const profil = std::get_if<ProfilCall>(&call)) {
    line("new_call(PROFIL, 2, 0);");
    line("region({}, {}, {}, {});", address_of(profil->buff, profil->bufsiz), word(profil->bufsiz),
         word(profil->offset.value.value()), word(profil->scale));
    return;
  }
  if (const auto* const pcsample = std::get_if<PcsampleCall>(&call)) {
    line("new_call(PCSAMPLE, {}, 0);", width);
    line("region({}, 0UL, 0UL, 0UL);", address_of(pcsample->samples, 0));
    line("next.profcnt = {}L;", pcsample->nsamples);
    return;
  }
  const auto& sprofil = std::get<SprofilCall>(call);
  std::string flags = fmt::format("{:#x}U", sprofil.flags);
  if (!sprofil.flag_names.empty()) flags = fmt::format("{}", fmt::join(sprofil.flag_names, " | "));
  line("new_call(SPROFIL, {}, {});", width, flags);
  for (const ProfEntry& entry : sprofil.entries) {
    line("region({}, {}, {}, {});", address_of(entry.base, entry.size), word(entry.size),
         word(entry.offset.value.value()), word(entry.scale));
  }
  constexpr const char* pointers[] = {"POINTER_VALID", "POINTER_BAD", "POINTER_NULL"};
  line("next.profcnt = {};", signed_word(sprofil.profcnt));
  line("next.profp = {};", pointers[static_cast<std::size_t>(sprofil.profp)]);
  line("next.tvp = {};", pointers[static_cast<std::size_t>(sprofil.tvp)]);
}

void CaseWriter::make_call(const CallStep& step, int pid, std::size_t next_event) {
  arguments(step.call);
  const GuestAddr pc = next_pc(pid, next_event).value_or(GuestAddr(offset_of(step.call)));
  const CallExpectation& expect = step.expect;
  const std::string error = expect.errno_name.empty() ? "0" : expect.errno_name;
  line("call({}, {}L, {});", word(pc.value()), expect.ret, error);
  if (expect.tv) line("tick_is({}L, {}L);", expect.tv->seconds, expect.tv->microseconds);
  if (expect.ret != -1) last_call_ = &step.call;
}

std::optional<GuestAddr> CaseWriter::next_pc(int pid, std::size_t from) const {
  std::set<int> family = {pid};
  for (std::size_t i = from; i < case_.events.size(); ++i) {
    const Event& event = case_.events[i];
    if (!family.contains(event.pid)) continue;
    if (const auto* const tick = std::get_if<TickEvent>(&event.what)) return tick->pc;
    if (const auto* const run = std::get_if<RunEvent>(&event.what)) return run->pc;
    if (const auto* const fork = std::get_if<ForkEvent>(&event.what)) family.insert(fork->child);
    const auto* const step = std::get_if<CallStep>(&event.what);
    if (step != nullptr && step->expect.ret != -1 && event.pid == pid) return std::nullopt;
  }
  return std::nullopt;
}

// Whether profiling is on before the event `events`, by the model: another call must not move the
// text of a process in which profiling has stopped.
bool CaseWriter::is_on(int pid, std::size_t events) const {
  return seen_before(case_, pid, events).profiling.value_or(false);
}

}  // namespace

Result<CaseText, std::string> case_text(const Case& of, const std::string& name,
                                        std::size_t first_resumed) {
  const std::string reason = why_not(of);
  if (!reason.empty()) return Failure{reason};
  const auto views = counter_views(of);
  if (!views) return Failure{views.error()};
  return CaseWriter(of, name, first_resumed, *views).write();
}

}  // namespace hardclock::conform
