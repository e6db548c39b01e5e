// undo_semaphores SETS CHILDREN: each child wants its change of every semaphore of so many sets of
// 32000 undone at its end.
#include <sys/sem.h>

#include "bounds.h"

enum { semaphores = 32000, at_once = 500 };

static int sets[64];
static long count;

static void raise_all(void) {
  struct sembuf operations[at_once];
  for (long set = 0; set < count; ++set) {
    for (int first = 0; first < semaphores; first += at_once) {
      for (int i = 0; i < at_once; ++i) {
        operations[i].sem_num = first + i;
        operations[i].sem_op = 1;
        operations[i].sem_flg = SEM_UNDO;
      }
      if (semop(sets[set], operations, at_once) == 0) continue;
      // "The limit on the number of individual processes requesting a SEM_UNDO would be exceeded"
      // (POSIX.1, semop()).
      if (errno == ENOSPC) _exit(refused);
      stop();
    }
  }
}

int main(int argc, char** argv) {
  (void)argc;
  const long wanted = number(argv, 1);
  for (; count < wanted; ++count) {
    sets[count] = semget(IPC_PRIVATE, semaphores, 0666);
    if (sets[count] < 0 && errno != ENOSPC) stop();
    if (sets[count] < 0) break;
  }
  return run_children(number(argv, 2), raise_all);
}
