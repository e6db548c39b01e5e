/* usnewsema(3P) between processes of sproc(2): each waits for the other. */
int printf(const char*, ...);
extern char *usinit(), *usnewsema();
static char *ping, *pong;
static int turns;

static void child(void* argument) {
  int i;
  for (i = 0; i < 5; i++) {
    uspsema(ping);
    turns++;
    usvsema(pong);
  }
  exit(0);
}

int main(void) {
  int i;
  char* arena = usinit("/tmp/arena");
  ping = usnewsema(arena, 0);
  pong = usnewsema(arena, 0);
  printf("%d\n", sproc(child, 0x7f, 0) > 0);
  for (i = 0; i < 5; i++) {
    usvsema(ping);
    uspsema(pong);
    printf("turn %d\n", turns);
  }
  wait(0);
  printf("left %d %d\n", ustestsema(ping), uscpsema(ping));
  return 0;
}
