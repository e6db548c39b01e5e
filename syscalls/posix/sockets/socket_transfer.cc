#include "syscalls/posix/sockets/socket_transfer.h"

#include <algorithm>
#include <vector>

#include "syscalls/posix/calls.h"
#include "syscalls/posix/files/file_access.h"
#include "syscalls/posix/guest_struct.h"
#include "syscalls/posix/kernel.h"
#include "syscalls/posix/sockets/outside_sockets.h"
#include "syscalls/posix/sockets/socket_interface.h"
#include "syscalls/posix/unix_system.h"

namespace hardclock::posix {
namespace {

constexpr std::size_t largest_piece = std::size_t{256} * 1024;  // no datagram is longer

// EAGAIN where the call must not wait.
std::optional<CallResult> refusal_to_wait(const Call& call, const Socket& socket,
                                          const TransferFlags& flags) {
  if (flags.does_not_wait) return CallResult::failure(Errno::eagain);
  return instead_of_waiting(call, socket);
}

// SO_RCVTIMEO and SO_SNDTIMEO bound a wait. Nothing: its time is over.
std::optional<CallResult> wait_within(Call& call, const Socket& socket, SocketOption limit,
                                      WaitEvent event, std::uint64_t progress) {
  Wait wait{.event = std::move(event), .progress = progress};
  const auto found = socket.options.find(limit);
  if (found != socket.options.end() && found->second != std::pair<std::uint64_t, std::uint64_t>{}) {
    const auto [seconds, microseconds] = found->second;
    wait.until = call.first_deadline(calls::deadline_after(call, seconds, microseconds * 1000));
    wait.on_signal = Interruptible{};
    if (wait.until->has_come(call.simulation().clock())) return std::nullopt;
  }
  return CallResult::wait(std::move(wait));
}

CallResult send_failed(Call& call, host::Error error, const TransferFlags& flags) {
  if (flags.sends_no_signal) return CallResult::failure(to_errno(error));
  return write_failed(call, error);
}

Result<SocketRef, Errno> find_local(Call& call, const std::string& name) {
  const Network& network = call.os.network();
  SocketRef found;
  if (name.starts_with('\0')) {
    found = network.at(name);
  } else {
    const auto path = host::GuestPath::parse(call.paths().directory, name);
    if (!path) return Failure{to_errno(path.error())};
    const auto node = call.os.files().find_node(*path, host::Follow::yes);
    if (!node || node->object != nullptr) {
      const auto status = call.os.files().status(*path, host::Follow::yes);
      return Failure{status ? Errno::econnrefused : to_errno(status.error())};
    }
    found = network.at(node->identity);
  }
  if (found == nullptr) return Failure{Errno::econnrefused};
  return found;
}

// What a datagram without `to` goes to, if not to the peer that the socket itself knows.
std::optional<SocketAddress> destination(const Socket& socket, const Parcel& parcel) {
  if (socket.has_connections()) return std::nullopt;
  if (parcel.to) return parcel.to;
  return socket.is_local() ? std::nullopt : socket.peer;
}

// Nothing: it has a port, or needs none.
std::optional<Errno> give_port(Call& call, const SocketRef& socket) {
  if (socket->is_local() || socket->has_connections() || socket->local) return std::nullopt;
  const auto bound = call.os.network().bind_to_any(socket, any_host);
  if (!bound) return bound.error();
  return std::nullopt;
}

// Whom a datagram goes to, where the socket does not know that by itself.
struct Target {
  SocketRef socket;
  bool is_lost = false;  // nobody is there, and nobody will say so
};

// A connected socket hears later of what is lost.
Result<Target, Errno> find_target(Call& call, const Socket& socket, const Parcel& parcel) {
  const auto at = destination(socket, parcel);
  if (!at) return Target{};
  const auto found = find_socket(call, socket, *at);
  if (!found && !socket.is_local() && found.error() == Errno::econnrefused) {
    return Target{nullptr, parcel.to.has_value()};
  }
  if (!found) return Failure{found.error()};
  if ((*found)->has_connections()) return Failure{Errno::eprototype};
  if (socket.is_local() && !(*found)->takes_from(socket)) return Failure{Errno::eperm};
  return Target{*found};
}

void signal_urgent(Call& call, const FileOwner& owner) {
  const SignalTable& table = call.system.signals;
  const auto found = std::ranges::find(table.names, std::string_view("SIGURG"));
  if (found == table.names.end()) return;
  call.os.signals().post_to_owner(owner, static_cast<unsigned>(found - table.names.begin()));
}

// Whether a datagram leaves the guests' network.
bool leaves(const Call& call, const Socket& socket, const Parcel& parcel) {
  const auto at = destination(socket, parcel);
  return at && goes_outside(call, socket, at->host);
}

// What has been moved so far, or why nothing was.
CallResult so_far(std::uint64_t done, const CallResult& instead) {
  return done == 0 ? instead : CallResult::value(done);
}

CallResult wait_to_receive(Call& call, const SocketRef& socket, const TransferFlags& flags,
                           std::uint64_t done) {
  if (const auto instead = refusal_to_wait(call, *socket, flags)) return so_far(done, *instead);
  const auto wait = wait_within(
      call, *socket, SocketOption::receive_timeout,
      FileWait{{{.descriptor = call.signed_argument(0), .file = socket, .for_reading = true}}},
      done);
  return wait ? *wait : so_far(done, CallResult::failure(Errno::eagain));
}

CallResult wait_to_send(Call& call, const SocketRef& socket, const SocketRef& to,
                        const TransferFlags& flags, std::size_t bytes, std::uint64_t done) {
  if (const auto instead = refusal_to_wait(call, *socket, flags)) return so_far(done, *instead);
  WaitEvent event = to != nullptr ? ObjectEvent(SocketWait{SocketWait::For::datagram, {to}, bytes})
                                  : FileWait{{{.descriptor = call.signed_argument(0),
                                               .file = socket,
                                               .bytes_to_write = std::max<std::size_t>(bytes, 1)}}};
  const auto wait = wait_within(call, *socket, SocketOption::send_timeout, std::move(event), done);
  return wait ? *wait : so_far(done, CallResult::failure(Errno::eagain));
}

// What a message tells of its sender by itself (Linux, include/net/scm.h, scm_send()).
SocketOwner caller_of(const Call& call) {
  const Credentials& ids = call.state.credentials;
  return {call.process.pid, ids.user.real, ids.group.real};
}

}  // namespace

Result<SocketRef, Errno> socket_at(const Call& call) {
  const auto file = file_at(call);
  if (file == nullptr) return Failure{Errno::ebadf};
  if (file->socket() == nullptr) return Failure{Errno::enotsock};
  return socket_of(file);
}

std::uint64_t progress_of(const Call& call) {
  const Wait* const before = call.thread.wait_before();
  return before == nullptr ? 0 : before->progress;
}

Result<TransferFlags, Errno> transfer_flags(const Call& call, const Socket& socket,
                                            std::uint32_t flags) {
  const MessageFlags& known = call.system.sockets->flags;
  const bool is_urgent = (flags & known.out_of_band) != 0;
  const bool is_outside = socket.is_stream() && socket.outside() != nullptr;
  if (is_urgent && (socket.is_local() || is_outside)) return Failure{Errno::eopnotsupp};
  return TransferFlags{.peeks = (flags & known.peek) != 0,
                       .waits_for_all = (flags & known.wait_for_all) != 0,
                       .does_not_wait = (flags & known.do_not_wait) != 0,
                       .sends_no_signal = (flags & known.no_signal) != 0,
                       .is_urgent = is_urgent,
                       .closes_on_exec = (flags & known.close_on_exec) != 0,
                       .tells_whole = (flags & known.cut) != 0,
                       .moved = progress_of(call)};
}

Result<SocketRef, Errno> find_socket(Call& call, const Socket& sender, const SocketAddress& at) {
  if (at.family == SocketFamily::local) return find_local(call, at.name);
  if (!is_loopback(at.host)) return Failure{Errno::enetunreach};
  const Network& network = call.os.network();
  SocketRef found = sender.has_connections() ? network.listener(at.host, at.port)
                                             : network.receiver(sender, at.host, at.port);
  if (found == nullptr) return Failure{Errno::econnrefused};
  return found;
}

std::optional<SocketAddress> told_sender(const Socket& receiver, const Received& received) {
  const bool tells =
      receiver.is_local() ? !received.from.name.empty() : !receiver.has_connections();
  return tells ? std::optional(received.from) : std::nullopt;
}

CallResult receive(Call& call, const SocketRef& socket, const Buffers& buffers,
                   const TransferFlags& flags, Received* received) {
  const bool is_urgent = flags.is_urgent && socket->is_stream();
  std::optional<std::uint64_t> told;  // instead of the bytes that were stored
  std::uint64_t done = flags.moved;
  while (true) {
    std::vector<std::uint8_t> bytes(std::min<std::uint64_t>(buffers.total() - done, largest_piece));
    // Before anything is taken: bytes must not be lost to a bad buffer.
    if (!buffers.has_room(call.memory, done, bytes.size())) {
      return CallResult::failure(Errno::efault);
    }
    const Receipt receipt = is_urgent ? socket->receive_urgent(bytes, flags.peeks)
                                      : socket->receive(bytes, flags.peeks);
    if (!receipt && done == 0) return CallResult::failure(to_errno(receipt.error()));
    if (!receipt) break;
    if (!*receipt) return wait_to_receive(call, socket, flags, done);
    const Received& got = **receipt;
    const bool drops = flags.tells_whole && socket->is_stream() && !socket->is_local();
    if (!drops && !buffers.store(call.memory, done, std::span(bytes).first(got.bytes))) {
      return CallResult::failure(Errno::efault);
    }
    if (flags.tells_whole && !socket->is_stream()) told = got.whole;
    done += got.bytes;
    if (received != nullptr) *received = got;
    const bool goes_on = flags.waits_for_all && !flags.peeks && socket->is_stream() &&
                         got.bytes != 0 && got.files.empty() && done < buffers.total() &&
                         !is_urgent && !socket->inbox()->is_at_mark();
    if (!goes_on) break;
  }
  return CallResult::value(told.value_or(done));
}

CallResult send(Call& call, const SocketRef& socket, const Buffers& buffers,
                const TransferFlags& flags, Parcel parcel) {
  if (flags.is_urgent && !socket->is_stream()) return CallResult::failure(Errno::eopnotsupp);
  if (!socket->is_stream() && buffers.total() > largest_piece) {
    return CallResult::failure(Errno::emsgsize);
  }
  if (const auto error = give_port(call, socket)) return CallResult::failure(*error);
  const bool is_outside = leaves(call, *socket, parcel);
  if (is_outside) {
    const auto opened = open_outside(call, *socket);
    if (!opened) return CallResult::failure(opened.error());
  }
  const auto target =
      is_outside ? Result<Target, Errno>(Target{}) : find_target(call, *socket, parcel);
  if (!target) return CallResult::failure(target.error());
  if (target->is_lost) return CallResult::value(buffers.total());
  std::uint64_t done = flags.moved;
  do {
    std::vector<std::uint8_t> bytes(std::min<std::uint64_t>(buffers.total() - done, largest_piece));
    if (!buffers.load(call.memory, done, bytes)) {
      return done == 0 ? CallResult::failure(Errno::efault) : CallResult::value(done);
    }
    Socket::Attached attached{.files = {}, .sender = parcel.sender.value_or(caller_of(call))};
    if (done == 0 && !parcel.files.empty()) {
      attached.files = FilesInFlight(parcel.files, call.os.network().files_in_flight());
    }
    const Transfer moved = is_outside
                               ? socket->send_outside(bytes, parcel.to)
                               : socket->send(bytes, target->socket.get(), std::move(attached));
    if (!moved) {
      const CallResult failed = send_failed(call, moved.error(), flags);
      return done == 0 ? failed : CallResult::value(done);
    }
    if (!*moved) return wait_to_send(call, socket, target->socket, flags, bytes.size(), done);
    done += **moved;
  } while (done < buffers.total());
  if (flags.is_urgent && done != 0) signal_urgent(call, socket->mark_sent_as_urgent());
  return CallResult::value(done);
}

CallResult is_at_mark(Call& call) {
  const auto socket = socket_at(call);
  if (!socket || (*socket)->is_local() || !(*socket)->is_stream()) {
    return CallResult::failure(Errno::enotty);
  }
  const std::uint32_t answer = (*socket)->inbox()->is_at_mark() ? 1 : 0;
  return write_words(call, call.address(2), {{answer}}, CallResult::value(0));
}

std::optional<CallResult> set_socket_owner(Call& call, std::int32_t owner) {
  const auto socket = socket_at(call);
  if (!socket) return std::nullopt;
  const bool exists =
      owner == 0 || std::ranges::any_of(call.simulation().processes(), [&](const Process* process) {
        return !process->exit_status &&
               (owner < 0 ? process->group == -static_cast<int>(owner) : process->pid == owner);
      });
  if (!exists) return CallResult::failure(Errno::esrch);
  (*socket)->inbox()->owner = {
      .kind = owner == 0  ? FileOwner::Kind::nobody
              : owner < 0 ? FileOwner::Kind::group
                          : FileOwner::Kind::process,
      .id = owner < 0 ? -owner : owner,
      .setter = call.state.credentials,
  };
  return CallResult::value(0);
}

std::optional<std::int32_t> socket_owner(const Call& call) {
  const auto socket = socket_at(call);
  if (!socket) return std::nullopt;
  return (*socket)->inbox()->owner.number();
}

}  // namespace hardclock::posix
