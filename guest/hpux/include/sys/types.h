#pragma once
#include <stddef.h>
typedef int dev_t, pid_t, uid_t, gid_t;
typedef long off_t, time_t, ssize_t;
typedef unsigned long ino_t;
typedef unsigned clock_t;
typedef unsigned short mode_t;
typedef short nlink_t;
