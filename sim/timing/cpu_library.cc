#include "sim/timing/cpu_library.h"

#include <algorithm>
#include <sstream>
#include <utility>

#include "sim/timing/inherited_rows.h"

namespace hardclock {
namespace {

using Files = std::span<const DescriptionFile>;

bool is_file_of(const DescriptionFile& file, std::string_view name) {
  return std::string_view(file.name) == std::string(name) + ".timing";
}

// The line `called NAME,NAME...`, in a file that is not to be read for it.
bool says_called(std::string_view text, std::string_view name) {
  constexpr std::string_view keyword = "\ncalled ";
  const std::size_t start = text.find(keyword);
  if (start == std::string_view::npos) return false;
  text.remove_prefix(start + keyword.size());
  std::istringstream words{std::string(text.substr(0, text.find_first_of("\n#")))};
  words.exceptions(std::ios::badbit);
  std::string list;
  words >> list;
  return std::ranges::count(words_of_list(list), name) != 0;
}

}  // namespace

Result<CpuDescription, std::string> parse_cpu_file(Files files, std::size_t index) {
  std::vector<DescriptionFile> needed = {files[index]};
  std::vector<CpuDescription> cpus;
  for (std::size_t i = 0; i < needed.size(); ++i) {
    auto parsed = parse_descriptions(Files(&needed[i], 1), parse_cpu_description);
    if (!parsed) return Failure{parsed.error()};
    cpus.push_back(std::move(parsed->front()));
    for (const TimingRow& row : cpus.back().rows) {
      if (row.keyword != "like") continue;
      const auto is_base = [&](const DescriptionFile& file) { return is_file_of(file, row.name); };
      const auto base = std::ranges::find_if(files, is_base);
      if (base != files.end() && std::ranges::none_of(needed, is_base)) needed.push_back(*base);
    }
  }
  if (const auto made = inherit_rows(cpus); !made) return Failure{made.error()};
  return std::move(cpus.front());
}

const CpuDescription& CpuLibrary::read(std::size_t index) {
  CpuDescription& cpu = cpus_[index];
  if (cpu.name.empty()) cpu = without_mistakes(parse_cpu_file(files_, index));
  return cpu;
}

const std::vector<CpuDescription>& CpuLibrary::all() {
  for (std::size_t i = 0; i < files_.size(); ++i) read(i);
  return cpus_;
}

const CpuDescription* CpuLibrary::find(std::string_view name) {
  const auto found = std::ranges::find_if(files_, [&](const DescriptionFile& file) {
    return is_file_of(file, name) || says_called(file.text, name);
  });
  return found == files_.end() ? nullptr : &read(static_cast<std::size_t>(found - files_.begin()));
}

}  // namespace hardclock
