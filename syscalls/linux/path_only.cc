#include <memory>
#include <optional>
#include <utility>

#include "syscalls/linux/calls.h"
#include "syscalls/linux/uapi.h"
#include "syscalls/posix/files/file_access.h"
#include "syscalls/posix/kernel.h"

namespace hardclock::gnu_linux {
namespace {

using host::Error;
using host::HostResult;
using posix::Transfer;

class PathOnlyFile final : public posix::OpenFile {
 public:
  explicit PathOnlyFile(host::HeldFileRef held) : held_(std::move(held)) {
    if (held_->directory() != nullptr) directory_ = posix::Directory{held_->directory()};
  }

  PathOnlyFile() = default;

  // Descriptors::get() hides such a file from the calls that would move bytes.
  Transfer read(std::span<std::uint8_t>) override { return Failure{Error::bad_descriptor}; }
  Transfer write(std::span<const std::uint8_t>) override { return Failure{Error::bad_descriptor}; }
  HostResult<std::uint64_t> seek(std::int64_t, host::Whence) override {
    return Failure{Error::bad_descriptor};
  }
  host::OpenRights rights() const override { return {}; }
  HostResult<host::FileStatus> status() const override { return held_->status(); }
  posix::Directory* directory() override { return directory_ ? &*directory_ : nullptr; }
  bool is_path_only() const override { return true; }
  void archive(Archive& to) override {
    OpenFile::archive(to);
    to.state(directory_);
    to.kept(held_);
    if (held_ != nullptr && held_->object() != nullptr)
      to.refuse("a descriptor that only names a file");
  }
  Blank<KernelObject> blank() const override { return blank_of<PathOnlyFile>(); }
  host::HeldDirectoryRef held_directory() const override { return held_->directory(); }
  host::HeldFileRef held_file() const override { return held_; }

 private:
  host::HeldFileRef held_;
  std::optional<posix::Directory> directory_;
};

}  // namespace

namespace calls {

// The other flags are ignored (open(2), O_PATH).
CallResult open_path_only(Call& call) {
  const auto path = posix::read_path(call, call.address(0));
  if (!path) return CallResult::failure(path.error());
  const posix::OpenFlags& known = call.system.open_flags;
  const std::uint32_t flags = call.argument(1);
  const bool follows = (flags & known.no_follow) == 0;
  auto held = call.os.files().hold_file(*path, follows ? host::Follow::yes : host::Follow::no);
  if (!held) return CallResult::failure(posix::to_errno(held.error()));
  if ((flags & known.directory) != 0 && (*held)->directory() == nullptr) {
    return CallResult::failure(Errno::enotdir);
  }
  const auto object = std::dynamic_pointer_cast<posix::OpenFile>((*held)->object());
  auto file = std::make_shared<PathOnlyFile>(*std::move(held));
  file->path = object != nullptr ? object->path : call.os.files().name_of(*path);
  file->status_flags = flags & (uapi_of(call.system).path_only | known.directory | known.no_follow);
  return posix::add_descriptor(call, std::move(file), (flags & known.close_on_exec) != 0);
}

}  // namespace calls
}  // namespace hardclock::gnu_linux
