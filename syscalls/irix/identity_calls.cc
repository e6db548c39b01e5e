// The calls about users and groups that IRIX has as requests of syssgi(2), whose arguments follow
// the request's code, or under another name.
#include <algorithm>

#include "syscalls/irix/calls.h"

namespace hardclock::irix::calls {
namespace {

CallResult without_code(Call& call, CallResult (*handler)(Call&)) {
  Call inner = call;
  std::ranges::copy(std::next(call.arguments.begin()), call.arguments.end(),
                    inner.arguments.begin());
  return handler(inner);
}

}  // namespace

CallResult setsid(Call& call) {
  return without_code(call, posix::calls::setsid);
}

CallResult setpgid(Call& call) {
  return without_code(call, posix::calls::setpgid);
}

CallResult getpgid(Call& call) {
  return without_code(call, posix::calls::getpgid);
}

CallResult getsid(Call& call) {
  return without_code(call, posix::calls::getsid);
}

CallResult setgroups(Call& call) {
  return without_code(call, posix::calls::setgroups);
}

CallResult getgroups(Call& call) {
  return without_code(call, posix::calls::getgroups);
}

CallResult BSDgetpgrp(Call& call) {
  return posix::calls::getpgid(call);
}

CallResult BSDsetpgrp(Call& call) {
  return setpgrp_of(call);
}

}  // namespace hardclock::irix::calls
