// A file that hardclock writes for its user: statistics, a profile, a log. A guest may have been in
// its folder before, so nothing that lies there is trusted: what is written goes to a new file
// beside it, "hardclock-output-PID-N", which then takes over the name. A link is replaced, never
// followed; a folder is not left through a link; a failure leaves what was there. The new file has
// the mode of the old one, or what the umask leaves of 0666.
//
// Devices, FIFOs and sockets are written to. /dev/stdout, /dev/fd/N and the like are descriptors
// that hardclock was started with. A file in a folder that does not let files be made is written
// over in its place.
#pragma once

#include <sys/stat.h>

#include <memory>
#include <ostream>
#include <string>
#include <string_view>

#include "sim/base/result.h"
#include "syscalls/host/descriptor.h"

namespace hardclock {

// A stream to a descriptor, which it closes. bad() after the first write that failed; then nothing
// more is written.
class OutputStream final : public std::ostream {
 public:
  explicit OutputStream(int descriptor);
  ~OutputStream() override;

  // Writes what waits and closes. 0, or the errno of the first write that failed.
  int finish();

 private:
  class Buffer;
  std::unique_ptr<Buffer> buffer_;
};

// Errors are one line for the user.
class OutputFile {
 public:
  // Nothing is changed yet.
  static Result<OutputFile, std::string> find(const std::string& path);

  const std::string& path() const { return path_; }
  // Whether both names are of one file: one name in one directory, or one inode. Never for
  // character devices, which serve many.
  bool is_same(const OutputFile& other) const;
  // Whether the name is that of a file that is there, a regular one.
  bool is_file(::dev_t device, ::ino_t inode) const;

  // Makes sure that replace() can write, as far as that shows before; opens what is no file.
  Result<Ok, std::string> prepare();
  // All of the content at once, at the end.
  Result<Ok, std::string> replace(std::string_view content);
  // For what grows while it is looked at: from now on the name is that of the stream's file.
  Result<std::unique_ptr<OutputStream>, std::string> begin();

  // "x: writing failed: No space left on device; ..."
  std::string write_error(int error) const;

 private:
  enum class Kind {
    fresh,    // the name is free, or that of a link
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
  Result<Ok, std::string> replace_by_new(std::string_view content);

  std::string path_;
  std::string name_;            // the last component
  host::Descriptor directory_;  // that it is in
  struct ::stat directory_status_ = {};
  Kind kind_ = Kind::fresh;
  struct ::stat status_ = {};  // unless fresh
  host::Descriptor special_;   // opened by prepare()
};

}  // namespace hardclock
