// For assembly: how the ABI that the guest is built for handles pointers.
// IRIX's o32 convention: number in v0, arguments in a0-a3 and from 16(sp) up;
// on return a3 is 0 for success, else v0 is the error number. In n32 and n64 the arguments
// are in eight registers, $4 to $11, and the rest is the same.
#pragma once

#if _MIPS_SIM == _ABI64
#define POINTER_BYTES 8
#define POINTER_SHIFT 3
#define ADD_POINTER daddiu
#define ADD_POINTERS daddu
#define LOAD_POINTER ld
#define STORE_POINTER sd
#else
#define POINTER_BYTES 4
#define POINTER_SHIFT 2
#define ADD_POINTER addiu
#define ADD_POINTERS addu
#define LOAD_POINTER lw
#define STORE_POINTER sw
#endif
