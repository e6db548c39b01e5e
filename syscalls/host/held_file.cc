#include "syscalls/host/held_file.h"

#include <fcntl.h>

namespace hardclock::host {

HostResult<FileStatus> HeldFile::status() const {
  if (object_ != nullptr) return object_->status();
  const bool is_host_directory = directory_ != nullptr && directory_->mount() != nullptr;
  if (!found_ && !is_host_directory) return status_;
  const Descriptor& descriptor = found_ ? found_->descriptor : directory_->descriptor();
  const Mount& mount = found_ ? *found_->mount : *directory_->mount();
  struct ::stat status;
  if (::fstat(descriptor.get(), &status) != 0) return host_failure();
  return to_file_status(status, *records_, mount.device());
}

HostResult<std::string> HeldFile::read_link() const {
  if (!found_ || found_->type != FileType::symlink) return Failure{Error::not_found};
  return link_at(found_->descriptor.get(), "");
}

HostResult<std::optional<NameSpace::Found>> HeldFile::found() const {
  if (!found_) return std::optional<NameSpace::Found>();
  Descriptor descriptor(::fcntl(found_->descriptor.get(), F_DUPFD_CLOEXEC, 0));
  if (descriptor.get() < 0) return host_failure();
  return std::optional(NameSpace::Found{.mount = found_->mount,
                                        .path = path(),
                                        .descriptor = std::move(descriptor),
                                        .type = found_->type,
                                        .through_links = found_->through_links,
                                        .is_guarded = found_->is_guarded,
                                        .is_held = true});
}

}  // namespace hardclock::host
