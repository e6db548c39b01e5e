// Reads one case from its JSON value. Internal to the parser.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "syscalls/conform/case.h"
#include "syscalls/conform/reader.h"

namespace hardclock::conform {

// Limits that keep a file from occupying the harness for hours.
inline constexpr std::uint64_t most_ticks = 1'000'000;         // of one event
inline constexpr std::uint64_t most_milliseconds = 1'000'000;  // of one event
inline constexpr std::size_t most_processes = 64;              // of one case
inline constexpr std::int64_t highest_pid = 30'000;
inline constexpr std::int64_t highest_tid = 30'000;

class CaseReader {
 public:
  explicit CaseReader(Reader& reader) : reader_(reader) {}

  // Reads an element of "cases". A violation of the format becomes the reader's error.
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
  // Requires that [address, address + size) is inside the address space and not empty.
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

  // Records that the case cannot be performed; the first reason stays.
  void defect(const Node& at, std::string_view reason);
  std::uint64_t highest_address() const;

  Reader& reader_;
  Case case_;
  std::set<int> pids_ = {1};
};

}  // namespace hardclock::conform
