#include "syscalls/host/guest_path.h"

#include <algorithm>
#include <utility>

#include "syscalls/host/held_directory.h"

namespace hardclock::host {

// Appends the components of `path`.
HostResult<Ok> GuestPath::append(std::string_view path) {
  std::size_t start = 0;
  while (start < path.size()) {
    const std::size_t slash = std::min(path.find('/', start), path.size());
    const std::string_view name = path.substr(start, slash - start);
    start = slash + 1;
    if (name.empty() || name == ".") continue;
    if (name.size() > max_name_length) return Failure{Error::name_too_long};
    if (name == "..") {
      *this = parent();
    } else {
      if (text_.back() != '/') text_ += '/';
      text_ += name;
    }
  }
  return Ok{};
}

// The same, and what the end of `path` says.
HostResult<Ok> GuestPath::append_last(std::string_view path) {
  if (const auto done = append(path); !done) return done;
  if (text_.size() > max_whole_length) return Failure{Error::name_too_long};
  const std::string_view last = path.substr(path.rfind('/') + 1);  // npos + 1 is 0
  ends_in_dots_ = last == "." || last == "..";
  directory_required_ = last.empty() || ends_in_dots_;
  return Ok{};
}

HostResult<GuestPath> GuestPath::parse(std::string_view directory, std::string_view path) {
  if (path.size() > max_length) return Failure{Error::name_too_long};
  return parse_long(directory, path);
}

HostResult<GuestPath> GuestPath::parse_long(std::string_view directory, std::string_view path) {
  if (path.empty()) return Failure{Error::not_found};
  if (path.find('\0') != path.npos) return Failure{Error::invalid};
  GuestPath result;
  if (path.front() != '/') {
    if (const auto done = result.append(directory); !done) return Failure{done.error()};
  }
  if (const auto done = result.append_last(path); !done) return Failure{done.error()};
  return result;
}

HostResult<GuestPath> GuestPath::parse(const std::shared_ptr<const HeldDirectory>& directory,
                                       std::string_view path) {
  if (path.empty() || path.front() == '/') return parse("/", path);
  if (path.size() > max_length) return Failure{Error::name_too_long};
  if (path.find('\0') != path.npos) return Failure{Error::invalid};
  GuestPath result = of_held(directory);
  if (const auto done = result.append_last(path); !done) return Failure{done.error()};
  return result;
}

GuestPath GuestPath::of_held(std::shared_ptr<const HeldDirectory> directory) {
  GuestPath result;
  result.text_ = directory->path().text();
  result.held_size_ = result.text_.size();
  result.held_ = std::move(directory);
  return result;
}

std::string_view GuestPath::from_held() const {
  return relative_to(text_, std::string_view(text_).substr(0, held_size_));
}

std::string_view GuestPath::name() const {
  return std::string_view(text_).substr(text_.rfind('/') + 1);
}

GuestPath GuestPath::parent() const {
  GuestPath result;
  result.text_ = text_.substr(0, std::max<std::size_t>(text_.rfind('/'), 1));
  if (result.text_.size() >= held_size_) {
    result.held_ = held_;
    result.held_size_ = held_size_;
  }
  return result;
}

GuestPath GuestPath::child(std::string_view name) const {
  GuestPath result;
  result.text_ = text_ == "/" ? "/" : text_ + "/";
  result.text_ += name;
  result.held_ = held_;
  result.held_size_ = held_size_;
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
