#pragma once
#include <sys/types.h>
pid_t wait(int*), waitpid(pid_t, int*, int);
#define WEXITSTATUS(status) ((status) >> 8 & 255)
