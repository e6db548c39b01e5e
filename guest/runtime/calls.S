// The system call stubs.

#include "guest/runtime/calls.h"

	.file	"calls.S"
	.text
	.set	noreorder
	.set	noat

	.macro	CALL name, number
	.globl	\name
	.ent	\name
\name:
	li	$v0, \number
	syscall
	bnez	$a3, failed
	nop
	jr	$ra
	nop
	.end	\name
	.endm

	.ent	failed
failed:
	lui	$at, %hi(errno)
	sw	$v0, %lo(errno)($at)
	jr	$ra
	li	$v0, -1
	.end	failed

	CALL	_exit, 1001
	CALL	read, 1003
	CALL	write, 1004
	CALL	open, 1005
	CALL	close, 1006
	CALL	lseek, 1019
	CALL	getpid, 1020
	CALL	kill, 1037

	.globl	sigaction
	.ent	sigaction
sigaction:
	lui	$a3, %hi(_sigtramp)
	addiu	$a3, $a3, %lo(_sigtramp)
	li	$v0, 1162
	syscall
	bnez	$a3, failed
	nop
	jr	$ra
	nop
	.end	sigaction

	CALL	syscall, 1000
	CALL	brk, 1017
	CALL	syssgi, 1040
	CALL	times, 1043
	CALL	profil, 1044
	CALL	execve, 1059
	CALL	getitimer, 1125
	CALL	setitimer, 1126
	CALL	BSD_getime, 1128
	CALL	mmap, 1134
	CALL	munmap, 1135
	CALL	nuname, 1157
	CALL	sigprocmask, 1164
	CALL	waitsys, 1170

// The second result, v1, is not 0 in the child.
	.globl	fork
	.ent	fork
fork:
	li	$v0, 1002
	syscall
	bnez	$a3, failed
	nop
	beqz	$v1, 1f
	nop
	move	$v0, $zero
1:	jr	$ra
	nop
	.end	fork

// The kernel returns the seconds; storing them is the library's work.
	.globl	time
	.ent	time
time:
	move	$t0, $a0
	li	$v0, 1013
	syscall
	bnez	$a3, failed
	nop
	beqz	$t0, 1f
	nop
	sw	$v0, 0($t0)
1:	jr	$ra
	nop
	.end	time

// The second result of getpid.
	.globl	getppid
	.ent	getppid
getppid:
	li	$v0, 1020
	syscall
	jr	$ra
	move	$v0, $v1
	.end	getppid

// The descriptors are the two results.
	.globl	pipe
	.ent	pipe
pipe:
	move	$t0, $a0
	li	$v0, 1042
	syscall
	bnez	$a3, failed
	nop
	sw	$v0, 0($t0)
	sw	$v1, 4($t0)
	jr	$ra
	move	$v0, $zero
	.end	pipe

	.globl	direct_call
	.ent	direct_call
direct_call:
	move	$v0, $a0
	move	$a0, $a1
	move	$a1, $a2
	move	$a2, $a3
	syscall
	bnez	$a3, failed
	nop
	jr	$ra
	nop
	.end	direct_call

	.bss
	.globl	errno
	.align	2
errno:
	.space	4
