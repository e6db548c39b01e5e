/* usnewpollsema(3P): who does not get the semaphore polls for it. */
int printf(const char*, ...);
extern char *usinit(), *usnewpollsema();
struct pollfd {
  int fd;
  short events, revents;
};
static char* semaphore;
static int turns;

static void child(void* argument) {
  struct pollfd one;
  int taken, at_once, later;
  one.fd = usopenpollsema(semaphore, 0600);
  one.events = 1;
  one.revents = 0;
  taken = uspsema(semaphore);
  at_once = poll(&one, 1, 0);
  later = poll(&one, 1, -1);
  printf("child: %d %d %d revents %d turns %d\n", taken, at_once, later, one.revents, turns);
  usvsema(semaphore);
  exit(0);
}

int main(void) {
  char* arena = usinit("/tmp/arena");
  semaphore = usnewpollsema(arena, 1);
  printf("descriptor %d\n", usopenpollsema(semaphore, 0600) >= 0);
  printf("parent: %d\n", uspsema(semaphore));
  sproc(child, 0x7f, 0);
  sginap(5);
  turns = 1;
  printf("released: %d\n", usvsema(semaphore));
  wait(0);
  printf("again: %d\n", uspsema(semaphore));
  return 0;
}
