// The Test Anything Protocol, for programs that check themselves: one line "ok N - what" or "not ok
// N - what" for each check, and the plan "1..N" at the end.
#pragma once

// Each returns whether it passed. check_error passes when `result` is -1 and errno is `error`.
int check(int condition, const char* what);
int check_number(long seen, long expected, const char* what);
int check_error(long result, int error, const char* what);
// Returns the exit status: 0, or 1 if a check failed.
int finish_checks(void);
