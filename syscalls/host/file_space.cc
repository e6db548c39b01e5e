#include "syscalls/host/file_space.h"

#include <filesystem>
#include <system_error>

#include "syscalls/host/guest_path.h"

namespace hardclock::host {
namespace {

std::vector<std::string_view> split_at_colons(std::string_view text) {
  std::vector<std::string_view> parts;
  std::size_t start = 0;
  for (;;) {
    const std::size_t colon = text.find(':', start);
    parts.push_back(text.substr(start, colon - start));
    if (colon == text.npos) return parts;
    start = colon + 1;
  }
}

}  // namespace

Result<Bind, std::string> parse_bind(std::string_view text) {
  const auto refuse = [&](const char* what) {
    return Failure{"bind " + std::string(text) + ": " + what + "; write --bind HOST:GUEST[:ro]"};
  };
  const auto parts = split_at_colons(text);
  if (parts.size() < 2 || parts.size() > 3) return refuse("not two paths with a colon between");
  if (parts.size() == 3 && parts[2] != "ro") return refuse("the third part is not \"ro\"");
  if (parts[0].empty()) return refuse("the host path is empty");
  if (!parts[1].starts_with('/')) return refuse("the guest path does not start with a slash");
  const auto guest = GuestPath::parse("/", parts[1]);
  if (!guest) return refuse(describe(guest.error()));
  return Bind{std::string(parts[0]), guest->text(), parts.size() == 2};
}

Result<std::vector<std::string>, std::string> parse_roots(std::string_view text) {
  std::vector<std::string> roots;
  for (const std::string_view part : split_at_colons(text)) {
    if (part.empty()) {
      return Failure{"guest root \"" + std::string(text) +
                     "\": an empty directory name; write -L DIR[:DIR]"};
    }
    roots.emplace_back(part);
  }
  return roots;
}

Result<std::string, std::string> current_working_directory() {
  std::error_code error;
  const std::filesystem::path path = std::filesystem::current_path(error);
  if (error) {
    return Failure{"working directory: " + error.message() +
                   "; start hardclock from a directory that exists"};
  }
  return path.string();
}

}  // namespace hardclock::host
