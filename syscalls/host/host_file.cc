#include "syscalls/host/host_file.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <string_view>
#include <utility>

#include "sim/base/last_work.h"
#include "syscalls/host/host_path.h"

namespace hardclock::host {
namespace {

// What a guest calls the user's terminal: ttyname(3) looks there for the same file.
constexpr std::string_view terminal_path = "/dev/tty";

volatile std::sig_atomic_t give_up_waiting = 0;

// A call that begins to wait just after a signal would not notice it: so further signals follow.
extern "C" void interrupt_again(int) {
  constexpr unsigned seconds = 1;
  ::alarm(seconds);
}

// Waits until a descriptor is ready or a signal comes: ours can be non-blocking only because the
// process that started us shares a terminal or pipe with us and made it so.
void wait_until_ready(int descriptor, short events) {
  struct ::pollfd poll {
    descriptor, events, 0
  };
  ::poll(&poll, 1, -1);
}

HostResult<Ok> done_or_failure(int host_result) {
  if (host_result != 0) return host_failure();
  return Ok{};
}

}  // namespace

void stop_waiting() {
  give_up_waiting = 1;
  struct ::sigaction action = {};
  action.sa_handler = interrupt_again;
  ::sigaction(SIGALRM, &action, nullptr);
  interrupt_again(SIGALRM);
}

bool has_stopped_waiting() {
  return give_up_waiting != 0;
}

HostFile HostFile::of_host(Descriptor descriptor, OpenRights rights,
                           std::shared_ptr<FileRecords> records, std::shared_ptr<HostUse> use) {
  HostFile file;
  file.rights_ = rights;
  (void)::fstat(descriptor.get(), &file.opened_);
  if (S_ISFIFO(file.opened_.st_mode) || S_ISSOCK(file.opened_.st_mode)) file.lines_.emplace();
  const int flags = ::fcntl(descriptor.get(), F_GETFL);
  file.appends_ = flags >= 0 && (flags & O_APPEND) != 0;
  file.descriptor_ = std::move(descriptor);
  file.counted_ = std::make_unique<Opened>(file.descriptor_.get(), records, use, file.opened_);
  file.records_ = std::move(records);
  file.use_ = std::move(use);
  return file;
}

int HostFile::host_flags(const OpenOptions& options) {
  const int direction = !options.write ? O_RDONLY : options.read ? O_RDWR : O_WRONLY;
  return direction | (options.append ? O_APPEND : 0) | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
}

HostResult<HostFile> HostFile::of_opened(Descriptor descriptor, OpenRights rights,
                                         const OpenOptions& options, std::uint64_t device,
                                         std::shared_ptr<FileRecords> records,
                                         std::shared_ptr<HostUse> use) {
  if (::fcntl(descriptor.get(), F_SETFL, options.append ? O_APPEND : 0) != 0) return host_failure();
  HostFile file = of_host(std::move(descriptor), rights, std::move(records), std::move(use));
  file.device_ = device;
  file.own_position();
  if (const auto may = file.keep_access_time(options.keep_access_time); !may) {
    return Failure{may.error()};
  }
  if (options.truncate && options.write) {
    if (const auto done = file.truncate(0); !done) return Failure{done.error()};
  }
  return file;
}

// By the host's link to the open file, which may have no other left.
HostResult<HostFile> HostFile::reopen_regular(const OpenOptions& options) const {
  if (options.write && !rights_.attributes) return Failure{Error::read_only};
  if (const auto may = use_->may_open(); !may) return Failure{may.error()};
  auto descriptor = open_by_link(descriptor_.get(), host_flags(options));
  if (!descriptor) return Failure{descriptor.error()};
  const bool read = options.read || !options.write;
  const OpenRights rights{read, options.write, rights_.attributes};
  auto file = of_opened(*std::move(descriptor), rights, options, device_, records_, use_);
  if (!file) return file;
  file->keep_start(kept_);
  file->announce();
  return file;
}

HostResult<std::optional<HostFile>> HostFile::open_again(const OpenOptions& options) const {
  if (is_regular() && position_) {
    auto file = reopen_regular(options);
    if (!file) return Failure{file.error()};
    return std::optional(*std::move(file));
  }
  const bool read = options.read || !options.write;
  const bool may = (!read || rights_.read) && (!options.write || rights_.write);
  if (!may) return Failure{Error::access};
  return std::optional<HostFile>();
}

HostFile::Opened::Opened(int descriptor, std::shared_ptr<FileRecords> records,
                         std::shared_ptr<HostUse> use, const struct ::stat& status)
    : descriptor_(descriptor),
      records_(std::move(records)),
      use_(std::move(use)),
      identity_(identity_of(status)),
      size_(use_->opened(identity_, static_cast<std::uint64_t>(status.st_size))) {}

HostFile::Opened::~Opened() {
  use_->closed(identity_);
  do_last_work([this] {
    if (told_at_close_) records_->events().happened(*told_at_close_, descriptor_);
    struct ::stat status;
    if (use_->is_open(identity_) || ::fstat(descriptor_, &status) != 0) return;
    if (status.st_nlink != 0) return;
    if (S_ISREG(status.st_mode)) use_->resized(stored_of(status, *records_), 0);
    records_->gone(status);
  });
}

void HostFile::tell(FileEvent::Kind kind) {
  records_->events().happened(kind, descriptor_.get());
}

void HostFile::keep_content(KeptContent* content) {
  if (is_regular()) records_->keep_content(identity_of(opened_), content);
}

KeptContent* HostFile::kept_content() const {
  return is_regular() ? records_->kept_content(identity_of(opened_)) : nullptr;
}

void HostFile::tell_of_change(std::uint64_t offset, std::uint64_t size) {
  if (KeptContent* const content = kept_content()) content->file_changed(offset, size);
}

void HostFile::announce() {
  tell(FileEvent::Kind::opened);
  counted_->tell_at_close(rights_.write ? FileEvent::Kind::closed_after_writing
                                        : FileEvent::Kind::closed);
}

HostResult<std::size_t> HostFile::transfer(std::size_t size, short events, const Step& step) {
  std::size_t done = 0;
  do {
    if (give_up_waiting != 0 && !is_regular()) return Failure{Error::again};
    const std::size_t chunk = std::min(size - done, max_transfer);
    const ::ssize_t moved = step(done, chunk);
    if (moved < 0) {
      if (errno == EINTR) continue;
      if (errno == EAGAIN) {
        wait_until_ready(descriptor_.get(), events);
        continue;
      }
      if (done > 0) break;
      return host_failure();
    }
    if (moved == 0) break;
    done += static_cast<std::size_t>(moved);
    // A second read from a pipe or terminal could wait for input that the guest did not ask for.
    if (events == POLLIN && !is_regular()) break;
  } while (done < size);
  return done;
}

HostResult<std::size_t> HostFile::read_with(std::span<std::uint8_t> bytes, const Step& step) {
  if (!rights_.read) return Failure{Error::bad_descriptor};
  const auto moved = transfer(bytes.size(), POLLIN, step);
  const bool counts = is_regular() && rights_.attributes && !keeps_access_time_;
  if (moved && !bytes.empty() && counts) records_->was_read(opened_);
  if (moved && *moved > 0 && is_regular()) tell(FileEvent::Kind::accessed);
  return moved;
}

HostResult<std::size_t> HostFile::write_with(std::span<const std::uint8_t> bytes,
                                             const Step& step) {
  if (!rights_.write) return Failure{Error::bad_descriptor};
  const auto moved = transfer(bytes.size(), POLLOUT, step);
  if (moved && *moved > 0 && is_regular()) {
    records_->was_written(opened_);
    tell(FileEvent::Kind::modified);
  }
  return moved;
}

HostResult<std::size_t> HostFile::read(std::span<std::uint8_t> bytes) {
  if (lines_) return lines_->read(bytes, [this](auto part) { return read_what_is_there(part); });
  return read_what_is_there(bytes);
}

HostResult<std::size_t> HostFile::read_what_is_there(std::span<std::uint8_t> bytes) {
  if (KeptContent* const content = kept_content()) {
    const auto offset = seek(0, Whence::current);
    if (offset) content->before_read(*offset, bytes.size());
  }
  const auto moved = read_with(bytes, [&](std::size_t done, std::size_t size) {
    return ::read(descriptor_.get(), bytes.data() + done, size);
  });
  move_on(moved);
  return moved;
}

void HostFile::move_on(const HostResult<std::size_t>& moved) {
  if (position_ && moved) *position_ += *moved;
}

// Other processes may also write to a file whose position they share: querying it before each write
// costs more than the write, since the host then keeps finer times.
HostResult<std::uint64_t> HostFile::size() {
  if (position_) return counted_->size();
  struct ::stat status;
  if (::fstat(descriptor_.get(), &status) != 0) return host_failure();
  counted_->size() = static_cast<std::uint64_t>(status.st_size);
  return counted_->size();
}

HostResult<std::size_t> HostFile::write_regular(std::span<const std::uint8_t> bytes,
                                                std::uint64_t offset, const Step& step) {
  const auto before = size();
  if (!before) return Failure{before.error()};
  if (appends_) offset = *before;
  if (offset < kept_) return Failure{Error::not_permitted};
  const FileBlocks& blocks = records_->blocks(identity_of(opened_));
  const auto room = use_->room_to_write(blocks, *before, offset, bytes.size());
  if (!room) return Failure{room.error()};
  const auto moved = write_with(bytes.first(*room), step);
  if (!moved || *moved == 0) return moved;
  use_->resized(0, blocks.added_by_write(*before, offset, *moved));
  records_->wrote_blocks(identity_of(opened_), *before, offset, *moved);
  counted_->size() = std::max(*before, offset + *moved);
  tell_of_change(offset, *moved);
  return moved;
}

HostResult<std::size_t> HostFile::write(std::span<const std::uint8_t> bytes) {
  const auto step = [&](std::size_t done, std::size_t size) {
    return ::write(descriptor_.get(), bytes.data() + done, size);
  };
  if (!is_regular() || !rights_.write) return write_with(bytes, step);
  const auto offset = seek(0, Whence::current);
  if (!offset) return Failure{offset.error()};
  const auto moved = write_regular(bytes, *offset, step);
  if (position_ && appends_)
    position_ = counted_->size();
  else
    move_on(moved);
  return moved;
}

HostResult<std::size_t> HostFile::pread(std::span<std::uint8_t> bytes, std::uint64_t offset) {
  if (offset > max_offset) return Failure{Error::invalid};
  bytes = bytes.first(
      static_cast<std::size_t>(std::min<std::uint64_t>(bytes.size(), max_offset - offset)));
  if (KeptContent* const content = kept_content()) content->before_read(offset, bytes.size());
  return read_with(bytes, [&](std::size_t done, std::size_t size) {
    return ::pread(descriptor_.get(), bytes.data() + done, size,
                   static_cast<::off_t>(offset + done));
  });
}

HostResult<std::size_t> HostFile::pwrite(std::span<const std::uint8_t> bytes,
                                         std::uint64_t offset) {
  if (offset > max_offset) return Failure{Error::invalid};
  if (bytes.size() > max_offset - offset) return Failure{Error::too_large};
  const auto step = [&](std::size_t done, std::size_t size) {
    return ::pwrite(descriptor_.get(), bytes.data() + done, size,
                    static_cast<::off_t>(offset + done));
  };
  if (!is_regular() || !rights_.write) return write_with(bytes, step);
  return write_regular(bytes, offset, step);
}

// lseek(2), ENXIO: the offset is not in the file, or no data follows.
HostResult<std::uint64_t> HostFile::seek_blocks(std::int64_t offset, Whence whence) {
  const auto size = this->size();
  if (!size) return size;
  const auto from = static_cast<std::uint64_t>(offset);
  if (offset < 0 || from >= *size) return Failure{Error::no_device};
  const FileBlocks& blocks = records_->blocks(identity_of(opened_));
  const auto to = whence == Whence::data ? blocks.next_data(*size, from)
                                         : std::optional(blocks.next_hole(*size, from));
  if (!to) return Failure{Error::no_device};
  return seek(static_cast<std::int64_t>(*to), Whence::set);
}

HostResult<std::uint64_t> HostFile::seek(std::int64_t offset, Whence whence) {
  if (is_regular() && (whence == Whence::data || whence == Whence::hole)) {
    return seek_blocks(offset, whence);
  }
  if (position_ && offset == 0 && whence == Whence::current) return *position_;
  const int host_whence = whence == Whence::set       ? SEEK_SET
                          : whence == Whence::current ? SEEK_CUR
                          : whence == Whence::end     ? SEEK_END
                          : whence == Whence::data    ? SEEK_DATA
                                                      : SEEK_HOLE;
  const ::off_t position = ::lseek(descriptor_.get(), offset, host_whence);
  if (position < 0) return host_failure();
  if (position_) position_ = static_cast<std::uint64_t>(position);
  return static_cast<std::uint64_t>(position);
}

HostResult<Ok> HostFile::set_append(bool append) {
  if (!rights_.attributes) return Ok{};
  const int flags = ::fcntl(descriptor_.get(), F_GETFL);
  if (flags < 0) return host_failure();
  const int wanted = append ? flags | O_APPEND : flags & ~O_APPEND;
  if (::fcntl(descriptor_.get(), F_SETFL, wanted) != 0) return host_failure();
  appends_ = append;
  return Ok{};
}

HostResult<Ok> HostFile::keep_access_time(bool keep) {
  if (keep && opened_.st_uid != ::geteuid()) return Failure{Error::not_permitted};
  keeps_access_time_ = keep;
  return Ok{};
}

HostResult<Ok> HostFile::sync() {
  return done_or_failure(::fsync(descriptor_.get()));
}

HostResult<Ok> HostFile::close_one(bool is_last) {
  if (!is_regular() || !rights_.write) return Ok{};
  if (is_last) counted_.reset();
  Descriptor closing =
      is_last ? std::move(descriptor_) : Descriptor(::fcntl(descriptor_.get(), F_DUPFD_CLOEXEC, 0));
  const int error = closing.close();
  if (error != 0) return Failure{from_host_errno(error)};
  return Ok{};
}

HostResult<FileStatus> HostFile::status() const {
  struct ::stat status;
  if (::fstat(descriptor_.get(), &status) != 0) return host_failure();
  FileStatus result = to_file_status(status, *records_, device_);
  if (result.type == FileType::character_device && is_terminal()) {
    result.special = SpecialFile::terminal;
    result.inode = records_->number(std::string(terminal_path));
  }
  return result;
}

HostResult<Ok> HostFile::change_mode(std::uint32_t mode) {
  if (!rights_.attributes) return Failure{Error::read_only};
  if (::fchmod(descriptor_.get(), mode & host_permissions(opened_)) != 0) return host_failure();
  records_->set_permissions(opened_, mode);
  tell(FileEvent::Kind::attributes_changed);
  return Ok{};
}

HostResult<Ok> HostFile::set_times(const TimeChange& access, const TimeChange& modification) {
  if (!rights_.attributes) return Failure{Error::read_only};
  const auto times = host_times(access, modification);
  if (!times) return Failure{times.error()};
  if (::futimens(descriptor_.get(), times->data()) != 0) return host_failure();
  records_->set_times(opened_, access, modification);
  records_->events().times_set(descriptor_.get(), access, modification);
  return Ok{};
}

void HostFile::owner_was_set() {
  tell(FileEvent::Kind::attributes_changed);
}

bool HostFile::is_terminal() const {
  return ::isatty(descriptor_.get()) == 1;
}

HostIdentity HostFile::identity() const {
  struct ::stat status;
  if (::fstat(descriptor_.get(), &status) != 0) return {};
  return identity_of(status);
}

void HostFile::archive(Archive& to) {
  auto& [rights, descriptor, records, use, counted, opened, device, appends, keeps_time, position,
         kept, lines] = *this;
  if (!to.is_digest()) return archive_whole(to);
  // The host keeps the position of what guests and it share, such as standard output in a file.
  std::optional<std::uint64_t> next = position;
  if (!next && is_regular()) {
    const ::off_t offset = ::lseek(descriptor.get(), 0, SEEK_CUR);
    if (offset >= 0) next = static_cast<std::uint64_t>(offset);
  }
  to.state(rights, appends, keeps_time, next, kept, lines);
  to.derived(counted, opened);
  to.wiring(records, use, device);
}

HostFile HostFile::twin() const {
  HostFile twin;
  twin.rights_ = rights_;
  twin.descriptor_ = Descriptor(::fcntl(descriptor_.get(), F_DUPFD_CLOEXEC, 0));
  twin.records_ = records_;
  twin.use_ = use_;
  twin.opened_ = opened_;
  twin.device_ = device_;
  twin.appends_ = appends_;
  twin.keeps_access_time_ = keeps_access_time_;
  twin.position_ = position_;
  twin.kept_ = kept_;
  twin.lines_ = lines_;
  return twin;
}

// What was saved has a descriptor of its own; the position and the flags are common to all of them.
void HostFile::archive_whole(Archive& to) {
  std::shared_ptr<HostFile> saved;
  if (!to.loads()) saved = std::make_shared<HostFile>(twin());
  if (!to.loads() && saved->descriptor_.get() < 0)
    to.refuse("an open file, of which the host has too many");
  to.kept(saved);
  if (to.loads()) *this = saved->twin();
  CHECK(!to.loads() || descriptor_.get() >= 0);
  std::optional<FileEvent::Kind> at_close;
  if (!to.loads()) at_close = counted_->told_at_close();
  to.state(at_close);
  std::int64_t offset = -1;
  if (is_regular()) offset = ::lseek(descriptor_.get(), 0, SEEK_CUR);
  to.state(offset);
  if (!to.loads()) return;
  struct ::stat now = opened_;
  (void)::fstat(descriptor_.get(), &now);
  counted_ = std::make_unique<Opened>(descriptor_.get(), records_, use_, now);
  if (at_close) counted_->tell_at_close(*at_close);
  if (offset >= 0) (void)::lseek(descriptor_.get(), offset, SEEK_SET);
  if (is_regular()) (void)set_append(appends_);
}

}  // namespace hardclock::host
