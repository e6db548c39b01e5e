// A file that hardclock writes for its user: statistics, a profile, a log. A guest may have had
// access to its folder, so nothing in it is trusted: hardclock writes to a new file beside it,
// "hardclock-output-PID-N", which then takes over the name. A link is replaced, never followed; no
// link leads out of a folder; a failure leaves the old file. The new file has the mode of the old
// one, or what the umask leaves of 0666.
//
// Devices, FIFOs and sockets are written to directly. /dev/stdout, /dev/fd/N and the like are
// descriptors that hardclock was started with; "-" is standard output. If a folder does not allow
// new files, an existing file is overwritten in place.
#pragma once

#include <sys/stat.h>

#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <string_view>

#include "sim/base/result.h"
#include "syscalls/host/descriptor.h"

namespace hardclock {

// A stream to a descriptor, which it closes unless it is told not to. bad() after the first write
// that failed; nothing more is written then.
class OutputStream final : public std::ostream {
 public:
  explicit OutputStream(int descriptor, bool closes = true);
  ~OutputStream() override;

  // Flushes and closes. Returns 0, or the errno of the first write that failed.
  int finish();

 private:
  class Buffer;
  std::unique_ptr<Buffer> buffer_;
};

// Errors are one line for the user.
class OutputFile {
 public:
  // Changes nothing yet.
  static Result<OutputFile, std::string> find(const std::string& path);

  const std::string& path() const { return path_; }
  // Whether both names refer to one file: one name in one directory, or one inode. Never for
  // character devices, which many outputs may share.
  bool is_same(const OutputFile& other) const;
  // Whether the name refers to this existing regular file.
  bool is_file(::dev_t device, ::ino_t inode) const;

  // Checks, as far as possible in advance, that replace() can write; opens what is not a file.
  Result<Ok, std::string> prepare();
  // Writes all of the content at once, at the end.
  Result<Ok, std::string> replace(std::string_view content);
  // The same, as `write` writes it to the stream. Its error, or what it throws, leaves the old
  // file.
  using Write = std::function<Result<Ok, std::string>(std::ostream&)>;
  Result<Ok, std::string> replace(const Write& write);
  // The same, and returns when the host's disk has the file under its name (fsync(2)): a power cut
  // leaves the old one or the new one, and never the name without its content.
  Result<Ok, std::string> replace_for_good(std::string_view content);
  // The same in pieces: what is to be the content.
  class Replacement;
  Result<std::unique_ptr<Replacement>, std::string> begin_replacement();
  // For output that is read while it grows: the stream's file takes over the name at once.
  Result<std::unique_ptr<OutputStream>, std::string> begin();

  // "x: writing failed: No space left on device; ..."
  std::string write_error(int error) const;

 private:
  enum class Kind {
    fresh,    // the name is free or a link's
    regular,  // a file
    special,  // a device, FIFO or socket, or a link in /dev or /proc to anything
  };

  explicit OutputFile(std::string path) : path_(std::move(path)) {}

  Result<Ok, std::string> find_directory();
  Result<Ok, std::string> find_kind();
  int open_special() const;
  int open_in_place() const;
  int create(const std::string& name) const;
  int begin_new() const;
  void keep_owner_and_mode(int descriptor) const;
  bool is_unwritable_directory(int error) const;
  std::string open_error(int error) const;
  enum class Until : bool { written, on_disk };
  class NewFile;
  Result<Ok, std::string> replace(const Write& write, Until until);
  int sync_directory() const;

  std::string path_;
  std::string name_;            // the last component
  host::Descriptor directory_;  // that contains the name
  struct ::stat directory_status_ = {};
  Kind kind_ = Kind::fresh;
  struct ::stat status_ = {};  // unless fresh
  host::Descriptor special_;   // opened by prepare()
};

// A new content, which is the file's when it is complete. The old one stays unless finish()
// succeeds. The OutputFile outlives it.
class OutputFile::Replacement {
 public:
  // To a file of a new name, which is to take over the file's.
  Replacement(const OutputFile& file, std::unique_ptr<NewFile> made, int descriptor);
  // To the file itself.
  Replacement(const OutputFile& file, int descriptor, bool closes);
  ~Replacement();
  Replacement(const Replacement&) = delete;
  Replacement& operator=(const Replacement&) = delete;

  std::ostream& stream() { return stream_; }
  Result<Ok, std::string> finish(Until until = Until::written);

 private:
  const OutputFile& file_;
  std::unique_ptr<NewFile> made_;  // nullptr: none
  int descriptor_;
  OutputStream stream_;
};

}  // namespace hardclock
