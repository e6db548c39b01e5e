// System V's messages, semaphores and shared memory between processes.
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

union semun {
  int val;
  struct semid_ds* buf;
  unsigned short* array;
};

struct text {
  long type;
  char text[64];
};

static void say(const char* what, long result) {
  if (result == -1) {
    printf("%s: %s\n", what, strerrorname_np(errno));
  } else {
    printf("%s: %ld\n", what, result);
  }
}

// The caller goes on when a child has come to wait.
static void let_others_run(void) {
  usleep(100000);
}

static void end_of_child(pid_t child) {
  int status = 0;
  waitpid(child, &status, 0);
  printf("child: exit %d signal %d\n", WEXITSTATUS(status), WTERMSIG(status));
}

static long send(int queue, long type, const char* text, size_t size, int flags) {
  struct text message = {.type = type};
  strncpy(message.text, text, sizeof message.text - 1);
  return msgsnd(queue, &message, size, flags);
}

static void receive(int queue, long type, size_t size, int flags) {
  struct text message = {.type = -1};
  ssize_t got = msgrcv(queue, &message, size, type, flags);
  if (got < 0) {
    say("msgrcv", got);
  } else {
    printf("msgrcv: %zd type %ld \"%.*s\"\n", got, message.type, (int)got, message.text);
  }
}

// Not the times and not who sent last: QEMU 7.2 stores them elsewhere than the C library reads them.
static void show_queue(int queue) {
  struct msqid_ds status;
  memset(&status, 0, sizeof status);
  say("IPC_STAT", msgctl(queue, IPC_STAT, &status));
  printf("mode %o, mine %d, count %lu, bytes %lu of %lu\n", (unsigned)status.msg_perm.mode,
         status.msg_perm.uid == geteuid(), (unsigned long)status.msg_qnum,
         (unsigned long)status.__msg_cbytes, (unsigned long)status.msg_qbytes);
}

static void order_of_messages(void) {
  int queue = msgget(IPC_PRIVATE, 0600);
  show_queue(queue);
  say("msgsnd 3", send(queue, 3, "three", 5, 0));
  say("msgsnd 1", send(queue, 1, "one", 3, 0));
  say("msgsnd 2", send(queue, 2, "two", 3, 0));
  say("msgsnd 1", send(queue, 1, "uno", 3, 0));
  show_queue(queue);
  receive(queue, 2, 64, 0);
  receive(queue, -2, 64, 0);
  receive(queue, 3, 4, 0);
  receive(queue, 3, 4, MSG_NOERROR);
  receive(queue, 7, 64, IPC_NOWAIT);
  say("msgsnd 5", send(queue, 5, "five", 4, 0));
  receive(queue, 1, 64, MSG_EXCEPT);
  receive(queue, 0, 64, 0);
  receive(queue, 0, 64, IPC_NOWAIT);
  say("type 0", send(queue, 0, "", 0, 0));
  say("type -1", send(queue, -1, "", 0, 0));
  static struct {
    long type;
    char text[100000];
  } large = {.type = 1};
  say("too long", msgsnd(queue, &large, sizeof large.text, 0));
  say("nothing", send(queue, 1, "", 0, 0));
  receive(queue, 0, 64, 0);
  say("bad address", msgsnd(queue, (void*)8, 1, 0));
  show_queue(queue);
  say("IPC_RMID", msgctl(queue, IPC_RMID, NULL));
  say("IPC_RMID", msgctl(queue, IPC_RMID, NULL));
  receive(queue, 0, 64, 0);
}

static void set_queue(void) {
  int queue = msgget(IPC_PRIVATE, 0600);
  struct msqid_ds status;
  msgctl(queue, IPC_STAT, &status);
  status.msg_perm.mode = 0640;
  status.msg_qbytes = 10;
  say("IPC_SET", msgctl(queue, IPC_SET, &status));
  show_queue(queue);
  say("msgsnd", send(queue, 1, "12345678", 8, IPC_NOWAIT));
  say("msgsnd", send(queue, 1, "123", 3, IPC_NOWAIT));
  say("msgsnd", send(queue, 1, "12", 2, IPC_NOWAIT));
  msgctl(queue, IPC_RMID, NULL);
}

static void keys(void) {
  key_t key = 0x68630000 | (getpid() & 0xffff);
  say("msgget without", msgget(key, 0600));
  int queue = msgget(key, IPC_CREAT | 0600);
  printf("msgget with: %d\n", queue >= 0);
  printf("the same: %d\n", msgget(key, 0600) == queue);
  say("msgget exclusive", msgget(key, IPC_CREAT | IPC_EXCL | 0600));
  msgctl(queue, IPC_RMID, NULL);
  say("msgget after", msgget(key, 0600));
}

static void waits_for_messages(void) {
  int queue = msgget(IPC_PRIVATE, 0600);
  pid_t child = fork();
  if (child == 0) {
    receive(queue, 2, 64, 0);
    receive(queue, 0, 64, 0);
    receive(queue, 0, 64, 0);
    _exit(3);
  }
  let_others_run();
  send(queue, 1, "first", 5, 0);
  send(queue, 2, "second", 6, 0);
  let_others_run();
  show_queue(queue);
  msgctl(queue, IPC_RMID, NULL);
  end_of_child(child);

  queue = msgget(IPC_PRIVATE, 0600);
  struct msqid_ds status;
  msgctl(queue, IPC_STAT, &status);
  status.msg_qbytes = 4;
  msgctl(queue, IPC_SET, &status);
  send(queue, 1, "full", 4, 0);
  child = fork();
  if (child == 0) {
    long result = send(queue, 2, "more", 4, 0);
    let_others_run();
    say("msgsnd after waiting", result);
    say("msgsnd to a removed queue", send(queue, 2, "more", 4, 0));
    _exit(0);
  }
  let_others_run();
  receive(queue, 0, 64, 0);
  let_others_run();
  let_others_run();
  msgctl(queue, IPC_RMID, NULL);
  end_of_child(child);
}

static void on_signal(int number) {
  printf("signal %d\n", number == SIGALRM);
}

static void interrupted(void) {
  struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
  sigaction(SIGALRM, &action, NULL);
  int queue = msgget(IPC_PRIVATE, 0600);
  alarm(1);
  receive(queue, 0, 64, 0);
  msgctl(queue, IPC_RMID, NULL);
  int set = semget(IPC_PRIVATE, 1, 0600);
  struct sembuf down = {0, -1, 0};
  alarm(1);
  say("semop", semop(set, &down, 1));
  semctl(set, 0, IPC_RMID);
}

static long operate(int set, int number, int change, int flags) {
  struct sembuf operation = {number, change, flags};
  return semop(set, &operation, 1);
}

static void values(int set) {
  unsigned short all[3] = {9, 9, 9};
  union semun argument = {.array = all};
  long result = semctl(set, 0, GETALL, argument);
  printf("GETALL %ld: %d %d %d\n", result, all[0], all[1], all[2]);
}

static void semaphores(void) {
  int set = semget(IPC_PRIVATE, 3, 0600);
  unsigned short start[3] = {1, 2, 3};
  union semun argument = {.array = start};
  say("SETALL", semctl(set, 0, SETALL, argument));
  values(set);
  argument.val = 7;
  say("SETVAL", semctl(set, 1, SETVAL, argument));
  say("GETVAL", semctl(set, 1, GETVAL));
  argument.val = 40000;
  say("SETVAL", semctl(set, 1, SETVAL, argument));
  argument.val = -1;
  say("SETVAL", semctl(set, 1, SETVAL, argument));
  say("GETVAL of none", semctl(set, 3, GETVAL));
  printf("GETPID %d\n", semctl(set, 1, GETPID) == getpid());
  struct semid_ds status;
  memset(&status, 0, sizeof status);
  argument.buf = &status;
  say("IPC_STAT", semctl(set, 0, IPC_STAT, argument));
  printf("mode %o, mine %d, count %lu\n", (unsigned)status.sem_perm.mode,
         status.sem_perm.cuid == geteuid(), (unsigned long)status.sem_nsems);
  struct sembuf several[3] = {{0, -1, 0}, {1, -7, 0}, {2, -4, IPC_NOWAIT}};
  say("all or none", semop(set, several, 3));
  values(set);
  several[2].sem_op = -3;
  say("all", semop(set, several, 3));
  values(set);
  struct sembuf sequence[3] = {{0, 2, 0}, {0, -1, 0}, {0, -1, IPC_NOWAIT}};
  say("one after the other", semop(set, sequence, 3));
  say("zero", operate(set, 0, 0, IPC_NOWAIT));
  say("not zero", (operate(set, 0, 1, 0), operate(set, 0, 0, IPC_NOWAIT)));
  say("too high", operate(set, 0, 32767, 0));
  say("no such", operate(set, 5, 1, 0));
  say("none", semop(set, several, 0));
  struct sembuf many[501] = {{0, 0, 0}};
  say("many", semop(set, many, 501));
  say("bad address", semop(set, (void*)8, 1));
  struct timespec time = {0, 50000000};
  struct sembuf down = {1, -1, 0};
  say("semtimedop", semtimedop(set, &down, 1, &time));
  time.tv_nsec = -1;
  say("semtimedop", semtimedop(set, &down, 1, &time));
  say("semget larger", semget(IPC_PRIVATE, 0, 0600));
  say("IPC_RMID", semctl(set, 0, IPC_RMID));
  say("semop", operate(set, 0, 1, 0));
}

static void waits_for_semaphores(void) {
  int set = semget(IPC_PRIVATE, 2, 0600);
  pid_t up = fork();
  if (up == 0) {
    struct sembuf both[2] = {{0, -2, 0}, {1, -1, 0}};
    say("both", semop(set, both, 2));
    say("removed", operate(set, 0, -1, 0));
    _exit(0);
  }
  let_others_run();
  pid_t zero = fork();
  if (zero == 0) {
    operate(set, 1, 1, 0);
    long result = operate(set, 1, 0, 0);
    let_others_run();
    say("zero", result);
    _exit(0);
  }
  let_others_run();
  printf("waiting %d %d %d %d\n", semctl(set, 0, GETNCNT), semctl(set, 0, GETZCNT),
         semctl(set, 1, GETNCNT), semctl(set, 1, GETZCNT));
  operate(set, 0, 1, 0);
  let_others_run();
  printf("waiting %d %d\n", semctl(set, 0, GETNCNT), semctl(set, 1, GETZCNT));
  operate(set, 0, 1, 0);
  end_of_child(zero);
  let_others_run();
  printf("waiting %d %d\n", semctl(set, 0, GETNCNT), semctl(set, 1, GETZCNT));
  printf("GETPID %d\n", semctl(set, 0, GETPID) == up);
  semctl(set, 0, IPC_RMID);
  end_of_child(up);
}

static void undo(void) {
  int set = semget(IPC_PRIVATE, 3, 0600);
  unsigned short start[3] = {5, 5, 5};
  union semun argument = {.array = start};
  semctl(set, 0, SETALL, argument);
  pid_t child = fork();
  if (child == 0) {
    struct sembuf operations[3] = {{0, -3, SEM_UNDO}, {1, 4, SEM_UNDO}, {2, -2, SEM_UNDO}};
    semop(set, operations, 3);
    operate(set, 0, 1, SEM_UNDO);
    if (fork() == 0) _exit(0);
    wait(NULL);
    values(set);
    let_others_run();
    _exit(0);
  }
  let_others_run();
  argument.val = 1;
  semctl(set, 2, SETVAL, argument);
  operate(set, 1, -8, 0);
  values(set);
  end_of_child(child);
  values(set);
  child = fork();
  if (child == 0) {
    operate(set, 2, -1, SEM_UNDO);
    pause();
  }
  let_others_run();
  values(set);
  kill(child, SIGKILL);
  say("after the kill", operate(set, 2, -1, 0));
  end_of_child(child);
  semctl(set, 0, IPC_RMID);
}

static void show_segment(int segment, pid_t last) {
  struct shmid_ds status;
  memset(&status, 0, sizeof status);
  say("IPC_STAT", shmctl(segment, IPC_STAT, &status));
  printf("mode %o, mine %d, size %lu, attached %lu, creator %d, last %d, times %d %d %d\n",
         (unsigned)status.shm_perm.mode, status.shm_perm.uid == geteuid(),
         (unsigned long)status.shm_segsz, (unsigned long)status.shm_nattch,
         status.shm_cpid == getpid(), status.shm_lpid == last, status.shm_atime != 0,
         status.shm_dtime != 0, status.shm_ctime != 0);
}

static void segments(void) {
  int segment = shmget(IPC_PRIVATE, 10000, 0600);
  show_segment(segment, 0);
  volatile int* words = shmat(segment, NULL, 0);
  printf("aligned %d, zero %d\n", ((unsigned long)words & (SHMLBA - 1)) == 0, words[2499]);
  words[0] = 1;
  volatile int* again = shmat(segment, NULL, SHM_RDONLY);
  printf("twice: %d\n", again[0]);
  show_segment(segment, getpid());
  pid_t child = fork();
  if (child == 0) {
    words[0] = 2;
    printf("child sees %d\n", again[0]);
    say("shmdt", shmdt((void*)again));
    volatile int* own = shmat(segment, NULL, 0);
    own[2000] = 3;
    _exit(0);
  }
  end_of_child(child);
  printf("parent sees %d %d\n", words[0], again[2000]);
  show_segment(segment, child);
  child = fork();
  if (child == 0) {
    again[0] = 4;
    _exit(0);
  }
  end_of_child(child);
  say("not a segment", shmdt((char*)words + 4));
  say("shmdt", shmdt((void*)again));
  say("at an odd address", (long)shmat(segment, (char*)words + 12, 0));
  say("on itself", (long)shmat(segment, (void*)words, 0));
  say("IPC_RMID", shmctl(segment, IPC_RMID, NULL));
  struct shmid_ds status;
  say("IPC_STAT", shmctl(segment, IPC_STAT, &status));
  printf("mode %o, key %d, still %d\n", (unsigned)status.shm_perm.mode,
         (int)status.shm_perm.__key, words[0]);
  say("shmdt", shmdt((void*)words));
  say("IPC_STAT", shmctl(segment, IPC_STAT, &status));
  say("shmdt", shmdt((void*)words));
  say("none", shmget(IPC_PRIVATE, 0, 0600));
}

static void segment_by_key(void) {
  key_t key = 0x68640000 | (getpid() & 0xffff);
  int segment = shmget(key, 4096, IPC_CREAT | 0400);
  say("larger", shmget(key, 4097, 0));
  printf("smaller: %d\n", shmget(key, 100, 0) == segment);
  void* read_only = shmat(segment, NULL, SHM_RDONLY);
  printf("to read: %d\n", read_only != (void*)-1);
  struct shmid_ds status;
  shmctl(segment, IPC_STAT, &status);
  status.shm_perm.mode = 0600;
  say("IPC_SET", shmctl(segment, IPC_SET, &status));
  char* text = shmat(segment, NULL, 0);
  strcpy(text, "text");
  printf("%s\n", (char*)read_only);
  shmctl(segment, IPC_RMID, NULL);
}

int main(void) {
  setvbuf(stdout, NULL, _IONBF, 0);
  order_of_messages();
  set_queue();
  keys();
  waits_for_messages();
  interrupted();
  semaphores();
  waits_for_semaphores();
  undo();
  segments();
  segment_by_key();
  return 0;
}
