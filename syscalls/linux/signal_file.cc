#include "syscalls/linux/signal_file.h"

#include <memory>

#include "sim/state/archive.h"
#include "syscalls/linux/calls.h"
#include "syscalls/linux/signals.h"
#include "syscalls/linux/uapi.h"
#include "syscalls/posix/buffers.h"
#include "syscalls/posix/files/file_access.h"
#include "syscalls/posix/guest_struct.h"
#include "syscalls/posix/kernel.h"

namespace hardclock::gnu_linux {
namespace {

using posix::Call;
using posix::CallResult;
using posix::Errno;

// As many struct signalfd_siginfo as are pending and have room (fs/signalfd.c, signalfd_read()).
CallResult read_signals(Call& call, SignalFile& file, const posix::Buffers& buffers) {
  if (buffers.total() < siginfo_bytes) return CallResult::failure(Errno::einval);
  std::uint64_t done = 0;
  for (; buffers.total() - done >= siginfo_bytes; done += siginfo_bytes) {
    const unsigned signal = first_pending(call.thread, file.signals());
    if (signal == 0) break;
    if (!buffers.has_room(call.memory, done, siginfo_bytes)) {
      if (done == 0) return CallResult::failure(Errno::efault);
      break;
    }
    const posix::SignalInfo info = call.os.signals().take_pending(call.thread, signal);
    file.count_taken();
    buffers.store(call.memory, done, signal_file_info(call.process, signal, info).bytes());
  }
  if (done != 0) return CallResult::value(done);
  const auto instead = posix::instead_of_waiting(call, file);
  return instead ? *instead : CallResult::wait({.event = SignalPending{file.signals()}});
}

std::shared_ptr<SignalFile> signal_file_at(const Call& call) {
  return std::dynamic_pointer_cast<SignalFile>(posix::file_at(call));
}

}  // namespace

bool SignalFile::readable(const Thread* asker) const {
  return asker != nullptr && first_pending(*asker, signals_) != 0;
}

// With each signal that comes one more was taken or is pending.
std::uint64_t SignalFile::activity(const Thread* asker) const {
  if (asker == nullptr) return taken_;
  const auto* const own = static_cast<const posix::ThreadState*>(asker->os_state.get());
  return taken_ + posix::state_of(asker->process).pending.size() +
         (own == nullptr ? 0 : own->pending.size());
}

namespace calls {

CallResult read(Call& call) {
  const auto file = signal_file_at(call);
  if (file == nullptr) return posix::calls::read(call);
  const auto buffer = posix::one_buffer(call.address(1), call.arguments[2]);
  if (!buffer) return CallResult::failure(buffer.error());
  return read_signals(call, *file, *buffer);
}

CallResult readv(Call& call) {
  const auto file = signal_file_at(call);
  if (file == nullptr || call.signed_argument(2) <= 0) return posix::calls::readv(call);
  const auto buffers = posix::read_vectors(call, call.address(1), call.signed_argument(2));
  if (!buffers) return CallResult::failure(buffers.error());
  return read_signals(call, *file, *buffers);
}

// signalfd4(file, mask, size, flags): a new file, or the mask of this one if it is not -1.
CallResult signalfd4(Call& call) {
  constexpr std::int32_t none = -1;
  const unsigned last = call.system.signals.last;
  if (call.arguments[2] != last / 8) return CallResult::failure(Errno::einval);
  posix::GuestReader members(call, call.address(1));
  const SignalSet signals = posix::blockable(call.system.signals, members.signal_longs(last));
  if (!members.ok()) return CallResult::failure(Errno::efault);
  const posix::OpenFlags& known = call.system.open_flags;
  const std::uint32_t flags = new_file_flags(call, 3);
  if ((flags & ~(known.non_block | known.close_on_exec)) != 0) {
    return CallResult::failure(Errno::einval);
  }
  if (call.signed_argument(0) == none) {
    return add_anonymous_file(
        call, std::make_shared<SignalFile>(*call.os.files().records(), signals), flags);
  }
  const auto file = posix::file_of_kind_at<SignalFile>(call);
  if (!file) return CallResult::failure(file.error());
  (*file)->take_only(signals);
  return CallResult::value(call.argument(0));
}

}  // namespace calls

void SignalFile::archive(Archive& to) {
  AnonymousFile::archive(to);
  to.state(signals_, taken_);
}

}  // namespace hardclock::gnu_linux
