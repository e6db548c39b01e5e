#pragma once
#include <stddef.h>
typedef long dev_t, off_t, pid_t, uid_t, gid_t, time_t, ssize_t;
typedef unsigned long ino_t, clock_t;
typedef unsigned short mode_t;
typedef short nlink_t;
