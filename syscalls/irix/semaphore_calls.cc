// The requests of /dev/usema and /dev/usemaclone, and usync_cntl(). They are not documented; see
// semaphore_device.h for what is known of them.
#include <string_view>

#include "syscalls/irix/calls.h"
#include "syscalls/irix/semaphore_device.h"
#include "syscalls/posix/files/file_access.h"
#include "syscalls/posix/guest_struct.h"
#include "syscalls/posix/ipc/ipc_calls.h"

namespace hardclock::irix::calls {
namespace {

constexpr std::string_view semaphore_path = "/dev/usema", clone_path = "/dev/usemaclone";

// <sys/usioctl.h>, as NetBSD's irix_usema.h has it: 'u', 's' and the number.
constexpr std::uint32_t request_base = 0x757300, request_mask = 0xffff00;
enum Request : std::uint32_t {
  attach = 2,
  block = 3,
  begin_polling = 4,     // UIOCABLOCK
  unblock = 6,           // a process
  release = 7,           // UIOCAUNBLOCK: a process that polls
  begin_polling_q = 12,  // UIOCABLOCKQ: in the device's own queue
  release_first = 13,    // UIOCAUNBLOCKQ
  name_semaphore = 14,   // UIOCIDADDR: where it is, which nothing here needs
  get_count = 16,
};

std::shared_ptr<SemaphoreDevice> device_with_number(Call& call, std::uint32_t number) {
  for (Process* const process : call.simulation().processes()) {
    if (process->exit_status) continue;
    const posix::Descriptors& descriptors = *posix::descriptors_of(*process);
    for (std::size_t i = 0; i < descriptors.end(); ++i) {
      const auto file =
          std::dynamic_pointer_cast<SemaphoreFile>(descriptors.get(static_cast<std::int64_t>(i)));
      const bool is_it =
          file != nullptr && file->device() != nullptr && file->device()->number() == number;
      if (is_it) return file->device();
    }
  }
  return nullptr;
}

CallResult open_device(Call& call, std::shared_ptr<SemaphoreDevice> device, std::string_view path) {
  auto file = std::make_shared<SemaphoreFile>(std::move(device), call.os.files().records(),
                                              host::OpenRights{.read = true, .write = true});
  file->path = path;
  return posix::add_descriptor(call, std::move(file));
}

// struct usattach_s: the number of a device, and a handle. The result is a descriptor of it.
CallResult attach_to(Call& call) {
  const auto number = call.memory.read<std::uint32_t>(call.address(2));
  if (!number) return CallResult::failure(Errno::efault);
  auto device = device_with_number(call, *number);
  if (device == nullptr) return CallResult::failure(Errno::enxio);
  return open_device(call, std::move(device), clone_path);
}

CallResult block_caller(Call& call, SemaphoreDevice& device) {
  if (posix::ipc_waited(call) != nullptr || device.take_unblocked(call.process.pid)) {
    return CallResult::value(0);
  }
  return posix::ipc_wait(device.wait(call.process.pid));
}

// Whether the process that argument 2 names can still wait; else the C library asks for the next.
bool is_alive(Call& call) {
  const Process* const process = call.simulation().find(call.signed_argument(2));
  return process != nullptr && !process->exit_status;
}

CallResult device_request(Call& call, SemaphoreFile& file) {
  SemaphoreDevice& device = *file.device();
  const int pid = call.process.pid;
  switch (call.argument(1) & ~request_mask) {
    case block:
      return block_caller(call, device);
    case unblock:
      if (!is_alive(call)) return CallResult::failure(Errno::esrch);
      device.unblock(call.signed_argument(2));
      return CallResult::value(0);
    case begin_polling:
    case begin_polling_q:
      device.begin_polling(pid);
      file.poll_for(pid);
      return CallResult::value(0);
    case release:
      if (!is_alive(call)) return CallResult::failure(Errno::esrch);
      device.release(call.signed_argument(2));
      return CallResult::value(0);
    case release_first:
      device.release_first();
      return CallResult::value(0);
    case name_semaphore:
      return CallResult::value(0);
    case get_count:
      return CallResult::value(std::uint64_t{0} - device.polling());
    default:
      return call.os.answer_missing("request " + std::to_string(call.argument(1) & ~request_mask) +
                                    " of /dev/usema");
  }
}

}  // namespace

// Each opening of the clone device makes a device of its own.
CallResult open(Call& call) {
  const auto path = posix::read_path(call, call.address(0));
  if (!path) return CallResult::failure(path.error());
  if (path->text() == clone_path) {
    const auto number = static_cast<std::uint32_t>(call.os.files().records()->unnamed());
    return open_device(call, std::make_shared<SemaphoreDevice>(number), clone_path);
  }
  if (path->text() == semaphore_path) return open_device(call, nullptr, semaphore_path);
  if (auto result = open_process(call, *path)) return *result;
  if (auto result = open_descriptor(call, *path)) return *result;
  return posix::calls::open(call);
}

CallResult ioctl(Call& call) {
  if (auto result = process_request(call)) return *result;
  const auto file = std::dynamic_pointer_cast<SemaphoreFile>(posix::file_at(call));
  if (file == nullptr || (call.argument(1) & request_mask) != request_base) {
    return posix::calls::ioctl(call);
  }
  if ((call.argument(1) & ~request_mask) == attach) return attach_to(call);
  if (file->device() == nullptr) return CallResult::failure(Errno::einval);
  return device_request(call, *file);
}

}  // namespace hardclock::irix::calls
