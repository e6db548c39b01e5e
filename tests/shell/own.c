// A shell of the user's own.
#include <stdio.h>

int main(int count, char** arguments) {
  printf("own shell: %s\n", arguments[count - 1]);
  return 0;
}
