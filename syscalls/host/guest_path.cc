#include "syscalls/host/guest_path.h"

#include <algorithm>

namespace hardclock::host {
namespace {

// Appends the components of `path` to the normalised `text`.
HostResult<Ok> append_components(std::string& text, std::string_view path) {
  std::size_t start = 0;
  while (start < path.size()) {
    const std::size_t slash = std::min(path.find('/', start), path.size());
    const std::string_view name = path.substr(start, slash - start);
    start = slash + 1;
    if (name.empty() || name == ".") continue;
    if (name.size() > GuestPath::max_name_length) return Failure{Error::name_too_long};
    if (name == "..") {
      text.erase(std::max<std::size_t>(text.rfind('/'), 1));
    } else {
      if (text.back() != '/') text += '/';
      text += name;
    }
  }
  return Ok{};
}

}  // namespace

HostResult<GuestPath> GuestPath::parse(std::string_view directory, std::string_view path) {
  if (path.size() > max_length) return Failure{Error::name_too_long};
  return parse_long(directory, path);
}

HostResult<GuestPath> GuestPath::parse_long(std::string_view directory, std::string_view path) {
  if (path.empty()) return Failure{Error::not_found};
  if (path.find('\0') != path.npos) return Failure{Error::invalid};
  GuestPath result;
  if (path.front() != '/') {
    if (const auto done = append_components(result.text_, directory); !done) {
      return Failure{done.error()};
    }
  }
  if (const auto done = append_components(result.text_, path); !done) return Failure{done.error()};
  if (result.text_.size() > max_whole_length) return Failure{Error::name_too_long};
  const std::string_view last = path.substr(path.rfind('/') + 1);  // npos + 1 is 0
  result.ends_in_dots_ = last == "." || last == "..";
  result.directory_required_ = last.empty() || result.ends_in_dots_;
  return result;
}

std::string_view GuestPath::name() const {
  return std::string_view(text_).substr(text_.rfind('/') + 1);
}

GuestPath GuestPath::parent() const {
  GuestPath result;
  result.text_ = text_.substr(0, std::max<std::size_t>(text_.rfind('/'), 1));
  return result;
}

GuestPath GuestPath::child(std::string_view name) const {
  GuestPath result;
  result.text_ = text_ == "/" ? "/" : text_ + "/";
  result.text_ += name;
  return result;
}

bool is_at_or_below(std::string_view inner, std::string_view outer) {
  if (outer == "/") return true;
  return inner.starts_with(outer) && (inner.size() == outer.size() || inner[outer.size()] == '/');
}

std::string_view relative_to(std::string_view inner, std::string_view outer) {
  if (inner.size() == outer.size()) return {};
  return inner.substr(outer == "/" ? 1 : outer.size() + 1);
}

}  // namespace hardclock::host
