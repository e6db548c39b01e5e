#include "syscalls/systems.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <vector>

// The functions that systems.bzl names.
#define HARDCLOCK_SYSTEM(architecture, space, function, name) \
  namespace hardclock::space {                                \
  const posix::UnixSystem& function();                        \
  }
#include "syscalls/systems.def"
#undef HARDCLOCK_SYSTEM

namespace hardclock {
namespace {

// A system on one architecture, which is made when somebody asks for it: a program needs one.
struct Entry {
  Architecture architecture;
  const posix::UnixSystem& (*system)();
  std::string_view name;
};

constexpr Entry entries[] = {
#define HARDCLOCK_SYSTEM(architecture, space, function, name) \
  {Architecture::architecture, space::function, name},
#include "syscalls/systems.def"
#undef HARDCLOCK_SYSTEM
};

using Systems = std::vector<const posix::UnixSystem*>;

Systems systems_for(Architecture architecture) {
  Systems systems;
  for (const Entry& entry : entries) {
    if (entry.architecture == architecture) systems.push_back(&entry.system());
  }
  return systems;
}

// Each once.
std::vector<std::string_view> all_names() {
  std::vector<std::string_view> names;
  for (const Entry& entry : entries) {
    if (std::ranges::find(names, entry.name) == names.end()) names.push_back(entry.name);
  }
  return names;
}

}  // namespace

bool has_unix_systems(Architecture architecture) {
  return std::ranges::find(entries, architecture, &Entry::architecture) != std::end(entries);
}

std::span<const posix::UnixSystem* const> unix_systems(Architecture architecture) {
  static const std::map<Architecture, Systems> made = [] {
    std::map<Architecture, Systems> all;
    for (const Entry& entry : entries) all.try_emplace(entry.architecture);
    for (auto& [each, systems] : all) systems = systems_for(each);
    return all;
  }();
  const auto known = made.find(architecture);
  return known == made.end() ? std::span<const posix::UnixSystem* const>() : known->second;
}

const posix::UnixSystem* find_unix_system(std::string_view name, Architecture architecture) {
  const auto found = std::ranges::find_if(entries, [&](const Entry& entry) {
    return entry.name == name && entry.architecture == architecture;
  });
  return found == std::end(entries) ? nullptr : &found->system();
}

bool is_unix_system(std::string_view name) {
  return std::ranges::find(entries, name, &Entry::name) != std::end(entries);
}

std::string unix_system_names(Architecture architecture) {
  std::string names;
  for (const Entry& entry : entries) {
    if (entry.architecture != architecture) continue;
    names += (names.empty() ? "" : ", ") + std::string(entry.name);
  }
  return names;
}

std::string unix_system_names() {
  return fmt::format("{}", fmt::join(all_names(), ", "));
}

}  // namespace hardclock
