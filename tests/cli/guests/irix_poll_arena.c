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
  one.fd = usopenpollsema(semaphore, 0600);
  one.events = 1;
  one.revents = 0;
  printf("child: %d", uspsema(semaphore));
  printf(" %d", poll(&one, 1, 0));
  printf(" %d", poll(&one, 1, -1));
  printf(" revents %d turns %d\n", one.revents, turns);
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
