/* The kernel lets signal handlers return to a place of the library's, which a pointer to a function
 * means. */
#include "kernel.h"

#pragma GCC visibility push(hidden)
int _hc_sigsetreturn(void (*place)(void), int cookie, int size);
void _hc_handler_return(void); /* calls.S */
#pragma GCC visibility pop

void _hc_prepare_handlers(void) {
  static int is_told;
  enum { trampoline_bytes = 16 };
  if (!is_told) _hc_sigsetreturn(_hc_handler_return, 0, trampoline_bytes);
  is_told = 1;
}
