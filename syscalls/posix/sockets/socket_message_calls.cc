// sendmsg(2) and recvmsg(2): several buffers, and open files that go along.
#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "syscalls/posix/buffers.h"
#include "syscalls/posix/calls.h"
#include "syscalls/posix/files/file_access.h"
#include "syscalls/posix/guest_struct.h"
#include "syscalls/posix/kernel.h"
#include "syscalls/posix/sockets/socket_address.h"
#include "syscalls/posix/sockets/socket_interface.h"
#include "syscalls/posix/sockets/socket_transfer.h"
#include "syscalls/posix/unix_system.h"

namespace hardclock::posix {
namespace {

// struct msghdr. 4.3BSD's ends with the access rights, an array of descriptors.
struct Header {
  GuestAddr name;
  std::int32_t name_bytes = 0;
  GuestAddr vectors;
  std::int64_t vector_count = 0;
  GuestAddr control;
  std::uint64_t control_bytes = 0;
  // Where the members that recvmsg(2) sets are, in bytes from its beginning.
  std::size_t name_bytes_at = 0, control_bytes_at = 0, flags_at = 0;
};

// Messages between processes: SCM_RIGHTS and SCM_CREDENTIALS of struct cmsghdr.
enum ControlType : std::uint32_t { scm_rights = 1, scm_credentials = 2 };
constexpr std::size_t most_files = 253;               // in one message (net/scm.h, SCM_MAX_FD)
constexpr std::uint64_t most_files_in_flight = 1024;  // of the whole machine
constexpr std::uint64_t longest_control = 20480;      // sysctl optmem_max, in bytes

bool is_linux(const Call& call) {
  return call.system.sockets->is_linux;
}

// Where the member that was just read is.
std::size_t place_of_word(const GuestReader& reader) {
  return reader.offset() - 4;
}

Result<Header, Errno> read_header(Call& call, GuestAddr address) {
  Header header;
  GuestReader reader(call, address);
  header.name = reader.pointer();
  header.name_bytes = static_cast<std::int32_t>(reader.word());
  header.name_bytes_at = place_of_word(reader);
  header.vectors = reader.pointer();
  if (is_linux(call)) {
    header.vector_count = static_cast<std::int64_t>(reader.word_long());
    header.control = reader.pointer();
    header.control_bytes = reader.word_long();
    header.control_bytes_at = reader.offset() - reader.long_bytes();
    (void)reader.word();
    header.flags_at = place_of_word(reader);
  } else {
    header.vector_count = static_cast<std::int32_t>(reader.word());
    header.control = reader.pointer();
    header.control_bytes = reader.word();
    header.control_bytes_at = place_of_word(reader);
  }
  if (!reader.ok()) return Failure{Errno::efault};
  if (header.control == GuestAddr(0)) header.control_bytes = 0;
  if (header.control_bytes > longest_control) return Failure{Errno::enobufs};
  return header;
}

// ---- Sending.

Result<Ok, Errno> add_files(Call& call, GuestAddr numbers, std::uint64_t count,
                            std::vector<std::shared_ptr<OpenFile>>& files) {
  if (count > most_files - files.size()) return Failure{Errno::einval};
  GuestReader reader(call, numbers);
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto number = static_cast<std::int32_t>(reader.word());
    if (!reader.ok()) return Failure{Errno::efault};
    auto file = call.descriptors().get_raw(number);
    if (file == nullptr) return Failure{Errno::ebadf};
    files.push_back(std::move(file));
  }
  return Ok{};
}

std::uint64_t aligned(std::uint64_t bytes, std::uint64_t to) {
  return (bytes + to - 1) / to * to;
}

std::uint64_t control_header_bytes(const Call& call) {
  return call.abi().long_bytes() + 8;
}

bool is_one_of(const Ids& ids, std::uint32_t id) {
  return id == ids.real || id == ids.effective || id == ids.saved;
}

// struct ucred {pid_t pid; uid_t uid; gid_t gid}. Only the superuser may claim to be somebody else
// (net/core/scm.c, scm_check_creds()).
Result<SocketOwner, Errno> read_credentials(Call& call, GuestAddr at, std::uint64_t bytes) {
  constexpr std::uint64_t credential_bytes = 12;
  if (bytes != credential_bytes) return Failure{Errno::einval};
  GuestReader reader(call, at);
  const SocketOwner claimed{static_cast<std::int32_t>(reader.word()), reader.word(), reader.word()};
  if (!reader.ok()) return Failure{Errno::efault};
  const Credentials& own = call.state.credentials;
  const bool is_true = claimed.pid == call.process.pid && is_one_of(own.user, claimed.user) &&
                       is_one_of(own.group, claimed.group);
  if (!is_true && !own.is_superuser()) return Failure{Errno::eperm};
  return claimed;
}

// struct cmsghdr {size_t cmsg_len; int cmsg_level, cmsg_type}, its data, and padding to a long.
Result<Ok, Errno> read_control(Call& call, const Header& header, Parcel& parcel) {
  const std::uint64_t first = control_header_bytes(call);
  for (std::uint64_t at = 0; header.control_bytes - at >= first;) {
    GuestReader reader(call, header.control + at);
    const std::uint64_t length = reader.word_long();
    const std::uint32_t level = reader.word(), type = reader.word();
    if (!reader.ok()) return Failure{Errno::efault};
    if (length < first || length > header.control_bytes - at) return Failure{Errno::einval};
    if (level == call.system.sockets->option_level) {
      if (type != scm_rights && type != scm_credentials) return Failure{Errno::einval};
      const GuestAddr data = header.control + at + first;
      if (type == scm_rights) {
        const auto added = add_files(call, data, (length - first) / 4, parcel.files);
        if (!added) return added;
      } else {
        const auto sender = read_credentials(call, data, length - first);
        if (!sender) return Failure{sender.error()};
        parcel.sender = *sender;
      }
    }
    at = std::min(at + aligned(length, call.abi().long_bytes()), header.control_bytes);
  }
  return Ok{};
}

Result<Parcel, Errno> read_parcel(Call& call, const Header& header, const Socket& socket) {
  Parcel parcel;
  if (header.name != GuestAddr(0) && header.name_bytes != 0) {
    const auto to = read_address(call, header.name, header.name_bytes, socket.form().family);
    if (!to) return Failure{to.error()};
    parcel.to = *to;
  }
  const auto read = is_linux(call)
                        ? read_control(call, header, parcel)
                        : add_files(call, header.control, header.control_bytes / 4, parcel.files);
  if (!read) return Failure{read.error()};
  if (!socket.is_local()) parcel.files.clear();
  if (parcel.files.size() + *call.os.network().files_in_flight() > most_files_in_flight) {
    return Failure{Errno::etoomanyrefs};
  }
  return parcel;
}

// ---- Receiving.

// The descriptors that the files get, as many as the table and `room` have place for.
std::vector<std::uint32_t> install(Call& call, const std::vector<std::shared_ptr<OpenFile>>& files,
                                   std::uint64_t room, bool closes_on_exec) {
  std::vector<std::uint32_t> numbers;
  for (const std::shared_ptr<OpenFile>& file : files) {
    if (numbers.size() >= room) break;
    const auto number = call.descriptors().add(file);
    if (!number) break;
    call.descriptors().set_close_on_exec(*number, closes_on_exec);
    numbers.push_back(static_cast<std::uint32_t>(*number));
  }
  return numbers;
}

// What recvmsg(2) tells besides the bytes.
struct Told {
  std::vector<std::uint8_t> control;
  bool is_cut = false;  // some of it has found no room
};

void add_control(const Call& call, Told& told, std::uint32_t type,
                 std::span<const std::uint32_t> words) {
  GuestStruct message(call);
  message.word_long(control_header_bytes(call) + 4 * words.size());
  message.word(call.system.sockets->option_level).word(type);
  for (const std::uint32_t word : words) message.word(word);
  message.align_long();
  told.control.insert(told.control.end(), message.bytes().begin(), message.bytes().end());
}

Told tell_linux(Call& call, const Header& header, const Socket& socket, const Received& received,
                bool closes_on_exec) {
  Told told;
  const std::uint64_t first = control_header_bytes(call);
  if (socket.option(SocketOption::pass_credentials) != 0) {
    const SocketOwner& sender = received.sender;
    if (header.control_bytes >= first + 12) {
      add_control(call, told, scm_credentials,
                  {{static_cast<std::uint32_t>(sender.pid), sender.user, sender.group}});
    } else {
      told.is_cut = true;
    }
  }
  if (received.files.empty()) return told;
  const std::uint64_t left = header.control_bytes - told.control.size();
  const auto numbers =
      install(call, received.files, left < first ? 0 : (left - first) / 4, closes_on_exec);
  if (!numbers.empty()) add_control(call, told, scm_rights, numbers);
  told.is_cut = told.is_cut || numbers.size() < received.files.size();
  told.control.resize(std::min<std::size_t>(told.control.size(), header.control_bytes));
  return told;
}

Told tell_bsd(Call& call, const Header& header, const Received& received) {
  Told told;
  GuestStruct rights(call);
  for (const std::uint32_t number :
       install(call, received.files, header.control_bytes / 4, false)) {
    rights.word(number);
  }
  told.control = rights.bytes();
  return told;
}

std::uint32_t flags_told(const Call& call, const Socket& socket, const Received& received,
                         const Told& told, const TransferFlags& flags) {
  const MessageFlags& known = call.system.sockets->flags;
  const bool is_urgent = flags.is_urgent && socket.is_stream();
  const bool is_cut = (is_urgent || !socket.is_stream()) && received.whole > received.bytes;
  return (is_cut ? known.cut : 0) | (told.is_cut ? known.control_cut : 0) |
         (socket.form().kind == SocketKind::packets ? known.end_of_record : 0) |
         (is_urgent ? known.out_of_band : 0) | (flags.closes_on_exec ? known.close_on_exec : 0);
}

CallResult write_told(Call& call, GuestAddr address, const Header& header, const Socket& socket,
                      const Received& received, const Told& told, const TransferFlags& flags) {
  if (!call.memory.write_bytes(header.control, told.control)) {
    return CallResult::failure(Errno::efault);
  }
  const GuestAddr control_bytes = address + header.control_bytes_at;
  CallResult stored =
      is_linux(call) ? GuestStruct(call).word_long(told.control.size()).store(call, control_bytes)
                     : GuestStruct(call).word(told.control.size()).store(call, control_bytes);
  if (stored.kind == CallResult::Kind::error || !is_linux(call)) return stored;
  return GuestStruct(call)
      .word(flags_told(call, socket, received, told, flags))
      .store(call, address + header.flags_at);
}

}  // namespace

CallResult send_message(Call& call, const SocketRef& socket, GuestAddr message,
                        const TransferFlags& flags) {
  const auto header = read_header(call, message);
  if (!header) return CallResult::failure(header.error());
  const auto buffers = read_vectors(call, header->vectors, header->vector_count);
  if (!buffers) return CallResult::failure(buffers.error());
  auto parcel = read_parcel(call, *header, *socket);
  if (!parcel) return CallResult::failure(parcel.error());
  return send(call, socket, *buffers, flags, *std::move(parcel));
}

CallResult receive_message(Call& call, const SocketRef& socket, GuestAddr message,
                           const TransferFlags& flags) {
  const auto header = read_header(call, message);
  if (!header) return CallResult::failure(header.error());
  const auto buffers = read_vectors(call, header->vectors, header->vector_count);
  if (!buffers) return CallResult::failure(buffers.error());
  Received received;
  const CallResult result = receive(call, socket, *buffers, flags, &received);
  if (result.kind != CallResult::Kind::value) return result;
  const Told told = is_linux(call)
                        ? tell_linux(call, *header, *socket, received, flags.closes_on_exec)
                        : tell_bsd(call, *header, received);
  const CallResult stored = write_told(call, message, *header, *socket, received, told, flags);
  if (stored.kind == CallResult::Kind::error) return stored;
  return write_address(call, header->name, message + header->name_bytes_at,
                       told_sender(*socket, received), result);
}

Result<std::uint64_t, Errno> message_bytes(Call& call, GuestAddr message) {
  const auto header = read_header(call, message);
  if (!header) return Failure{header.error()};
  const auto buffers = read_vectors(call, header->vectors, header->vector_count);
  if (!buffers) return Failure{buffers.error()};
  return buffers->total();
}

namespace calls {

// sendmsg(socket, message, flags)
CallResult sendmsg(Call& call) {
  const auto socket = socket_at(call);
  if (!socket) return CallResult::failure(socket.error());
  const auto flags = transfer_flags(call, **socket, call.argument(2));
  if (!flags) return CallResult::failure(flags.error());
  return send_message(call, *socket, call.address(1), *flags);
}

// recvmsg(socket, message, flags)
CallResult recvmsg(Call& call) {
  const auto socket = socket_at(call);
  if (!socket) return CallResult::failure(socket.error());
  const auto flags = transfer_flags(call, **socket, call.argument(2));
  if (!flags) return CallResult::failure(flags.error());
  return receive_message(call, *socket, call.address(1), *flags);
}

}  // namespace calls
}  // namespace hardclock::posix
