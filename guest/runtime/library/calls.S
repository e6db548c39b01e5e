// The system calls: number in v0, arguments in a0 to a3 and from 16(sp) up; on return a3 is 0 for
// success, else v0 is the number of the error.

#include <sys/syscall.h>

	.file	"calls.S"
	.set	noreorder
	.set	noat

	.macro	FUNCTION name
	.section .text.\name,"ax",@progbits
	.globl	\name
	.ent	\name
\name:
	.endm

	.macro	CALL name, number
	FUNCTION \name
	li	$v0, \number
	syscall
	bnez	$a3, failed
	nop
	jr	$ra
	nop
	.end	\name
	.endm

	.text
	.ent	failed
failed:
	lui	$at, %hi(errno)
	sw	$v0, %lo(errno)($at)
	li	$v0, -1
	jr	$ra
	li	$v1, -1
	.end	failed

	CALL	_exit, SYS_exit
	CALL	read, SYS_read
	CALL	write, SYS_write
	CALL	open, SYS_open
	CALL	close, SYS_close
	CALL	unlink, SYS_unlink
#ifdef SYS_brk
	CALL	_brk, SYS_brk
#endif
	CALL	getpid, SYS_getpid
	CALL	kill, SYS_kill
	CALL	profil, SYS_profil
	CALL	execve, SYS_execve
#ifdef SYS_lseek
#ifdef _OS_BSD44
	CALL	_lseek, SYS_lseek
#else
	CALL	lseek, SYS_lseek
#endif
#endif
#ifdef SYS_creat
	CALL	creat, SYS_creat
#endif
#ifdef SYS_getuid
	CALL	getuid, SYS_getuid
	CALL	getgid, SYS_getgid
	CALL	dup, SYS_dup
#endif
#ifdef SYS_alarm
	CALL	alarm, SYS_alarm
	CALL	pause, SYS_pause
	CALL	times, SYS_times
#endif
#ifdef SYS_wait4
	CALL	_wait4, SYS_wait4
#endif
#ifdef SYS_waitid
	CALL	_waitid, SYS_waitid
#endif
#ifdef SYS_signal
	CALL	signal, SYS_signal
#endif
#ifdef SYS_sigvec
	CALL	sigvec, SYS_sigvec
	CALL	sigblock, SYS_sigblock
	CALL	sigsetmask, SYS_sigsetmask
	CALL	sigpause, SYS_sigpause
#endif
#ifdef SYS_sigaction
	CALL	_sigaction, SYS_sigaction
#if defined(_OS_BSD44) || defined(_OS_LINUX)
	CALL	_sigprocmask, SYS_sigprocmask
	CALL	_sigsuspend, SYS_sigsuspend
#else
	CALL	sigprocmask, SYS_sigprocmask
	CALL	sigsuspend, SYS_sigsuspend
#endif
#endif
#ifdef SYS_mmap
	CALL	_mmap, SYS_mmap
	CALL	munmap, SYS_munmap
	CALL	mprotect, SYS_mprotect
#endif
#ifdef SYS_gettimeofday
	CALL	gettimeofday, SYS_gettimeofday
#endif
#ifdef SYS_getitimer
	CALL	getitimer, SYS_getitimer
	CALL	setitimer, SYS_setitimer
#endif
#ifdef SYS_syssgi
	CALL	syssgi, SYS_syssgi
#endif
#ifdef SYS_nuname
	CALL	nuname, SYS_nuname
#endif
#ifdef SYS_syscall
	CALL	indirect_syscall, SYS_syscall
#endif
#ifdef SYS_pcsample
	CALL	pcsample, SYS_pcsample
#endif
#ifdef SYS_lwp_create
	CALL	_lwp_create_call, SYS_lwp_create
	CALL	_lwp_exit, SYS_lwp_exit
	CALL	_lwp_self, SYS_lwp_self
#endif

// The second result is not 0 in the child.
	.macro	FORK name, number
	FUNCTION \name
	li	$v0, \number
	syscall
	bnez	$a3, failed
	nop
	beqz	$v1, 1f
	nop
	move	$v0, $zero
1:	jr	$ra
	nop
	.end	\name
	.endm

	FORK	fork, SYS_fork
#ifdef SYS_vfork
	FORK	vfork, SYS_vfork
#endif

// The parent's id is the second result of getpid, where it has no call of its own.
#ifdef SYS_getppid
	CALL	getppid, SYS_getppid
#else
	FUNCTION getppid
	li	$v0, SYS_getpid
	syscall
	jr	$ra
	move	$v0, $v1
	.end	getppid
#endif

// The descriptors are the two results.
	FUNCTION pipe
	move	$t0, $a0
	li	$v0, SYS_pipe
	syscall
	bnez	$a3, failed
	nop
	sw	$v0, 0($t0)
	sw	$v1, 4($t0)
	jr	$ra
	move	$v0, $zero
	.end	pipe

#ifdef SYS_wait
// The status is the second result.
	FUNCTION wait
	move	$t0, $a0
	li	$v0, SYS_wait
	syscall
	bnez	$a3, failed
	nop
	beqz	$t0, 1f
	nop
	sw	$v1, 0($t0)
1:	jr	$ra
	nop
	.end	wait
#endif

#ifdef SYS_time
// The kernel returns the seconds; storing them is the library's work.
	FUNCTION time
	move	$t0, $a0
	li	$v0, SYS_time
	syscall
	bnez	$a3, failed
	nop
	beqz	$t0, 1f
	nop
	sw	$v0, 0($t0)
1:	jr	$ra
	nop
	.end	time
#endif

// The arguments move down by one; six of them at most.
	FUNCTION syscall
	move	$v0, $a0
	move	$a0, $a1
	move	$a1, $a2
	move	$a2, $a3
	lw	$a3, 16($sp)
	lw	$t0, 20($sp)
	lw	$t1, 24($sp)
	addiu	$sp, $sp, -32
	sw	$t0, 16($sp)
	sw	$t1, 20($sp)
	syscall
	addiu	$sp, $sp, 32
	bnez	$a3, failed
	nop
	jr	$ra
	nop
	.end	syscall

#ifdef SYS_sproc
// sproc(entry, share, argument): the new process starts here, with the argument in a0 and its
// parent's s0.
	FUNCTION sproc
	addiu	$sp, $sp, -8
	sw	$s0, 0($sp)
	move	$s0, $a0
	lui	$a0, %hi(sproc_start)
	addiu	$a0, $a0, %lo(sproc_start)
	li	$v0, SYS_sproc
	syscall
	lw	$s0, 0($sp)
	bnez	$a3, failed
	addiu	$sp, $sp, 8
	jr	$ra
	nop
sproc_start:
	addiu	$sp, $sp, -32
	jalr	$s0
	move	$t9, $s0
	jal	_exit
	move	$a0, $zero
	.end	sproc
#endif
