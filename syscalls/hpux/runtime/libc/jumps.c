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
_Static_assert(mask_at + sizeof(sigset_t) <= sizeof(sigjmp_buf), "room for the mask");

void siglongjmp(sigjmp_buf environment, int value) {
  const char* const bytes = (const char*)environment;
#if defined __ia64__
  const int is_kept = *(const long long*)(bytes + is_kept_at) != 0;
#else
  const int is_kept = *(const int*)(bytes + is_kept_at) != 0;
#endif
  if (is_kept) sigprocmask(SIG_SETMASK, (const sigset_t*)(bytes + mask_at), NULL);
  longjmp(environment, value);
}
