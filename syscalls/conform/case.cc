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

}  // namespace hardclock::conform
