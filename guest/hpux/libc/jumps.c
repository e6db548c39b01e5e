/* siglongjmp(3C). sigsetjmp() is in calls.S: where it has left the mask of signals, and whether. */
#include <setjmp.h>
#include <signal.h>
#include <stddef.h>

#if defined __ia64__
enum { is_kept_at = 152, mask_at = 480 };
#elif __SIZEOF_POINTER__ == 8
enum { is_kept_at = 236, mask_at = 240 };
#else
enum { is_kept_at = 160, mask_at = 168 };
#endif
#if defined __ia64__
enum { lost_at_start = 8 };
#else
enum { lost_at_start = 0 };
#endif
_Static_assert(lost_at_start + mask_at + sizeof(sigset_t) <= sizeof(sigjmp_buf), "room for the mask");

void siglongjmp(sigjmp_buf environment, int value) {
#if defined __ia64__ /* calls.S: from an address on that f registers can be stored at */
  const char* const bytes = (const char*)(((size_t)environment + 15) & ~(size_t)15);
  const int is_kept = *(const long long*)(bytes + is_kept_at) != 0;
#else
  const char* const bytes = (const char*)environment;
  const int is_kept = *(const int*)(bytes + is_kept_at) != 0;
#endif
  if (is_kept) sigprocmask(SIG_SETMASK, (const sigset_t*)(bytes + mask_at), NULL);
  longjmp(environment, value);
}
