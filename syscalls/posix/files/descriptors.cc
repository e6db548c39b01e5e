#include "syscalls/posix/files/descriptors.h"

#include <utility>

#include "sim/base/check.h"
#include "sim/state/archive.h"

namespace hardclock::posix {

std::optional<int> Descriptors::add(std::shared_ptr<OpenFile> file, int lowest) {
  for (auto number = static_cast<std::size_t>(lowest); number < limit_; ++number) {
    if (number < table_->entries.size() && table_->entries[number].file != nullptr) continue;
    set(static_cast<int>(number), std::move(file));
    return static_cast<int>(number);
  }
  return std::nullopt;
}

void Descriptors::set(int number, std::shared_ptr<OpenFile> file) {
  const auto index = static_cast<std::size_t>(number);
  close(number);
  if (index >= table_->entries.size()) table_->entries.resize(index + 1);
  table_->entries[index] = {std::move(file), false};
}

std::shared_ptr<OpenFile> Descriptors::get(std::int64_t number) const {
  auto file = get_raw(number);
  return file == nullptr || file->is_path_only() ? nullptr : file;
}

std::shared_ptr<OpenFile> Descriptors::get_raw(std::int64_t number) const {
  if (number < 0 || static_cast<std::uint64_t>(number) >= table_->entries.size()) return nullptr;
  return table_->entries[static_cast<std::size_t>(number)].file;
}

bool Descriptors::close(std::int64_t number) {
  const auto file = get_raw(number);
  if (file == nullptr) return false;
  table_->entries[static_cast<std::size_t>(number)] = {};
  for (const int owner : table_->lock_owners) locks_->release(file->identity(), owner);
  return true;
}

void Descriptors::close_all() {
  if (!table_.is_only_one()) table_ = std::make_shared<Table>();
  for (std::size_t number = 0; number < table_->entries.size(); ++number) {
    close(static_cast<std::int64_t>(number));
  }
  table_->entries.clear();
}

void Descriptors::unshare() {
  if (!table_.is_only_one()) table_ = copy_of(*table_);
}

bool Descriptors::closes_on_exec(std::int64_t number) const {
  CHECK(get_raw(number) != nullptr);
  return table_->entries[static_cast<std::size_t>(number)].closes_on_exec;
}

void Descriptors::set_close_on_exec(std::int64_t number, bool closes) {
  CHECK(get_raw(number) != nullptr);
  table_->entries[static_cast<std::size_t>(number)].closes_on_exec = closes;
}

void Descriptors::close_on_exec() {
  for (std::size_t number = 0; number < table_->entries.size(); ++number) {
    if (table_->entries[number].closes_on_exec) close(static_cast<std::int64_t>(number));
  }
}

void Descriptors::archive(Archive& to) {
  auto& [most, entries, record_locks] = *this;
  to.state(most, entries);
  to.saved(record_locks);
  if (!to.is_digest()) return;
  for (const Entry& entry : table_->entries) {
    if (entry.file != nullptr && entry.file->has_locks())
      record_locks->archive(to, entry.file->identity());
  }
}

void Descriptors::Table::archive(Archive& to) {
  to.state(entries, lock_owners);
}

}  // namespace hardclock::posix
