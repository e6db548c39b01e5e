#include "syscalls/irix/proc_file.h"

#include <charconv>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/last_work.h"
#include "sim/state/archive.h"
#include "syscalls/posix/process_memory.h"
#include "syscalls/posix/state.h"

namespace hardclock::irix {
namespace {

using host::Error;
using posix::Transfer;

constexpr std::string_view information = "pinfo";

// nullopt: the text is not all digits.
std::optional<int> to_pid(std::string_view text) {
  int pid = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), pid);
  const bool is_whole = error == std::errc() && end == text.data() + text.size();
  return is_whole && pid >= 0 && text.front() != '-' ? std::optional(pid) : std::nullopt;
}

// Below the directory.
std::optional<ProcPath> path_in_directory(std::string_view path) {
  ProcPath named;
  const std::size_t slash = path.find('/');
  if (slash != path.npos) {
    if (path.substr(0, slash) != information) return std::nullopt;
    named.kind = ProcFile::Kind::information;
    path.remove_prefix(slash + 1);
  }
  const auto pid = to_pid(path);
  if (!pid) return std::nullopt;
  named.pid = *pid;
  return named;
}

class ProcFiles final : public host::SyntheticFiles {
 public:
  explicit ProcFiles(const posix::Kernel& kernel) : kernel_(kernel) {}

  std::string_view root() const override { return "/proc"; }

  std::optional<host::SyntheticFile> find(std::string_view path) const override {
    if (path.empty()) {
      auto names = pids();
      names.emplace_back(information);
      return directory(std::move(names));
    }
    if (path == information) return directory(pids());
    const auto named = path_in_directory(path);
    if (!named || kernel_.simulation().find(named->pid) == nullptr) return std::nullopt;
    const bool is_process = named->kind == ProcFile::Kind::process;
    return host::SyntheticFile{.permissions = is_process ? 0600u : 0444u};
  }

  // Whoever opens a process gets a ProcFile.
  std::shared_ptr<const std::string> keep(std::string) const override {
    return std::make_shared<const std::string>();
  }

 private:
  static host::SyntheticFile directory(std::vector<std::string> names) {
    return {host::FileType::directory, 0555, {}, std::move(names)};
  }

  std::vector<std::string> pids() const {
    std::vector<std::string> names;
    for (const Process* const process : kernel_.simulation().processes()) {
      char name[16];
      std::snprintf(name, sizeof name, "%05d", process->pid);
      names.emplace_back(name);
    }
    return names;
  }

  const posix::Kernel& kernel_;
};

}  // namespace

std::optional<ProcPath> proc_path(std::string_view path) {
  for (const std::string_view root : {"/proc/", "/debug/"}) {
    if (path.starts_with(root)) return path_in_directory(path.substr(root.size()));
  }
  return std::nullopt;
}

std::shared_ptr<const host::SyntheticFiles> proc_files(const posix::Kernel& kernel) {
  return std::make_shared<ProcFiles>(kernel);
}

ProcFile::ProcFile(std::shared_ptr<posix::ProcessControl> control, Kind kind,
                   host::OpenRights rights, const host::FileStatus& status)
    : control_(std::move(control)), kind_(kind), rights_(rights), status_(status) {
  if (rights_.write) ++control_->controllers;
}

ProcFile::~ProcFile() {
  do_last_work([this] {
    if (rights_.write) lose_controller(*control_);
  });
}

// The one that the process has now: an exec replaces it. Null: the process has none.
AddressSpace* ProcFile::memory() const {
  return control_->process == nullptr ? nullptr : control_->process->memory.get();
}

Transfer ProcFile::read(std::span<std::uint8_t> bytes) {
  auto moved = pread(bytes, position_);
  if (moved) position_ += moved->value_or(0);
  return moved;
}

Transfer ProcFile::write(std::span<const std::uint8_t> bytes) {
  auto moved = pwrite(bytes, position_);
  if (moved) position_ += moved->value_or(0);
  return moved;
}

Transfer ProcFile::pread(std::span<std::uint8_t> bytes, std::uint64_t offset) {
  if (!rights_.read || kind_ == Kind::information) return Failure{Error::bad_descriptor};
  if (memory() == nullptr) return Failure{Error::not_found};
  return posix::read_memory(*memory(), bytes, offset);
}

Transfer ProcFile::pwrite(std::span<const std::uint8_t> bytes, std::uint64_t offset) {
  if (!rights_.write) return Failure{Error::bad_descriptor};
  if (memory() == nullptr) return Failure{Error::not_found};
  return posix::move_memory(*memory(), bytes, offset, posix::write_forcibly);
}

host::HostResult<std::uint64_t> ProcFile::seek(std::int64_t offset, host::Whence whence) {
  if (whence == host::Whence::set)
    position_ = 0;
  else if (whence != host::Whence::current)
    return Failure{Error::invalid};
  return position_ += static_cast<std::uint64_t>(offset);
}

void ProcFile::archive(Archive& to) {
  OpenFile::archive(to);
  to.refuse("an open file of /proc that is a process");
  to.state(control_, kind_, position_, rights_, status_);
}

}  // namespace hardclock::irix
