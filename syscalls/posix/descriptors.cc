#include "syscalls/posix/descriptors.h"

#include <utility>

namespace hardclock::posix {

std::optional<int> Descriptors::add(std::shared_ptr<OpenFile> file, int lowest) {
  for (std::size_t number = static_cast<std::size_t>(lowest); number < limit_; ++number) {
    if (number < files_.size() && files_[number] != nullptr) continue;
    set(static_cast<int>(number), std::move(file));
    return static_cast<int>(number);
  }
  return std::nullopt;
}

void Descriptors::set(int number, std::shared_ptr<OpenFile> file) {
  const auto index = static_cast<std::size_t>(number);
  if (index >= files_.size()) files_.resize(index + 1);
  files_[index] = std::move(file);
}

std::shared_ptr<OpenFile> Descriptors::get(std::int64_t number) const {
  if (number < 0 || static_cast<std::uint64_t>(number) >= files_.size()) return nullptr;
  return files_[static_cast<std::size_t>(number)];
}

bool Descriptors::close(std::int64_t number) {
  if (get(number) == nullptr) return false;
  files_[static_cast<std::size_t>(number)] = nullptr;
  return true;
}

}  // namespace hardclock::posix
