// Reads from an empty pipe whose write end only this process holds: read(2) blocks, and nothing in
// this world can ever wake it.
#include <stdio.h>
#include <unistd.h>

int main(void) {
  int fds[2];
  char byte;
  pipe(fds);
  printf("about to read from an empty pipe\n");
  read(fds[0], &byte, 1);
  printf("this line is never printed\n");
  return 0;
}
