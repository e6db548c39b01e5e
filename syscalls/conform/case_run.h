// One case, performed on one machine: the case's events become calls, ticks and changes of memory
// of the machine's processes.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "syscalls/conform/backend.h"
#include "syscalls/conform/case.h"
#include "syscalls/conform/guest_agent.h"
#include "syscalls/conform/guest_machine.h"

namespace hardclock::conform {

class CaseRun {
 public:
  CaseRun(const Case& of, GuestMachine& machine, const AgentLayout& agent)
      : case_(of), machine_(machine), agent_(agent), is_wide_(of.variant->address_bits == 64) {
    pids_[1] = machine.first().pid;
  }

  // Once. An error in the observation says what the machine cannot do.
  Observation perform();

 private:
  // ---- case_run.cc: who acts, its ticks and its processes.
  // nullptr: it cannot act; the observation says why.
  Process* process();
  Thread* thread();
  void act(const TickEvent& tick);
  void act_late(Thread& hit, const TickEvent& tick);
  void act(const RunEvent& run);
  void act(const CallStep& step) { make_call(step.call); }
  void act(const ForkEvent& fork);
  void act(const ExecEvent& exec);
  void act(const SignalEvent& signal);
  void act(const ThreadCreateEvent&) { thread(); }
  void run_program(Thread& caller);
  void leave_kernel();
  int case_thread(int pid, const Thread& thread) const;
  std::optional<Answer> call(std::string_view name, std::vector<std::uint64_t> arguments);
  CallResult result_of(const std::optional<Answer>& answer);
  // Whether the call succeeded; if not, the case cannot be performed.
  bool succeeded(const std::optional<Answer>& answer, std::string_view what);
  bool check_machine();
  void fail(const std::string& why) {
    if (observation_.error.empty()) observation_.error = why;
  }
  GuestAddr charged(GuestAddr pc) const { return GuestAddr(pc.value() & case_.variant->pc_mask); }

  // ---- case_run_profil.cc: the profiling calls.
  void make_call(const Call& call);
  CallResult answer_to(const ProfilCall& call);
  CallResult answer_to(const SprofilCall& call);
  CallResult answer_to(const PcsampleCall& call);
  std::uint64_t store_entries(const SprofilCall& call);
  std::uint64_t store_timeval(const SprofilCall& sprofil, std::uint64_t bad);
  std::optional<TimeValue> load_timeval();

  // ---- case_run_memory.cc: its memory, and what is in it at the end.
  void map_memory();
  void put_presets(const MemoryObject& object);
  void act(const MemoryEvent& event);
  void act(const PokeEvent& poke);
  void change_directly(AddressSpace& memory, const MemoryEvent& event, const Pages& pages);
  void map_by_call(const Pages& pages, const Protection& protection);
  std::optional<Pages> pages_of(GuestAddr address, std::uint64_t size);
  void observe();
  void observe(Process& process, ProcessObservation& seen);
  std::optional<Elements> elements_of(AddressSpace& memory, const MemoryObject& object);
  void read_elements(AddressSpace& memory, const MemoryObject& object, const Pages& in,
                     Elements& elements);
  void check_page(AddressSpace& memory, GuestAddr page);

  const Case& case_;
  GuestMachine& machine_;
  AgentLayout agent_;
  bool is_wide_;
  std::map<int, int> pids_;                        // the case's -> the machine's
  std::map<std::pair<int, int>, int> thread_ids_;  // the case's pid and tid -> the LWP's id
  int pid_ = 1;                                    // who acts
  int tid_ = 1;
  std::size_t next_event_ = 0;
  Observation observation_;
};

}  // namespace hardclock::conform
