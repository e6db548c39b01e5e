#include "syscalls/linux/process_files.h"

#include <charconv>
#include <utility>

#include "syscalls/linux/epoll.h"
#include "syscalls/linux/thread_ids.h"
#include "syscalls/posix/state.h"

namespace hardclock::gnu_linux {
namespace {

using host::FileType;
using host::SyntheticFile;

// The first component of a path, and what is behind its slash.
std::pair<std::string_view, std::string_view> split(std::string_view path) {
  const std::size_t slash = path.find('/');
  if (slash == path.npos) return {path, {}};
  return {path.substr(0, slash), path.substr(slash + 1)};
}

// A number as the kernel writes it: no sign, no zero in front.
std::optional<int> to_number(std::string_view text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_whole = error == std::errc() && end == text.data() + text.size();
  if (!is_whole || std::to_string(number) != text || number < 0) return std::nullopt;
  return number;
}

SyntheticFile directory(std::vector<std::string> names, std::uint32_t permissions = 0555) {
  return {FileType::directory, permissions, {}, std::move(names)};
}

SyntheticFile link_to(std::string target) {
  return {FileType::symlink, 0777, std::move(target)};
}

// The link to an open file, whose permissions tell for what it is open (proc(5), /proc/PID/fd).
SyntheticFile link_to_file(std::shared_ptr<posix::OpenFile> file, std::string target) {
  const host::OpenRights rights = file->rights();
  const std::uint32_t permissions = (rights.read ? 0500U : 0U) | (rights.write ? 0300U : 0U);
  return {.type = FileType::symlink,
          .permissions = permissions,
          .content = std::move(target),
          .object = std::move(file)};
}

// What every Linux has in /dev.
constexpr host::SyntheticLink device_links[] = {{"/dev/fd", "/proc/self/fd"},
                                                {"/dev/stdin", "/proc/self/fd/0"},
                                                {"/dev/stdout", "/proc/self/fd/1"},
                                                {"/dev/stderr", "/proc/self/fd/2"}};

// proc(5), /proc/PID/cwd, and the same of an open directory
std::string target_of(const host::HeldDirectory& directory) {
  return directory.path().text() + (directory.is_removed() ? " (deleted)" : "");
}

// What an open file is called.
std::string target_of(const posix::OpenFile& file) {
  if (const auto directory = file.held_directory()) return target_of(*directory);
  if (!file.path.empty()) return file.path;
  const auto* const anonymous = dynamic_cast<const AnonymousFile*>(&file);
  if (anonymous != nullptr) return std::string(anonymous->name());
  const auto status = file.status();
  if (!status) return "anon_inode:[file]";
  const std::string inode = ":[" + std::to_string(status->inode) + "]";
  switch (status->type) {
    case FileType::fifo:
      return "pipe" + inode;
    case FileType::socket:
      return "socket" + inode;
    case FileType::character_device:
      return "/dev/tty";
    default:
      return "anon_inode:[file]";
  }
}

class ProcessFiles final : public host::SyntheticFiles {
 public:
  explicit ProcessFiles(const posix::Kernel& kernel) : kernel_(kernel) {}

  std::string_view root() const override { return "/proc"; }
  std::span<const host::SyntheticLink> links() const override { return device_links; }

  std::optional<SyntheticFile> find(std::string_view path) const override {
    if (path.empty()) return directory(root_names());
    const auto [first, rest] = split(path);
    if (path == "self") return link_to(std::to_string(kernel_.caller()));
    if (path == "mounts") return link_to("self/mounts");
    const auto pid = to_number(first);
    if (!pid) return system_file(kernel_, path);
    Process* const process = kernel_.simulation().find(*pid);
    if (process == nullptr) return std::nullopt;
    return of_process(*process, rest);
  }

  std::shared_ptr<const std::string> keep(std::string content) const override {
    const auto kept = std::make_shared<Kept>(kernel_.simulation().budget());
    if (!kept->charge.add(content.size())) return nullptr;
    kept->content = std::move(content);
    return {kept, &kept->content};
  }

 private:
  struct Kept {
    explicit Kept(std::shared_ptr<MemoryBudget> budget) : charge(std::move(budget)) {}
    MemoryCharge charge;
    std::string content;
  };

  std::vector<std::string> root_names() const {
    std::vector<std::string> names;
    for (const Process* const process : kernel_.simulation().processes()) {
      names.push_back(std::to_string(process->pid));
    }
    for (std::string& name : system_file_names()) names.push_back(std::move(name));
    for (const char* const link : {"mounts", "self"}) names.emplace_back(link);
    return names;
  }

  std::optional<SyntheticFile> of_process(Process& process, std::string_view path) const {
    if (path.empty()) {
      std::vector<std::string> names = process_file_names();
      for (const char* const name : {"cwd", "exe", "fd", "root", "task"}) names.emplace_back(name);
      return directory(std::move(names));
    }
    const auto [first, rest] = split(path);
    if (first == "fd") return of_descriptors(process, rest);
    if (first == "task") return of_tasks(process, rest);
    if (!rest.empty()) return std::nullopt;
    if (process.exit_status && (first == "cwd" || first == "exe" || first == "root")) {
      return std::nullopt;
    }
    if (first == "cwd") return link_to(target_of(*posix::paths_of(process).directory));
    if (first == "exe") return link_to(process.program);
    if (first == "root") return link_to("/");
    Thread* const thread = process.threads.empty() ? nullptr : &process.main_thread();
    return process_file(kernel_, process, thread, first);
  }

  static std::optional<SyntheticFile> of_descriptors(const Process& process,
                                                     std::string_view path) {
    const posix::Descriptors* const table = posix::descriptors_of(process);
    if (table == nullptr) {
      return path.empty() ? std::optional(directory({}, 0500)) : std::nullopt;
    }
    const posix::Descriptors& descriptors = *table;
    if (path.empty()) {
      std::vector<std::string> names;
      for (std::size_t number = 0; number < descriptors.end(); ++number) {
        const auto at = static_cast<std::int64_t>(number);
        if (descriptors.get_raw(at) != nullptr) names.push_back(std::to_string(number));
      }
      return directory(std::move(names), 0500);
    }
    const auto number = to_number(path);
    auto file = number ? descriptors.get_raw(*number) : nullptr;
    if (file == nullptr) return std::nullopt;
    std::string target = target_of(*file);
    return link_to_file(std::move(file), std::move(target));
  }

  std::optional<SyntheticFile> of_tasks(Process& process, std::string_view path) const {
    if (path.empty()) {
      std::vector<std::string> names;
      for (const auto& thread : process.threads) names.push_back(std::to_string(tid_of(*thread)));
      return directory(std::move(names));
    }
    const auto [first, rest] = split(path);
    const auto tid = to_number(first);
    Thread* const thread = tid ? find_thread(process, *tid) : nullptr;
    if (thread == nullptr) return std::nullopt;
    if (rest.empty()) return directory(process_file_names());
    return process_file(kernel_, process, thread, rest);
  }

  const posix::Kernel& kernel_;
};

}  // namespace

std::shared_ptr<const host::SyntheticFiles> process_files(const posix::Kernel& kernel) {
  return std::make_shared<ProcessFiles>(kernel);
}

}  // namespace hardclock::gnu_linux
