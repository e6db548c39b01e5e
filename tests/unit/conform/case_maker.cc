#include "tests/unit/conform/case_maker.h"

namespace hardclock::conform {

Event call_event(Call call) {
  CallStep step;
  step.call = std::move(call);
  Event event;
  event.what = std::move(step);
  return event;
}

}  // namespace hardclock::conform
