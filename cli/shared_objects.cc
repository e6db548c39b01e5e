#include "cli/shared_objects.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <utility>

#include "cli/guest_file.h"
#include "cli/profile_files.h"
#include "sim/load/load.h"
#include "sim/load/text_hash.h"
#include "syscalls/hpux/runtime/runtime_files.h"

namespace hardclock {
namespace {

// The program of a process has its own functions, or is one of the other programs.
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

void find_other_programs(const std::vector<const report::Profile*>& profiles,
                         const report::Identity& program, SharedObjects& objects) {
  for (const report::Profile* const profile : profiles) {
    for (const report::ProcessProfile& process : profile->processes) {
      if (!is_of(process, program)) objects.find_program(process.program, process.text_hash);
    }
  }
}

bool has_code(const Image& image, const std::string& hash) {
  return hash.empty() || hash == text_hash(image) || hash == former_text_hash(image);
}

// Whether that is the file's code. Of another file with that path it hardly is.
bool is_mapped(const Image& image, const report::Mapping& mapping) {
  constexpr std::uint64_t page = 4096;
  return std::ranges::any_of(image.segments, [&](const Segment& segment) {
    const std::uint64_t start = segment.file_offset / page * page;
    const std::uint64_t end = segment.file_offset + segment.bytes.size();
    return segment.permissions.execute && mapping.offset == start &&
           mapping.size == (end - start + page - 1) / page * page;
  });
}

void add_runtime_object(const report::Mapping& mapping, report::Objects& objects) {
  const auto bytes = hpux::runtime_file(mapping.file);
  if (bytes.empty() || objects.contains(mapping.file)) return;
  auto image = load_library(bytes);
  if (image && is_mapped(*image, mapping)) objects.emplace(mapping.file, std::move(*image));
}

}  // namespace

void add_runtime_objects(const std::vector<const report::Profile*>& profiles,
                         report::Objects& objects) {
  for (const report::Profile* const profile : profiles) {
    for (const report::ProcessProfile& process : profile->processes) {
      for (const report::Mapping& mapping : process.mappings) add_runtime_object(mapping, objects);
    }
  }
}

const Image* SharedObjects::find(const std::string& path) {
  return find(path, load_library, "");
}

const Image* SharedObjects::find_program(const std::string& path, const std::string& text_hash) {
  return find(path, load_image, text_hash);
}

const Image* SharedObjects::find(const std::string& path, Load load, const std::string& text_hash) {
  const auto [known, is_new] = known_.try_emplace(path);
  if (!is_new) return known->second.get();
  const auto bytes = read_guest_file(*files_, path, room_);
  if (!bytes) return nullptr;
  room_ -= bytes->size();
  auto image = load(*bytes);
  if (!image || !has_code(*image, text_hash)) return nullptr;
  known->second = std::make_unique<Image>(std::move(image).value());
  if (lines_ != nullptr) add_source_lines(*bytes, path, path, *lines_);
  return known->second.get();
}

report::Objects SharedObjects::take() && {
  report::Objects objects;
  for (auto& [path, image] : known_) {
    if (image != nullptr) objects.emplace(path, std::move(*image));
  }
  return objects;
}

Result<report::Objects, std::string> find_shared_objects(
    const std::vector<const report::Profile*>& profiles, const report::Identity& program,
    const std::vector<std::string>& roots, report::Lines* lines) {
  report::Objects objects;
  if (roots.empty()) {
    add_runtime_objects(profiles, objects);
    return objects;
  }
  host::FileSpace space;
  space.roots = roots;
  // Where it cannot be shown to a guest, it held no library of one either.
  if (auto directory = host::current_working_directory()) {
    space.working_directory = *std::move(directory);
  }
  auto files = host::GuestFiles::create(space);
  if (!files) return Failure{files.error()};
  objects = read_shared_objects(
      profiles, program, std::make_shared<host::GuestFiles>(std::move(files).value()), lines);
  add_runtime_objects(profiles, objects);
  return objects;
}

report::Objects read_shared_objects(const std::vector<const report::Profile*>& profiles,
                                    const report::Identity& program,
                                    std::shared_ptr<host::GuestFiles> files, report::Lines* lines) {
  SharedObjects all(std::move(files), lines);
  find_other_programs(profiles, program, all);
  for (const std::string& name : object_names(profiles)) all.find(name);
  return std::move(all).take();
}

}  // namespace hardclock
