// Making descriptors: open files, pipes, copies.
#include <algorithm>

#include "syscalls/posix/calls.h"
#include "syscalls/posix/files/fifo_calls.h"
#include "syscalls/posix/files/file_access.h"
#include "syscalls/posix/kernel.h"
#include "syscalls/posix/unix_system.h"

namespace hardclock::posix {

CallResult add_descriptor(Call& call, std::shared_ptr<OpenFile> file, bool closes_on_exec) {
  const auto number = call.descriptors().add(std::move(file));
  if (!number) return CallResult::failure(Errno::emfile);
  call.descriptors().set_close_on_exec(*number, closes_on_exec);
  return CallResult::value(static_cast<std::uint32_t>(*number));
}

namespace calls {
namespace {

// open(2)'s access modes; the flags are the system's.
constexpr std::uint32_t o_accmode = 3, o_rdonly = 0, o_wronly = 1, o_rdwr = 2;

// Passes on what is written to a console.
BeforeWrite console_of(const Kernel& os, const host::OpenedFile& file) {
  const auto* const synthetic = std::get_if<host::OpenedSynthetic>(&file);
  if (synthetic == nullptr || !synthetic->is_console()) return nullptr;
  return [console = os.console()](std::span<const std::uint8_t> bytes) {
    if (console != nullptr) (void)console->write(bytes);
  };
}

// A device of UnixSystem::devices.
host::OpenedSynthetic idle_device(Call& call, const host::OpenOptions& options) {
  host::FileStatus status;
  status.type = host::FileType::character_device;
  status.permissions = 0666;
  const host::FileTime start = call.os.files().records()->start();
  status.times = {start, start, start};
  status.inode = call.os.files().records()->unnamed();
  return {status, {.read = options.read, .write = options.write}};
}

host::HostResult<host::OpenedFile> open_file(Call& call, const host::GuestPath& path,
                                             const host::OpenOptions& options) {
  const bool is_device =
      std::ranges::find(call.system.devices, path.text()) != call.system.devices.end();
  if (is_device) return host::OpenedFile(idle_device(call, options));
  return call.os.files().open(path, options);
}

bool is_terminal_path(const host::GuestPath& path) {
  return path.text() == "/dev/tty" || path.text() == "/dev/console";
}

// /dev/tty is the terminal of the caller's session.
Result<std::shared_ptr<OpenFile>, Errno> open_terminal(Call& call,
                                                       const host::OpenOptions& options) {
  const auto& terminal = call.os.jobs().terminal();
  if (terminal->session != call.process.session) return Failure{Errno::enxio};
  host::GuestFiles& files = call.os.files();
  auto file = host::Terminal::open({.read = options.read, .write = options.write}, files.records(),
                                   files.use());
  if (!file) return Failure{to_errno(file.error())};
  return std::shared_ptr<OpenFile>(std::make_shared<TerminalFile>(*std::move(file), terminal));
}

Result<std::shared_ptr<OpenFile>, Errno> open_at(Call& call, const host::GuestPath& path,
                                                 const host::OpenOptions& options) {
  const bool is_terminal = call.os.jobs().terminal() != nullptr &&
                           is_terminal_path(call.os.files().without_synthetic_links(path));
  if (is_terminal) return open_terminal(call, options);
  auto opened = open_file(call, path, options);
  if (!opened) return Failure{to_errno(opened.error())};
  const bool is_directory = std::visit([](auto& file) { return file.is_directory(); }, *opened);
  BeforeWrite before_write = console_of(call.os, *opened);
  auto file = to_open_file(*std::move(opened), std::move(before_write));
  if (!is_directory) return file;
  auto held = call.os.files().hold(path);
  if (!held) return Failure{to_errno(held.error())};
  return std::shared_ptr<OpenFile>(
      std::make_shared<DirectoryFile>(std::move(file), *std::move(held)));
}

// The file of a new descriptor. One that was open already keeps its name and flags.
struct Opened {
  std::shared_ptr<OpenFile> file;
  bool is_new = true;
};

// The open file that a link leads to.
Result<Opened, Errno> open_linked(Call& call, const std::shared_ptr<OpenFile>& file,
                                  const host::OpenOptions& options) {
  if (options.directory) return Failure{Errno::enotdir};
  if (file->terminal() != nullptr) {
    auto terminal = open_terminal(call, options);
    if (!terminal) return Failure{terminal.error()};
    return Opened{*std::move(terminal)};
  }
  auto again = file->open_again(options);
  if (!again) return Failure{to_errno(again.error())};
  if (*again == nullptr) return Opened{file, false};
  return Opened{*std::move(again)};
}

// Or what the call answers instead.
Result<Opened, CallResult> open_whatever(Call& call, const host::GuestPath& path,
                                         const host::OpenOptions& options, bool is_patient) {
  const bool follows = !options.no_follow && !(options.create && options.exclusive);
  const auto node = call.os.files().find_node(path, follows ? host::Follow::yes : host::Follow::no);
  if (auto fifo = open_fifo(call, path, node, options, is_patient)) {
    if (const auto* const answer = std::get_if<CallResult>(&*fifo)) return Failure{*answer};
    auto end = std::get<std::shared_ptr<OpenFile>>(std::move(*fifo));
    if (node && node->object == nullptr) end->path = call.os.files().name_of(path);
    return Opened{std::move(end)};
  }
  if (node && node->object != nullptr) {
    const auto linked = std::dynamic_pointer_cast<OpenFile>(node->object);
    auto opened = open_linked(call, linked, options);
    if (!opened) return Failure{CallResult::failure(opened.error())};
    if (opened->is_new) opened->file->path = linked->path;
    return *std::move(opened);
  }
  auto opened = open_at(call, path, options);
  if (!opened) return Failure{CallResult::failure(opened.error())};
  (*opened)->path = call.os.files().name_of(path);
  return Opened{*std::move(opened)};
}

// `flags` are the system's without the access mode.
CallResult open_path(Call& call, host::OpenOptions options, std::uint32_t flags,
                     std::uint32_t mode) {
  const auto path = read_path(call, call.address(0));
  if (!path) return CallResult::failure(path.error());
  options.mode = mode & 0777 & ~call.paths().umask;
  const OpenFlags& known = call.system.open_flags;
  const bool is_patient = (flags & (known.non_block | known.no_delay)) == 0;
  auto opened = open_whatever(call, *path, options, is_patient);
  if (!opened) return opened.error();
  if (opened->is_new) {
    opened->file->status_flags = flags & (known.append | known.non_block | known.no_delay |
                                          known.sync | known.keep_access_time | known.kept);
  }
  return add_descriptor(call, std::move(opened->file), (flags & known.close_on_exec) != 0);
}

}  // namespace

CallResult open_with(Call& call, std::uint32_t flags, std::uint32_t mode) {
  const std::uint32_t access = flags & o_accmode;
  if (access > o_rdwr) return CallResult::failure(Errno::einval);
  const OpenFlags& known = call.system.open_flags;
  host::OpenOptions options;
  options.read = access != o_wronly;
  options.write = access != o_rdonly;
  options.append = (flags & known.append) != 0;
  options.create = (flags & known.create) != 0;
  options.exclusive = (flags & known.exclusive) != 0;
  options.truncate = (flags & known.truncate) != 0;
  options.directory = (flags & known.directory) != 0;
  options.no_follow = (flags & known.no_follow) != 0;
  options.keep_access_time = (flags & known.keep_access_time) != 0;
  return open_path(call, options, flags & ~o_accmode, mode);
}

CallResult open(Call& call) {
  return open_with(call, call.argument(1), call.argument(2));
}

CallResult creat(Call& call) {
  host::OpenOptions options;
  options.read = false;
  options.write = options.create = options.truncate = true;
  return open_path(call, options, 0, call.argument(1));
}

CallResult dup(Call& call) {
  auto file = raw_file_at(call);
  if (file == nullptr) return CallResult::failure(Errno::ebadf);
  return add_descriptor(call, std::move(file));
}

CallResult dup2(Call& call) {
  Descriptors& descriptors = call.descriptors();
  auto file = raw_file_at(call);
  const std::int32_t to = call.signed_argument(1);
  if (file == nullptr) return CallResult::failure(Errno::ebadf);
  if (to == call.signed_argument(0)) return CallResult::value(static_cast<std::uint32_t>(to));
  if (to < 0 || static_cast<std::size_t>(to) >= descriptors.limit()) {
    return CallResult::failure(Errno::ebadf);
  }
  descriptors.set(to, std::move(file));
  return CallResult::value(static_cast<std::uint32_t>(to));
}

CallResult pipe(Call& call) {
  PipeEnds ends =
      make_pipe(call.system.pipe_sizes, call.os.files().records(), call.simulation().budget());
  if (ends.reader == nullptr) return CallResult::failure(Errno::enfile);
  const auto reader = call.descriptors().add(ends.reader);
  if (!reader) return CallResult::failure(Errno::emfile);
  const auto writer = call.descriptors().add(ends.writer);
  if (!writer) {
    call.descriptors().close(*reader);
    return CallResult::failure(Errno::emfile);
  }
  return CallResult::value(static_cast<std::uint32_t>(*reader),
                           static_cast<std::uint32_t>(*writer));
}

// The old mask; bits above 0777 are ignored.
CallResult umask(Call& call) {
  const std::uint32_t old = call.paths().umask;
  call.paths().umask = call.argument(0) & 0777;
  return CallResult::value(old);
}

}  // namespace calls
}  // namespace hardclock::posix
