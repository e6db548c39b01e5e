#include "cli/guest_file.h"

#include <span>

namespace hardclock {

std::optional<std::vector<std::uint8_t>> read_guest_file(host::GuestFiles& files,
                                                         const std::string& name,
                                                         std::uint64_t largest) {
  const auto path = host::GuestPath::parse("/", name);
  if (!path) return std::nullopt;
  auto opened = files.open(*path, host::OpenOptions{.read = true});
  auto* const file = opened ? std::get_if<host::HostFile>(&*opened) : nullptr;
  if (file == nullptr) return std::nullopt;
  const auto status = file->status();
  if (!status || status->type != host::FileType::regular || status->size > largest) {
    return std::nullopt;
  }
  std::vector<std::uint8_t> bytes(status->size);
  std::size_t done = 0;
  while (done < bytes.size()) {
    const auto part = file->read(std::span(bytes).subspan(done));
    if (!part || *part == 0) break;
    done += *part;
  }
  bytes.resize(done);
  return bytes;
}

}  // namespace hardclock
