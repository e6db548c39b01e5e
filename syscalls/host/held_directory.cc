#include "syscalls/host/held_directory.h"

#include <string>

namespace hardclock::host {

// A directory of the host without a name has no links.
bool HeldDirectory::is_removed() const {
  struct ::stat status;
  return mount_ != nullptr && ::fstat(descriptor_.get(), &status) == 0 && status.st_nlink == 0;
}

// The same directory can be mounted at several places: what counts are the paths below them.
void HeldDirectory::was_moved(const Mount& mount, const GuestPath& from, const GuestPath& to) {
  if (mount_ == nullptr || mount_->identity() != mount.identity()) return;
  const std::string_view own = relative_to(path_.text(), mount_->guest());
  const std::string_view old = relative_to(from.text(), mount.guest());
  if (is_removed() || !is_at_or_below("/" + std::string(own), "/" + std::string(old))) return;
  std::string now(relative_to(to.text(), mount.guest()));
  now += own.substr(old.size());
  if (auto path = GuestPath::parse_long(mount_->guest(), "./" + now)) path_ = *std::move(path);
}

std::shared_ptr<HeldDirectory> HeldDirectories::find(const GuestPath& path,
                                                     const HostIdentity& identity) const {
  for (const auto& held : held_) {
    auto directory = held.lock();
    if (directory == nullptr || directory->identity() != identity) continue;
    if (directory->path().text() == path.text()) return directory;
  }
  return nullptr;
}

void HeldDirectories::add(const std::shared_ptr<HeldDirectory>& directory) {
  std::erase_if(held_, [](const auto& held) { return held.expired(); });
  held_.push_back(directory);
}

void HeldDirectories::was_moved(const Mount& mount, const GuestPath& from,
                                const GuestPath& to) const {
  for (const auto& held : held_) {
    if (const auto directory = held.lock()) directory->was_moved(mount, from, to);
  }
}

}  // namespace hardclock::host
