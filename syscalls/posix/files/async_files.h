// Open files of whose news somebody is told by a signal: O_ASYNC, and fcntl(2)'s F_SETOWN and
// F_SETSIG.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "syscalls/posix/files/file_owner.h"
#include "syscalls/posix/files/open_file.h"

namespace hardclock::posix {

// What has happened at a file: si_code of a signal that tells of it (sigaction(2)).
enum class FileNews : std::uint8_t { input = 1, output = 2 };

// Of one open file, which all its descriptors share.
struct AsyncFile {
  FileOwner owner;      // of a file that is no socket
  unsigned signal = 0;  // 0: SIGIO, without a siginfo_t that says more
  bool is_on = false;   // O_ASYNC
  int descriptor = -1;  // by which that was asked for

  // ---- What was known of the file when its news were last told.
  std::uint64_t arrivals = 0;  // of bytes, or whatever a reader waits for
  bool was_writable = false;
  static constexpr std::size_t state_members = 6;
};

class AsyncFiles {
 public:
  // Whether files of this kind have news: pipes, sockets and terminals do.
  static bool can_be(OpenFile& file);
  // Anew if nobody was to be told of the file's news yet.
  AsyncFile& at(const std::shared_ptr<OpenFile>& file);
  // A socket's is kept where those who send to it find it.
  FileOwner& owner_of(const std::shared_ptr<OpenFile>& file);
  // Its news begin now.
  void turn_on(const std::shared_ptr<OpenFile>& file, int descriptor);

  struct News {
    AsyncFile told;
    FileOwner owner;
    FileNews what;
  };
  // Whether there is one whose news come from the host's network. They are waited for from now on.
  bool await_outside();
  // What has happened since the last call.
  std::vector<News> take_news();
  void archive(Archive& to);

 private:
  struct Entry {
    std::weak_ptr<OpenFile> file;
    AsyncFile told;
    static constexpr std::size_t state_members = 2;
  };
  // In the order in which they came, by which their news are told.
  std::vector<Entry> files_;
};

}  // namespace hardclock::posix
