// /proc/NNNNN and /proc/pinfo/NNNNN (or /debug/NNNNN): processes as files. Source: proc(4) of IRIX.
#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "syscalls/host/synthetic_files.h"
#include "syscalls/posix/files/open_file.h"
#include "syscalls/posix/kernel.h"
#include "syscalls/posix/signals/process_control.h"

namespace hardclock::irix {

constexpr unsigned first_call = 1000;  // the number of the system's call 0

// An open one. Offsets are addresses.
class ProcFile final : public posix::OpenFile {
 public:
  enum class Kind : std::uint8_t { process, information };  // the latter is /proc/pinfo's

  ProcFile(std::shared_ptr<posix::ProcessControl> control, Kind kind, host::OpenRights rights,
           const host::FileStatus& status);
  ~ProcFile() override;

  // Of a process that may have ended.
  const std::shared_ptr<posix::ProcessControl>& control() const { return control_; }
  Kind kind() const { return kind_; }

  posix::Transfer read(std::span<std::uint8_t> bytes) override;
  posix::Transfer write(std::span<const std::uint8_t> bytes) override;
  posix::Transfer pread(std::span<std::uint8_t> bytes, std::uint64_t offset) override;
  posix::Transfer pwrite(std::span<const std::uint8_t> bytes, std::uint64_t offset) override;
  bool reads_whole() const override { return true; }
  host::HostResult<std::uint64_t> seek(std::int64_t offset, host::Whence whence) override;
  // It stands still, or has ended: what dbxpcs waits for in select(2)'s exceptional conditions.
  bool has_urgent() const override {
    return control_->process == nullptr || control_->stands_still;
  }
  host::OpenRights rights() const override { return rights_; }
  void archive(Archive& to) override;
  host::HostResult<host::FileStatus> status() const override { return status_; }

 private:
  AddressSpace* memory() const;

  std::shared_ptr<posix::ProcessControl> control_;
  Kind kind_;
  host::OpenRights rights_;
  host::FileStatus status_;
  std::uint64_t position_ = 0;
};

// The process that a path names, and how.
struct ProcPath {
  int pid = 0;
  ProcFile::Kind kind = ProcFile::Kind::process;
};
// nullopt: it names none.
std::optional<ProcPath> proc_path(std::string_view path);

// UnixSystem::synthetic_files
std::shared_ptr<const host::SyntheticFiles> proc_files(const posix::Kernel& kernel);

}  // namespace hardclock::irix
