// Allocations by operator new that fail when a test wants it: SQLite tests so what happens when the
// n-th allocation fails, for every n (sqlite.org/testing.html, 3.1).
//
// For a build of a whole program beside its own, the variable FAILING_NEW is "N M": of the
// allocations, counted from 1, those from the N-th on fail, M of them in all. The attempt after a
// call of the new-handler counts, too. FAILING_NEW is "count": none fails, and standard error has
// their number in the end.
#pragma once

namespace hardclock::support {

// Counted from now on, from 1, this allocation fails; 0: none does.
void fail_new(unsigned long number);
// Whether it has.
bool has_new_failed();

}  // namespace hardclock::support
