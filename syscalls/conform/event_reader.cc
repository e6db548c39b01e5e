// The events of a case.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "syscalls/conform/case_reader.h"
#include "syscalls/conform/text.h"

namespace hardclock::conform {
namespace {

// Every event may name its process and thread.
constexpr std::string_view pid_key = "pid";
constexpr std::string_view tid_key = "tid";

}  // namespace

void CaseReader::read_event(const Node& node) {
  const auto members = reader_.members(node);
  if (members.size() != 1) {
    reader_.fail(node, "not an object with one key, the event's name");
    return;
  }
  const auto& [name, body] = members.front();
  auto event = read_known_event(name, body);
  if (!event) {
    defect(body, "unknown event");
    return;
  }
  if (const auto pid = reader_.find(body, pid_key)) {
    event->pid = static_cast<int>(reader_.signed_number(*pid, 1, highest_pid));
    if (!pids_.contains(event->pid)) {
      reader_.fail(*pid, fmt::format("there is no process {} yet", event->pid));
    }
  }
  if (const auto tid = reader_.find(body, tid_key); tid && name != "thread_create") {
    event->tid = static_cast<int>(reader_.signed_number(*tid, 1, highest_tid));
  }
  // Not before its parent has been looked up.
  if (const auto* const fork = std::get_if<ForkEvent>(&event->what)) pids_.insert(fork->child);
  case_.events.push_back(std::move(*event));
}

std::optional<Event> CaseReader::read_known_event(std::string_view name, const Node& body) {
  if (name == "tick") return Event{read_tick(body)};
  if (name == "run") return Event{read_run(body)};
  if (name == "call") {
    auto step = read_call_event(body);
    // Then the call's name is the case's defect.
    return Event{step ? std::move(*step) : CallStep{}};
  }
  if (name == "fork" || name == "vfork" || name == "sproc") return Event{read_fork(name, body)};
  if (name == "exec") {
    reader_.check_keys(body, {"ok"}, {pid_key, tid_key});
    return Event{ExecEvent{reader_.truth(reader_.get(body, "ok"))}};
  }
  if (name == "thread_create") {
    reader_.check_keys(body, {tid_key}, {pid_key});
    const auto tid = reader_.signed_number(reader_.get(body, tid_key), 2, highest_tid);
    return Event{ThreadCreateEvent{static_cast<int>(tid)}};
  }
  if (name == "mmap" || name == "munmap" || name == "mprotect" || name == "evict") {
    return Event{read_memory_event(name, body)};
  }
  if (name == "signal") {
    reader_.check_keys(body, {"handler"}, {pid_key, tid_key});
    return Event{SignalEvent{read_place(reader_.get(body, "handler"))}};
  }
  if (name == "poke") return Event{read_poke(body)};
  return std::nullopt;
}

TickEvent CaseReader::read_tick(const Node& body) {
  reader_.check_keys(body, {"pc", "n"}, {"mode", "owed", pid_key, tid_key});
  TickEvent tick;
  tick.pc = read_place(reader_.get(body, "pc"));
  if (const auto mode = reader_.find(body, "mode")) {
    const std::string& word = reader_.text(*mode);
    if (word != "user" && word != "system") reader_.fail(*mode, "not \"user\" or \"system\"");
    if (word == "system") tick.mode = TickEvent::Mode::system;
  }
  if (const auto owed = reader_.find(body, "owed"); owed && reader_.truth(*owed)) {
    // Ticks inside the kernel are owed anyway.
    if (tick.mode == TickEvent::Mode::user) tick.mode = TickEvent::Mode::owed;
  }
  // A visit to the kernel without a tick is an event too.
  const std::uint64_t least = tick.mode == TickEvent::Mode::system ? 0 : 1;
  tick.n = reader_.number(reader_.get(body, "n"), least, most_ticks);
  return tick;
}

RunEvent CaseReader::read_run(const Node& body) {
  reader_.check_keys(body, {"pc", "ms"}, {pid_key, tid_key});
  return {read_place(reader_.get(body, "pc")),
          reader_.number(reader_.get(body, "ms"), 0, most_milliseconds)};
}

std::optional<CallStep> CaseReader::read_call_event(const Node& body) {
  reader_.check_keys(body, {"name", "args", "expect"}, {pid_key, tid_key});
  const Node expect = reader_.get(body, "expect");
  reader_.check_keys(expect, {"ret", "errno"}, {"tv"});
  auto call = read_call(reader_.get(body, "name"), reader_.get(body, "args"));
  if (!call) return std::nullopt;
  return CallStep{std::move(*call), read_answer(expect)};
}

ForkEvent CaseReader::read_fork(std::string_view name, const Node& body) {
  ForkEvent fork;
  if (name == "sproc") {
    reader_.check_keys(body, {"child"}, {"share", pid_key, tid_key});
    fork.kind = ForkEvent::Kind::sproc_copied;
    if (const auto share = reader_.find(body, "share")) {
      const std::string& word = reader_.text(*share);
      if (word == "PR_SADDR") fork.kind = ForkEvent::Kind::sproc_shared;
      if (word != "PR_SADDR" && word != "none") {
        reader_.fail(*share, "not \"PR_SADDR\" or \"none\"");
      }
    }
  } else {
    reader_.check_keys(body, {"child"}, {pid_key, tid_key});
    if (name == "vfork") fork.kind = ForkEvent::Kind::vfork;
  }
  const Node child = reader_.get(body, "child");
  fork.child = static_cast<int>(reader_.signed_number(child, 2, highest_pid));
  if (pids_.contains(fork.child)) {
    reader_.fail(child, fmt::format("there is a process {} already", fork.child));
  } else if (pids_.size() == most_processes) {
    reader_.fail(child, fmt::format("more than {} processes", most_processes));
  }
  return fork;
}

MemoryEvent CaseReader::read_memory_event(std::string_view name, const Node& body) {
  MemoryEvent event;
  if (name == "mprotect") {
    reader_.check_keys(body, {"addr", "size", "prot"}, {pid_key, tid_key});
    event.kind = MemoryEvent::Kind::mprotect;
  } else if (name == "mmap") {
    reader_.check_keys(body, {"addr", "size"}, {"prot", pid_key, tid_key});
  } else {
    reader_.check_keys(body, {"addr", "size"}, {pid_key, tid_key});
    event.kind = name == "munmap" ? MemoryEvent::Kind::munmap : MemoryEvent::Kind::evict;
  }
  event.address = read_place(reader_.get(body, "addr"));
  const Node size = reader_.get(body, "size");
  event.size = reader_.number(size, 1, std::numeric_limits<std::uint64_t>::max());
  check_range(size, event.address, event.size);
  if (const auto prot = reader_.find(body, "prot")) event.protection = read_protection(*prot);
  return event;
}

PokeEvent CaseReader::read_poke(const Node& body) {
  reader_.check_keys(body, {"addr", "width", "value"}, {pid_key, tid_key});
  PokeEvent poke;
  const Node address = reader_.get(body, "addr");
  poke.address = read_place(address);
  poke.width = read_width(reader_.get(body, "width"));
  check_range(address, poke.address, poke.width);
  const std::uint64_t most = ~std::uint64_t{0} >> (64 - 8 * poke.width);
  poke.value = reader_.number(reader_.get(body, "value"), 0, most);
  return poke;
}

}  // namespace hardclock::conform
