/* Maps /usr/lib/dld.sl and lets it bind the program. What the loader is passed: as HP's crt0.o of
 * HP-UX 10 does it, seen in programs. */
#include <stdint.h>

extern const uint32_t __shlib_info[], _etext[], _end[];
long system_call(long a, long b, long c, long d, long e, long f, long number);

const char *const *environ;
int errno;
typedef void enter_loader(int, uint32_t *, uint32_t data, uint32_t bss, uint32_t data_end, const uint32_t *header,
                          const uint32_t *text_end, const char *name, const uint32_t *program_end);

static const char *argument_0;
static uint32_t kept[2];

enum { sys_exit = 1, sys_read = 3, sys_write = 4, sys_open = 5, sys_lseek = 19, sys_mmap = 71 };

static void fail(const char *line, int length) {
  system_call(2, (long)line, length, 0, 0, 0, sys_write);
  system_call(1, 0, 0, 0, 0, 0, sys_exit);
}

__attribute__((visibility("hidden"))) void map_loader(int count, const char **arguments,
                                                      const char **environment) {
  enum { headers = 7, text_size = 2, text_address = 3, text_offset = 4, entry = 9 };
  enum { read_execute = 5, shared_library = 0x41 };
  uint32_t front[32], exec[12];
  (void)count;
  environ = environment;
  argument_0 = arguments[0];
  int file = system_call((long)"/usr/lib/dld.sl", 0, 0, 0, 0, 0, sys_open);
  if (file < 0) fail("no dld.sl\n", 10);
  system_call(file, (long)front, sizeof front, 0, 0, 0, sys_read);
  system_call(file, front[headers], 0, 0, 0, 0, sys_lseek);
  system_call(file, (long)exec, sizeof exec, 0, 0, 0, sys_read);
  uint32_t text = system_call(0, exec[text_size], read_execute, shared_library, file, exec[text_offset], sys_mmap);
  uint32_t block[16] = {5, text, text + exec[text_size], (uint32_t)&argument_0, (uint32_t)environment,
                        (uint32_t)block, (uint32_t)&kept[0], (uint32_t)&kept[1]};
  enter_loader *enter = (enter_loader *)(text + exec[entry] - exec[text_address]);
  enter(-1, block, 0, 0, 0, __shlib_info, _etext, argument_0, _end);
}
