// Where a program starts, and where a signal handler starts.
// At entry IRIX has argc at 0(sp), then argv and envp, each ended by a null pointer; no register but
// sp is meaningful.

#include "tests/guests/runtime/calls.h"

	.file	"start.S"
	.text
	.set	noreorder
	.set	noat
	.globl	_start
	.ent	_start
_start:
#ifdef GUEST_LINUX
	// prctl(PR_SET_FP_MODE, 0): floating-point registers of 32 bits, as in MIPS I. The programs lack
	// the ABI flags that would ask QEMU for it.
	li	$a0, 45
	move	$a1, $zero
	li	$v0, 4192
	syscall
#endif
	lw	$a0, 0($sp)
	addiu	$a1, $sp, 4
	sll	$a2, $a0, 2
	addu	$a2, $a2, $a1
	addiu	$a2, $a2, 4
	lui	$at, %hi(environ)
	sw	$a2, %lo(environ)($at)
	move	$fp, $zero
	addiu	$sp, $sp, -32
	jal	main
	nop
	move	$a0, $v0
	jal	_exit
	nop
	.end	_start

#ifndef GUEST_LINUX
// The trampoline that sigaction(2) hands to the kernel as its fourth argument. The kernel enters it
// with a0 = signal, and bit 31 set for SA_SIGINFO; a1 = code or siginfo; a2 = sigcontext or
// ucontext; a3 = handler. It ends in sigreturn(sigcontext or 0, ucontext), which does not return.
	.globl	_sigtramp
	.ent	_sigtramp
_sigtramp:
	addiu	$sp, $sp, -32
	sw	$a2, 28($sp)
	bltz	$a0, 1f
	sw	$zero, 24($sp)
	sw	$a2, 24($sp)
1:	sll	$a0, $a0, 1
	srl	$a0, $a0, 1
	move	$t9, $a3
	jalr	$t9
	nop
	lw	$a0, 24($sp)
	lw	$a1, 28($sp)
	li	$v0, NUMBER(1088, 0)
	syscall
	break	0
	.end	_sigtramp
#endif

	.bss
	.globl	environ
	.align	2
environ:
	.space	4
