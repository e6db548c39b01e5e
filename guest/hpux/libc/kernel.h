/* System calls that programs do not see under these names; calls.S has them. */
#pragma once
#include <stddef.h>

#pragma GCC visibility push(hidden) /* no program sees these */
int _hc_brk(void*end), _hc_nanosleep(const void*time, void*left), _hc_nice(int increment);
int _hc_utssys(void*buffer, size_t size, int type), _hc_sigaction(int, const void*, void*);
int _hc_wait3(int*status, int options, void*usage), _hc_fcntl(int, int, long);
int _hc_pstat(int function, void*buffer, size_t size, size_t count, int index);
long _hc_times(void*buffer), _hc_open(const char*, int, int), _hc_waitpid(long, int*, int, void*);
int _hc_is_new(int file);         /* files.c: an empty regular file, else errno */
void* _hc_program_end(void);      /* start.c: where the program's data ends */
void _hc_prepare_handlers(void);  /* handlers.c: before the first handler of a signal */

#pragma GCC visibility pop
