// Cases made by tests rather than read from files.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/result.h"
#include "sim/engine/cpu.h"
#include "sim/load/image.h"
#include "syscalls/conform/case.h"
#include "syscalls/conform/guest_backend.h"

namespace hardclock::conform {

inline constexpr std::uint64_t buffer_address = 0x10010000;
inline constexpr std::uint64_t text_address = 0x400000;
inline constexpr std::uint64_t buffer_size = 64;

inline MemoryObject object(const std::string& name, std::uint64_t address, std::uint64_t size) {
  return {.name = name, .address = GuestAddr(address), .size = size};
}

inline ProfilCall profil_call(std::uint64_t buff, std::uint64_t size,
                              std::uint64_t scale = 0x8000) {
  return {.buff = {.value = GuestAddr(buff)},
          .bufsiz = size,
          .offset = {.value = GuestAddr(text_address)},
          .scale = scale};
}

// A buffer of 64 bytes whose first counter takes the ticks at text_address and the three bytes
// behind it.
inline Case case_of(const char* system, std::vector<Event> events) {
  Case made;
  made.id = "T";
  made.variant = find_variant(system);
  made.memory.push_back(object("BUF", buffer_address, buffer_size));
  made.first.call = profil_call(buffer_address, buffer_size);
  made.events = std::move(events);
  return made;
}

inline Event tick(std::uint64_t n = 1, TickEvent::Mode mode = TickEvent::Mode::user) {
  return {TickEvent{GuestAddr(text_address), n, mode}};
}

inline Event memory_event(MemoryEvent::Kind kind, std::uint64_t address, std::uint64_t size,
                          Protection protection = {}) {
  return {MemoryEvent{kind, GuestAddr(address), size, protection}};
}

// What the call has to answer is left open.
Event call_event(Call call);

inline Event by(int pid, Event event, int tid = 1) {
  event.pid = pid;
  event.tid = tid;
  return event;
}

// As the command makes the guest's processors.
Result<std::unique_ptr<Cpu>, std::string> make_case_cpu(const posix::Program& program,
                                                        const posix::Port& port,
                                                        AddressSpace& memory);

}  // namespace hardclock::conform
