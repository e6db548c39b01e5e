#include "sim/debug/register_set.h"

#include <algorithm>

namespace hardclock::debug {

const RegisterFile* RegisterSet::file_of(unsigned number) const {
  const auto found = std::ranges::find_if(files, [number](const RegisterFile& file) {
    return number >= file.first && number - file.first < file.count;
  });
  return found == files.end() ? nullptr : &*found;
}

unsigned RegisterSet::count() const {
  unsigned end = 0;
  for (const RegisterFile& file : files) end = std::max(end, file.first + file.count);
  return end;
}

std::optional<RegisterValue> RegisterSet::read(Cpu& cpu, unsigned number) const {
  const RegisterFile* const file = file_of(number);
  if (file == nullptr) return std::nullopt;
  return file->read(cpu, file->first_index + number - file->first);
}

bool RegisterSet::write(Cpu& cpu, unsigned number, RegisterValue value) const {
  const RegisterFile* const file = file_of(number);
  if (file == nullptr || file->write == nullptr) return false;
  return file->write(cpu, file->first_index + number - file->first, within(value, file->bits));
}

std::string RegisterSet::name(unsigned number) const {
  const RegisterFile* const file = file_of(number);
  if (file == nullptr) return {};
  const unsigned index = file->first_index + number - file->first;
  if (file->name_of != nullptr) return file->name_of(index);
  std::string name(file->name);
  return file->count == 1 ? name : name + std::to_string(index);
}

unsigned RegisterSet::bits(unsigned number) const {
  const RegisterFile* const file = file_of(number);
  return file == nullptr ? 0 : file->bits;
}

}  // namespace hardclock::debug
