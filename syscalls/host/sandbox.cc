#include "syscalls/host/sandbox.h"

#include <fcntl.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

#include "syscalls/host/descriptor.h"
#include "syscalls/host/sandbox_filter.h"

namespace hardclock::host {
namespace {

// A sanitizer's runtime reads /proc, starts threads and traces its own process.
#if defined(__SANITIZE_ADDRESS__)
constexpr bool is_available = false;
#elif defined(__has_feature)
constexpr bool is_available = !__has_feature(address_sanitizer);
#else
constexpr bool is_available = true;
#endif

using Rights = std::uint64_t;  // bits LANDLOCK_ACCESS_FS_*

// Debian 12's <linux/landlock.h> ends with version 2; these are from the kernel's of 6.15.
constexpr Rights truncate_right = Rights{1} << 14;        // version 3
constexpr Rights device_control_right = Rights{1} << 15;  // version 5
struct RulesetAttributes {
  std::uint64_t files;
  std::uint64_t network;  // version 4: bind and connect of TCP
  std::uint64_t scopes;   // version 6: abstract sockets and signals
};
constexpr std::uint64_t all_of_network = 3;
constexpr std::uint64_t all_scopes = 3;
// Version 1 has no right to move a file to another directory, and so refuses that always.
constexpr int least_version = 2;

constexpr Rights of_files = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_WRITE_FILE |
                            LANDLOCK_ACCESS_FS_READ_FILE | truncate_right | device_control_right;
constexpr Rights reading = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
constexpr Rights writing = reading | LANDLOCK_ACCESS_FS_WRITE_FILE | truncate_right |
                           LANDLOCK_ACCESS_FS_REMOVE_DIR | LANDLOCK_ACCESS_FS_REMOVE_FILE |
                           LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG |
                           LANDLOCK_ACCESS_FS_MAKE_SYM | LANDLOCK_ACCESS_FS_MAKE_FIFO |
                           LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_REFER;
constexpr Rights output = LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_REMOVE_FILE |
                          LANDLOCK_ACCESS_FS_WRITE_FILE | truncate_right;

class Landlock {
 public:
  // Version 0 when there is none: all that follows is then without effect.
  explicit Landlock(bool allows_internet) {
    version_ = static_cast<int>(
        ::syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION));
    if (version_ < least_version) {
      version_ = 0;
      return;
    }
    handled_ = (device_control_right << 1) - 1;
    if (version_ < 5) handled_ &= ~device_control_right;
    if (version_ < 3) handled_ &= ~truncate_right;
    const RulesetAttributes attributes{
        .files = handled_,
        .network = version_ < 4 || allows_internet ? 0 : all_of_network,
        .scopes = version_ < 6 ? 0 : all_scopes};
    rules_ = Descriptor(static_cast<int>(
        ::syscall(SYS_landlock_create_ruleset, &attributes, sizeof attributes, 0)));
    if (rules_.get() < 0) version_ = 0;
  }

  void allow(const std::string& path, Rights rights) {
    const Descriptor object(::open(path.c_str(), O_PATH | O_CLOEXEC));
    struct ::stat status;
    if (version_ == 0 || ::fstat(object.get(), &status) != 0) return;
    if (!S_ISDIR(status.st_mode)) rights &= of_files;
    const ::landlock_path_beneath_attr rule{.allowed_access = rights & handled_,
                                            .parent_fd = object.get()};
    ::syscall(SYS_landlock_add_rule, rules_.get(), LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
  }
  // The version that is in force now.
  int enforce() {
    if (version_ == 0) return 0;
    return ::syscall(SYS_landlock_restrict_self, rules_.get(), 0) == 0 ? version_ : 0;
  }

 private:
  int version_ = 0;
  Rights handled_ = 0;
  Descriptor rules_;
};

int restrict_files(const FileSpace& space, const std::vector<std::string>& outputs,
                   const std::optional<std::string>& temporary, bool allows_internet) {
  Landlock landlock(allows_internet);
  for (const std::string& root : space.roots) landlock.allow(root, reading);
  for (const Bind& bind : space.binds) landlock.allow(bind.host, bind.writable ? writing : reading);
  if (space.working_directory) {
    landlock.allow(*space.working_directory, space.working_directory_writable ? writing : reading);
  }
  if (temporary) {
    landlock.allow(*temporary, writing);
    landlock.allow(std::filesystem::path(*temporary).parent_path(), LANDLOCK_ACCESS_FS_REMOVE_DIR);
  }
  for (const std::string& directory : outputs) landlock.allow(directory, output);
  return landlock.enforce();
}

// A superuser keeps only the capabilities to read and write other people's files, as needed in a
// container whose working directory belongs to a user outside.
void drop_capabilities() {
  constexpr std::uint32_t of_file_owners =
      1u << CAP_CHOWN | 1u << CAP_DAC_OVERRIDE | 1u << CAP_DAC_READ_SEARCH | 1u << CAP_FOWNER;
  ::__user_cap_header_struct header{.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
  ::__user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3];
  if (::syscall(SYS_capget, &header, sets) != 0) return;
  for (auto& set : sets) {
    const std::uint32_t kept = &set == sets ? of_file_owners : 0;
    set = {.effective = set.effective & kept, .permitted = set.permitted & kept, .inheritable = 0};
  }
  ::syscall(SYS_capset, &header, sets);
}

constexpr ::sock_filter generated_filter[] = {
#include "syscalls/host/sandbox_filter.inc"
};
constexpr ::sock_filter generated_internet_filter[] = {
#include "syscalls/host/sandbox_filter_internet.inc"
};

bool restrict_calls(bool allows_internet) {
  const std::span<const ::sock_filter> generated =
      allows_internet ? std::span<const ::sock_filter>(generated_internet_filter)
                      : std::span<const ::sock_filter>(generated_filter);
  std::vector<::sock_filter> filter(generated.begin(), generated.end());
  const auto process = static_cast<std::uint32_t>(::getpid());
  for (::sock_filter& row : filter) {
    if (row.k == own_process) row.k = process;
  }
  const ::sock_fprog program{.len = static_cast<unsigned short>(filter.size()),
                             .filter = filter.data()};
  // Older kernels would slow the whole process down against attacks by code that it runs; a guest's
  // code is only data here.
  return ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_SPEC_ALLOW,
                   &program) == 0;
}

}  // namespace

Sandbox confine(const FileSpace& space, const std::vector<std::string>& outputs,
                const std::optional<std::string>& temporary, bool allows_internet) {
  if (!is_available) return {};
  const ::rlimit no_core{.rlim_cur = 0, .rlim_max = 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  ::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
  drop_capabilities();
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return {};
  Sandbox sandbox;
  sandbox.landlock = restrict_files(space, outputs, temporary, allows_internet);
  sandbox.seccomp = restrict_calls(allows_internet);
  return sandbox;
}

}  // namespace hardclock::host
