// Source: proc(5), and Linux 6.1, fs/proc/base.c, mem_rw() and mem_lseek().
#include "syscalls/linux/process_memory.h"

#include <charconv>
#include <string_view>
#include <utility>

#include "syscalls/linux/gateway.h"
#include "syscalls/linux/thread_ids.h"
#include "syscalls/posix/files/file_access.h"
#include "syscalls/posix/kernel.h"
#include "syscalls/posix/process_memory.h"
#include "syscalls/posix/unix_system.h"

namespace hardclock::gnu_linux {
namespace {

using host::Error;
using host::HostResult;
using posix::Call;
using posix::CallResult;
using posix::Errno;
using posix::Transfer;

// `size` is not 0. PA-RISC's gateway page is in the kernel's space.
bool is_kernels(const AddressSpace& memory, GuestAddr address, std::uint64_t size) {
  for (const std::uint64_t offset : {std::uint64_t{0}, size - 1}) {
    const Region* const region = memory.region_at(address + offset);
    if (region != nullptr && region->name == gateway_region) return true;
  }
  return false;
}

// Offsets are addresses. It is the memory that the process had when the file was opened: an exec
// or the end of the process leaves it without any.
class MemoryFile final : public posix::OpenFile {
 public:
  MemoryFile(const std::shared_ptr<AddressSpace>& memory, host::OpenRights rights,
             const host::FileStatus& status)
      : memory_(memory), rights_(rights), status_(status) {}

  Transfer read(std::span<std::uint8_t> bytes) override { return move_on(pread(bytes, position_)); }
  Transfer write(std::span<const std::uint8_t> bytes) override {
    return move_on(pwrite(bytes, position_));
  }
  Transfer pread(std::span<std::uint8_t> bytes, std::uint64_t offset) override {
    if (!rights_.read) return Failure{Error::bad_descriptor};
    const auto memory = lock_unended(memory_);
    if (memory == nullptr) return std::optional<std::size_t>(0);
    return posix::move_memory(*memory, bytes, offset, read_forcibly);
  }
  Transfer pwrite(std::span<const std::uint8_t> bytes, std::uint64_t offset) override {
    if (!rights_.write) return Failure{Error::bad_descriptor};
    const auto memory = lock_unended(memory_);
    if (memory == nullptr) return std::optional<std::size_t>(0);
    return posix::move_memory(*memory, bytes, offset, write_forcibly);
  }
  bool reads_whole() const override { return true; }
  // Every number is an address; there is no end.
  HostResult<std::uint64_t> seek(std::int64_t offset, host::Whence whence) override {
    if (whence == host::Whence::set)
      position_ = 0;
    else if (whence != host::Whence::current)
      return Failure{Error::invalid};
    return position_ += static_cast<std::uint64_t>(offset);
  }
  host::OpenRights rights() const override { return rights_; }
  void archive(Archive& to) override {
    OpenFile::archive(to);
    to.refuse("an open file of /proc that is a process's memory");
    const auto memory = memory_.lock();
    if (to.value(memory != nullptr)) (void)to.value(memory->number());
    to.state(position_, rights_, status_);
  }
  HostResult<host::FileStatus> status() const override { return status_; }

 private:
  Transfer move_on(Transfer moved) {
    if (moved) position_ += moved->value_or(0);
    return moved;
  }

  std::weak_ptr<AddressSpace> memory_;
  host::OpenRights rights_;
  host::FileStatus status_;
  std::uint64_t position_ = 0;
};

// The number before the text's first slash, and what is behind that slash.
std::optional<int> take_number(std::string_view& text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  if (error != std::errc() || !text.starts_with('/')) return std::nullopt;
  text.remove_prefix(1);
  return number;
}

// The process whose file the path is; its end or its other thread's may have come already. Null:
// it is another file.
const Process* process_of_path(const Simulation& simulation, std::string_view path) {
  constexpr std::string_view root = "/proc/", tasks = "task/", file = "mem";
  if (!path.starts_with(root)) return nullptr;
  path.remove_prefix(root.size());
  const auto pid = take_number(path);
  const Process* const process = pid ? simulation.find(*pid) : nullptr;
  if (process == nullptr || path == file) return process;
  if (!path.starts_with(tasks)) return nullptr;
  path.remove_prefix(tasks.size());
  const auto tid = take_number(path);
  const bool is_thread = tid && find_thread(*process, *tid) != nullptr;
  return is_thread && path == file ? process : nullptr;
}

}  // namespace

bool write_forcibly(AddressSpace& memory, GuestAddr address, std::span<const std::uint8_t> bytes) {
  return !is_kernels(memory, address, bytes.size()) &&
         posix::write_forcibly(memory, address, bytes);
}

bool read_forcibly(AddressSpace& memory, GuestAddr address, std::span<std::uint8_t> bytes) {
  return !is_kernels(memory, address, bytes.size()) && memory.examine(address, bytes).ok();
}

bool may_look_into(const Call& call, const Process& target) {
  return call.state.credentials.may_signal(posix::state_of(target).credentials);
}

std::optional<CallResult> open_process_memory(Call& call, const host::GuestPath& path,
                                              std::uint32_t flags) {
  constexpr std::uint32_t access_mode = 3, write_only = 1, read_only = 0;
  const Process* const process = process_of_path(call.simulation(), path.text());
  if (process == nullptr) return std::nullopt;
  const posix::OpenFlags& known = call.system.open_flags;
  if ((flags & known.create) != 0 && (flags & known.exclusive) != 0) {
    return CallResult::failure(Errno::eexist);
  }
  if ((flags & known.directory) != 0 || path.directory_required()) {
    return CallResult::failure(Errno::enotdir);
  }
  if (!may_look_into(call, *process)) return CallResult::failure(Errno::eacces);
  const auto status = call.os.files().status(path, host::Follow::no);
  if (!status) return CallResult::failure(posix::to_errno(status.error()));
  const host::OpenRights rights{.read = (flags & access_mode) != write_only,
                                .write = (flags & access_mode) != read_only};
  auto file = std::make_shared<MemoryFile>(process->memory.object(), rights, *status);
  file->path = path.text();
  file->status_flags = flags & (known.append | known.non_block | known.sync | known.kept);
  return posix::add_descriptor(call, std::move(file), (flags & known.close_on_exec) != 0);
}

}  // namespace hardclock::gnu_linux
