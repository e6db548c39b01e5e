#include "syscalls/conform/case.h"

#include <algorithm>

namespace hardclock::conform {

const MemoryObject* find_object(const Case& of, GuestAddr address) {
  const auto found = std::ranges::find_if(of.memory, [&](const MemoryObject& object) {
    return address >= object.address && address - object.address < object.size;
  });
  return found == of.memory.end() ? nullptr : &*found;
}

const MemoryObject* find_object(const Case& of, const std::string& name) {
  const auto found = std::ranges::find(of.memory, name, &MemoryObject::name);
  return found == of.memory.end() ? nullptr : &*found;
}

GuestAddr resume_pc(const Case& of, std::size_t next, int pid, int tid) {
  constexpr GuestAddr own_code(0);
  if (next >= of.events.size()) return own_code;
  const Event& event = of.events[next];
  if (event.pid != pid || event.tid != tid) return own_code;
  if (const auto* const tick = std::get_if<TickEvent>(&event.what)) return tick->pc;
  if (const auto* const run = std::get_if<RunEvent>(&event.what)) return run->pc;
  return own_code;
}

}  // namespace hardclock::conform
