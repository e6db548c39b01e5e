// One case out of its JSON value; inside of the parser.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "syscalls/conform/case.h"
#include "syscalls/conform/reader.h"

namespace hardclock::conform {

// Bounds that keep a file from making the harness work for hours.
inline constexpr std::uint64_t kMostTicks = 1'000'000;         // of one event
inline constexpr std::uint64_t kMostMilliseconds = 1'000'000;  // of one event
inline constexpr std::size_t kMostProcesses = 64;              // of one case
inline constexpr std::int64_t kHighestPid = 30'000;
inline constexpr std::int64_t kHighestTid = 30'000;

class CaseReader {
 public:
  explicit CaseReader(Reader& reader) : reader_(reader) {}

  // An element of "cases". What is wrong with its form is the reader's error.
  Case read(const Node& node);

 private:
  void read_description(const Node& node);
  void read_system(const Node& name);

  void read_memory(const Node& array);
  MemoryObject read_object(const Node& node);
  void read_presets(const Node& node, MemoryObject& object);
  Protection read_protection(const Node& node);
  unsigned read_width(const Node& node);

  void read_expectation(const Node& node);
  void read_counters(const Node& node);
  void read_elements(const Node& node, const MemoryObject& object, Elements& elements);
  void read_profiling(const Node& node);
  void read_ended(const Node& node);
  std::optional<int> read_known_pid(const std::string& name, const Node& node);

  // call_reader.cc
  std::optional<Call> read_call(const Node& name, const Node& args);
  ProfilCall read_profil(const Node& args);
  SprofilCall read_sprofil(const Node& name, const Node& args);
  ProfEntry read_entry(const Node& node);
  std::int32_t read_profcnt(const Node& node);
  void read_flags(const Node& node, SprofilCall& call);
  PcsampleCall read_pcsample(const Node& name, const Node& args);
  CallExpectation read_answer(const Node& node);
  void resolve_bad_addresses();
  std::optional<GuestAddr> unmapped_address() const;

  // addresses
  GuestAddr read_literal(const Node& node);
  Address read_address(const Node& node);  // an argument
  GuestAddr read_place(const Node& node);  // of an event: literal or object
  std::optional<Address> parse_object_address(std::string_view text) const;
  // [address, address + size) must be inside of the address space and not empty.
  void check_range(const Node& node, GuestAddr address, std::uint64_t size);
  std::uint64_t read_register(const Node& node);

  // event_reader.cc
  void read_event(const Node& node);
  std::optional<Event> read_known_event(std::string_view name, const Node& body);
  TickEvent read_tick(const Node& body);
  RunEvent read_run(const Node& body);
  std::optional<CallStep> read_call_event(const Node& body);
  ForkEvent read_fork(std::string_view name, const Node& body);
  MemoryEvent read_memory_event(std::string_view name, const Node& body);
  PokeEvent read_poke(const Node& body);

  // The case cannot be performed; the first reason stays.
  void defect(const Node& at, std::string_view reason);
  std::uint64_t highest_address() const;

  Reader& reader_;
  Case case_;
  std::set<int> pids_ = {1};
};

}  // namespace hardclock::conform
