// Who a process is: its users and groups.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace hardclock::posix {

// Every guest starts as one user, who is not the superuser.
inline constexpr std::uint32_t first_user = 1000;
// The most supplementary groups: sysconf(_SC_NGROUPS_MAX) of IRIX.
inline constexpr std::size_t groups_max = 16;

// One kind of a process's ids: user or group.
struct Ids {
  std::uint32_t real = first_user;
  std::uint32_t effective = first_user;
  std::uint32_t saved = first_user;
  static constexpr std::size_t state_members = 3;

  // Whether an unprivileged process may change to this id: setuid(2) of POSIX.1.
  bool may_become(std::uint32_t id) const { return id == real || id == saved; }
};

struct Credentials {
  Ids user;
  Ids group;
  std::vector<std::uint32_t> groups{first_user};  // supplementary
  static constexpr std::size_t state_members = 3;

  bool is_superuser() const { return user.effective == 0; }
  // kill(2) of POSIX.1: "the real or effective user ID of the sending process shall match the real
  // or saved set-user-ID of the receiving process", or the sender is the superuser.
  bool may_signal(const Credentials& target) const {
    return is_superuser() || target.user.may_become(user.real) ||
           target.user.may_become(user.effective);
  }
  // getpriority(2): "the real or effective user ID of the process matches the effective user ID of
  // the caller", or that is the superuser.
  bool may_change_priority_of(const Credentials& target) const {
    return is_superuser() || target.user.real == user.effective ||
           target.user.effective == user.effective;
  }
};

}  // namespace hardclock::posix
