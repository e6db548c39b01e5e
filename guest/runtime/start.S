// Where a program starts, and where a signal handler starts.
// At entry IRIX has argc at 0(sp), then argv and envp, each ended by a null pointer; no register but
// sp is meaningful.

#include "guest/runtime/calls.h"

	.file	"start.S"
	.text
	.set	noreorder
	.set	noat
	.globl	_start
	.ent	_start
_start:
	LOAD_POINTER $a0, 0($sp)
	ADD_POINTER $a1, $sp, POINTER_BYTES
	sll	$a2, $a0, POINTER_SHIFT
	ADD_POINTERS $a2, $a2, $a1
	ADD_POINTER $a2, $a2, POINTER_BYTES
	lui	$at, %hi(environ)
	STORE_POINTER $a2, %lo(environ)($at)
	move	$fp, $zero
	ADD_POINTER $sp, $sp, -32
	jal	main
	nop
	move	$a0, $v0
	jal	_exit
	nop
	.end	_start

// The trampoline that sigaction(2) hands to the kernel as its fourth argument. The kernel enters it
// with a0 = signal, and bit 31 set for SA_SIGINFO; a1 = code or siginfo; a2 = sigcontext or
// ucontext; a3 = handler. It ends in sigreturn(sigcontext or 0, ucontext), which does not return.
	.globl	_sigtramp
	.ent	_sigtramp
_sigtramp:
	ADD_POINTER $sp, $sp, -32
	STORE_POINTER $a2, 32-POINTER_BYTES($sp)
	bltz	$a0, 1f
	STORE_POINTER $zero, 32-2*POINTER_BYTES($sp)
	STORE_POINTER $a2, 32-2*POINTER_BYTES($sp)
1:	sll	$a0, $a0, 1
	srl	$a0, $a0, 1
	move	$t9, $a3
	jalr	$t9
	nop
	LOAD_POINTER $a0, 32-2*POINTER_BYTES($sp)
	LOAD_POINTER $a1, 32-POINTER_BYTES($sp)
	li	$v0, 1088
	syscall
	break	0
	.end	_sigtramp

	.bss
	.globl	environ
	.balign	POINTER_BYTES
environ:
	.space	POINTER_BYTES
