/* The kernel lets signal handlers return to a place of the library's. */
#include "kernel.h"

#pragma GCC visibility push(hidden)
int _hc_sigsetreturn(void (*place)(void), int cookie, int size);
extern char _hc_handler_return[]; /* calls.S */
#pragma GCC visibility pop

void _hc_prepare_handlers(void) {
  static int is_told;
  enum { trampoline_bytes = 20 };
  if (!is_told) _hc_sigsetreturn((void (*)(void))_hc_handler_return, 0, trampoline_bytes);
  is_told = 1;
}
