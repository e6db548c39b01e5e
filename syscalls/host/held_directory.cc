#include "syscalls/host/held_directory.h"

#include <algorithm>
#include <string>

#include "sim/state/archive.h"

namespace hardclock::host {

// A directory of the host without a name has no links.
bool HeldDirectory::is_removed() const {
  struct ::stat status;
  return mount_ != nullptr && ::fstat(descriptor_.get(), &status) == 0 && status.st_nlink == 0;
}

// The same directory can be mounted at several places: what counts are the paths below them.
std::optional<GuestPath> HeldDirectory::path_after_move(const Mount& mount, const GuestPath& from,
                                                        const GuestPath& to) const {
  if (mount_ == nullptr || mount_->identity() != mount.identity()) return std::nullopt;
  const std::string_view own = relative_to(path().text(), mount_->guest());
  const std::string_view old = relative_to(from.text(), mount.guest());
  if (is_removed() || !is_at_or_below("/" + std::string(own), "/" + std::string(old))) {
    return std::nullopt;
  }
  std::string now(relative_to(to.text(), mount.guest()));
  now += own.substr(old.size());
  auto path = GuestPath::parse_long(mount_->guest(), "./" + now);
  return path ? std::optional(*std::move(path)) : std::nullopt;
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

std::uint64_t HeldDirectories::growth_by_move(const Mount& mount, const GuestPath& from,
                                              const GuestPath& to) const {
  std::uint64_t growth = 0;
  for (const auto& held : held_) {
    const auto directory = held.lock();
    const auto path = directory ? directory->path_after_move(mount, from, to) : std::nullopt;
    if (!path) continue;
    const std::uint64_t before = directory->path().text().size();
    growth += std::max<std::uint64_t>(path->text().size(), before) - before;
  }
  return growth;
}

void HeldDirectories::was_moved(const Mount& mount, const GuestPath& from,
                                const GuestPath& to) const {
  for (const auto& held : held_) {
    const auto directory = held.lock();
    auto path = directory ? directory->path_after_move(mount, from, to) : std::nullopt;
    if (path) directory->set_path(*std::move(path));
  }
}

void HeldDirectory::archive(Archive& to) {
  std::string text = path().text();
  to.state(text);
  to.wiring(path_, mount_, descriptor_, opened_, identity_);
}

}  // namespace hardclock::host
