// For assembly: the number of a system call on the system that the guest is built for.
// IRIX and Linux share the o32 convention: number in v0, arguments in a0-a3 and from 16(sp) up;
// on return a3 is 0 for success, else v0 is the error number.
#pragma once

#ifdef GUEST_LINUX
#define NUMBER(irix, linux) linux
#else
#define NUMBER(irix, linux) irix
#endif
