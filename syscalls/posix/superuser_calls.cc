// Calls that only the superuser may make: EPERM, since no guest is the superuser.
#include "syscalls/posix/calls.h"

namespace hardclock::posix::calls {
namespace {

CallResult refused() {
  return CallResult::failure(Errno::eperm);
}

}  // namespace

CallResult acct(Call&) {
  return refused();
}

CallResult adjtime(Call&) {
  return refused();
}

CallResult chroot(Call&) {
  return refused();
}

CallResult mlock(Call&) {
  return refused();
}

CallResult mlockall(Call&) {
  return refused();
}

CallResult mount(Call&) {
  return refused();
}

CallResult munlock(Call&) {
  return refused();
}

CallResult munlockall(Call&) {
  return refused();
}

CallResult plock(Call&) {
  return refused();
}

CallResult reboot(Call&) {
  return refused();
}

CallResult settimeofday(Call&) {
  return refused();
}

CallResult stime(Call&) {
  return refused();
}

CallResult swapon(Call&) {
  return refused();
}

CallResult umount(Call&) {
  return refused();
}

CallResult vhangup(Call&) {
  return refused();
}

}  // namespace hardclock::posix::calls
