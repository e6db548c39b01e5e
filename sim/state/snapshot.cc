#include "sim/state/snapshot.h"

#include <cstring>

#include "sim/base/check.h"

namespace hardclock {

void Saver::bytes(std::span<std::byte> bytes) {
  snapshot_.bytes.insert(snapshot_.bytes.end(), bytes.begin(), bytes.end());
}

void Saver::refuse(std::string_view what) {
  if (refused_.empty()) refused_ = what;
}

void Saver::keep(std::shared_ptr<const void>& object) {
  snapshot_.kept.push_back(object);
}

void Loader::bytes(std::span<std::byte> bytes) {
  CHECK(bytes.size() <= snapshot_.bytes.size() - bytes_);
  if (bytes.empty()) return;
  std::memcpy(bytes.data(), &snapshot_.bytes[bytes_], bytes.size());
  bytes_ += bytes.size();
}

void Loader::keep(std::shared_ptr<const void>& object) {
  CHECK(kept_ < snapshot_.kept.size());
  object = snapshot_.kept[kept_++];
}

bool Loader::is_at_end() const {
  return bytes_ == snapshot_.bytes.size() && kept_ == snapshot_.kept.size();
}

}  // namespace hardclock
