/* Signal handlers return to the kernel's own page. */
#include "kernel.h"

void _hc_prepare_handlers(void) {}
