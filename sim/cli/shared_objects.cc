#include "sim/cli/shared_objects.h"

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <utility>

#include "sim/cli/profile_files.h"
#include "sim/load/load.h"
#include "syscalls/host/guest_files.h"

namespace hardclock {
namespace {

constexpr std::uint64_t most_of_objects = std::uint64_t{256} << 20;  // bytes, all files together

std::optional<std::vector<std::uint8_t>> read_guest_file(host::GuestFiles& files,
                                                         const std::string& name,
                                                         std::uint64_t largest) {
  const auto path = host::GuestPath::parse("/", name);
  if (!path) return std::nullopt;
  auto file = files.open(*path, host::OpenOptions{.read = true});
  if (!file) return std::nullopt;
  const auto status = file->status();
  if (!status || status->type != host::FileType::regular || status->size > largest) {
    return std::nullopt;
  }
  std::vector<std::uint8_t> bytes(status->size);
  std::size_t done = 0;
  while (done < bytes.size()) {
    const auto part = file->read(std::span(bytes).subspan(done));
    if (!part || *part == 0) break;
    done += *part;
  }
  bytes.resize(done);
  return bytes;
}

// The programs have their own rows.
std::set<std::string> object_names(const std::vector<const report::Profile*>& profiles) {
  std::set<std::string> names;
  for (const report::Profile* const profile : profiles) {
    for (const report::ProcessProfile& process : profile->processes) {
      for (const report::Mapping& mapping : process.mappings) {
        if (mapping.file != process.program) names.insert(mapping.file);
      }
    }
  }
  return names;
}

}  // namespace

Result<report::Objects, std::string> find_shared_objects(
    const std::vector<const report::Profile*>& profiles, const std::vector<std::string>& roots,
    report::Lines* lines) {
  report::Objects objects;
  if (roots.empty()) return objects;
  host::FileSpace space;
  space.roots = roots;
  // Where it cannot be shown to a guest, it held no library of one either.
  if (auto directory = host::current_working_directory()) {
    space.working_directory = *std::move(directory);
  }
  auto files = host::GuestFiles::create(space);
  if (!files) return Failure{files.error()};
  std::uint64_t room = most_of_objects;
  for (const std::string& name : object_names(profiles)) {
    const auto bytes = read_guest_file(*files, name, room);
    if (!bytes) continue;
    room -= bytes->size();
    auto image = load_library(*bytes);
    if (!image) continue;
    objects.emplace(name, *std::move(image));
    if (lines != nullptr) add_source_lines(*bytes, name, name, *lines);
  }
  return objects;
}

}  // namespace hardclock
