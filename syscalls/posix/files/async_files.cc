// Source: fcntl(2), and Linux 6.1, fs/fcntl.c, fs/pipe.c and net/core/sock.c: a pipe has news
// whenever its other end was used, a socket when something has arrived or when there is room again.
#include "syscalls/posix/files/async_files.h"

#include <algorithm>
#include <optional>

#include "sim/state/archive.h"
#include "syscalls/host/internet.h"
#include "syscalls/posix/files/terminal.h"
#include "syscalls/posix/kernel.h"
#include "syscalls/posix/limits.h"
#include "syscalls/posix/sockets/socket.h"

namespace hardclock::posix {
namespace {

bool is_pipe(const OpenFile& file) {
  const auto status = file.status();
  return status && status->type == host::FileType::fifo;
}

std::uint64_t arrivals_at(OpenFile& file) {
  const Socket* const socket = file.socket();
  const bool is_outside = file.terminal() != nullptr || (socket && socket->outside() != nullptr);
  if (socket != nullptr && !is_outside) return socket->inbox()->arrivals;
  // What comes from the host is seen when somebody looks: bytes, or else a connection or an end.
  if (is_outside) {
    const auto bytes = file.available();
    if (bytes && *bytes != 0) return *bytes;
    return socket != nullptr && file.readable(nullptr) ? 1 : 0;
  }
  return file.activity(nullptr);
}

// What there is at a file. What comes from the host may come at any time, so it is asked once for
// all that is told and noted of it.
struct Sight {
  std::uint64_t arrivals = 0;
  bool is_writable = false;
};

Sight look_at(OpenFile& file) {
  return {arrivals_at(file), file.rights().write && file.takes_more()};
}

void note(AsyncFile& entry, const Sight& now) {
  entry.arrivals = now.arrivals;
  entry.was_writable = now.is_writable;
}

std::optional<FileNews> news_of(const AsyncFile& before, const Sight& now, bool writes_only) {
  if (now.arrivals > before.arrivals) return writes_only ? FileNews::output : FileNews::input;
  if (now.is_writable && !before.was_writable) return FileNews::output;
  return std::nullopt;
}

}  // namespace

bool AsyncFiles::can_be(OpenFile& file) {
  return file.terminal() != nullptr || file.socket() != nullptr || is_pipe(file);
}

AsyncFile& AsyncFiles::at(const std::shared_ptr<OpenFile>& file) {
  std::erase_if(files_, [](const Entry& entry) { return entry.file.expired(); });
  const auto found =
      std::ranges::find_if(files_, [&](const Entry& entry) { return entry.file.lock() == file; });
  if (found != files_.end()) return found->told;
  files_.push_back({file, {}});
  return files_.back().told;
}

FileOwner& AsyncFiles::owner_of(const std::shared_ptr<OpenFile>& file) {
  Socket* const socket = file->socket();
  return socket != nullptr ? socket->inbox()->owner : at(file).owner;
}

void AsyncFiles::turn_on(const std::shared_ptr<OpenFile>& file, int descriptor) {
  AsyncFile& entry = at(file);
  entry.is_on = true;
  entry.descriptor = descriptor;
  note(entry, look_at(*file));
}

bool AsyncFiles::await_outside() {
  bool is_any = false;
  for (const auto& [watched, entry] : files_) {
    const auto file = entry.is_on ? watched.lock() : nullptr;
    Socket* const socket = file == nullptr ? nullptr : file->socket();
    if (socket == nullptr || socket->outside() == nullptr) continue;
    (void)socket->outside()->state();  // a question whose answer is no is waited for
    is_any = true;
  }
  return is_any;
}

std::vector<AsyncFiles::News> AsyncFiles::take_news() {
  std::vector<News> all;
  for (auto& [watched, entry] : files_) {
    if (!entry.is_on) continue;
    const auto file = watched.lock();
    if (file == nullptr) continue;
    const Sight now = look_at(*file);
    const auto news = news_of(entry, now, !file->rights().read);
    note(entry, now);
    if (!news) continue;
    const Socket* const socket = file->socket();
    all.push_back({entry, socket != nullptr ? socket->inbox()->owner : entry.owner, *news});
  }
  return all;
}

// ---- How the kernel tells of them.

namespace {

// poll(2)'s events: POLLIN and POLLRDNORM, or POLLOUT, POLLWRNORM and POLLWRBAND.
constexpr unsigned input_band = 0x41, output_band = 0x304;

SignalInfo info_of(const AsyncFiles::News& news) {
  if (news.told.signal == 0) return {};
  SignalInfo info;
  info.cause = SignalInfo::Cause::file_news;
  info.code = static_cast<std::int32_t>(news.what);
  info.status = news.what == FileNews::input ? input_band : output_band;
  info.value = static_cast<std::uint64_t>(news.told.descriptor);
  return info;
}

}  // namespace

void Kernel::tell_of_files() {
  for (const AsyncFiles::News& news : async_files_.take_news()) {
    const unsigned wanted = news.told.signal;
    signals_.post_to_owner(news.owner, wanted == 0 ? system_.signals.io : wanted, info_of(news));
  }
}

void AsyncFiles::archive(Archive& to) {
  to.state(files_);
}

}  // namespace hardclock::posix
