/* Turns lines and echo off by the requests of an older system, and reads one key. FORM says which
   structure: 1 IRIX's struct termio, 2 that of System V, 3 struct sgttyb, 4 4.4BSD's termios. */
#include <unistd.h>

static long ioctl(long file, unsigned long request, void *argument) {
  register long number __asm__("$2") = CALL;
  register long first __asm__("$4") = file;
  register unsigned long second __asm__("$5") = request;
  register void *third __asm__("$6") = argument;
  register long failed __asm__("$7");
  __asm__ volatile("syscall"
                   : "+r"(number), "=r"(failed)
                   : "r"(first), "r"(second), "r"(third)
                   : "$1", "$3", "$8", "$9", "$10", "$11", "$12", "$13", "$14", "$15", "$24", "$25",
                     "memory");
  return failed != 0 ? -1 : 0;
}

int main(void) {
  unsigned char mode[64], key = 0;
  if (ioctl(0, GET, mode) != 0) {
    write(1, "no terminal\n", 12);
    return 1;
  }
#if FORM == 1
  mode[15] &= (unsigned char)~(2 | 8);
  mode[21] = 1;
  mode[22] = 0;
#elif FORM == 2
  mode[7] &= (unsigned char)~(2 | 8);
  mode[13] = 1;
  mode[14] = 0;
#elif FORM == 3
  mode[5] = (unsigned char)((mode[5] & ~010) | 002); /* CBREAK */
#else
  mode[14] &= (unsigned char)~1; /* ICANON */
  mode[15] &= (unsigned char)~8;
  mode[32] = 1;
  mode[33] = 0;
#endif
  if (ioctl(0, SET, mode) != 0) return 2;
  write(1, "key?", 4);
  if (read(0, &key, 1) != 1) return 3;
  return key;
}
