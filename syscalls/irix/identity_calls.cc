// The calls about users and groups that IRIX has as requests of syssgi(2), whose arguments follow
// the request's code, or under another name.
#include <algorithm>

#include "syscalls/irix/calls.h"

namespace hardclock::irix::calls {
CallResult without_first(Call& call, Handler proper) {
  Call inner = call;
  std::ranges::copy(std::next(call.arguments.begin()), call.arguments.end(),
                    inner.arguments.begin());
  return proper(inner);
}

CallResult BSDgetpgrp(Call& call) {
  return posix::calls::getpgid(call);
}

CallResult BSDsetpgrp(Call& call) {
  return setpgrp_of(call);
}

}  // namespace hardclock::irix::calls
