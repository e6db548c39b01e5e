// Where a program starts: argc is at 0(sp), then argv and envp, each ended by a null pointer. And
// where handlers start on the systems whose C library gives the kernel a trampoline.

#include <sys/syscall.h>

	.file	"start.S"
	.text
	.set	noreorder
	.set	noat
	.globl	_start
	.ent	_start
_start:
#ifdef _OS_LINUX
// PR_SET_FP_MODE, 0: floating-point registers of 32 bits, as in MIPS I. The programs lack the ABI
// flags that would ask QEMU for it.
	li	$a0, 45
	move	$a1, $zero
	li	$v0, SYS_prctl
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
	jal	exit
	move	$a0, $v0
	.end	_start

#if defined(_OS_IRIX)
// The fourth argument of ksigaction. The kernel enters it with a0 = signal, and bit 31 set for
// SA_SIGINFO; a1 = code or siginfo; a2 = sigcontext or ucontext; a3 = handler. It ends in
// sigreturn(sigcontext or 0, ucontext).
	.globl	_trampoline
	.ent	_trampoline
_trampoline:
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
	li	$v0, SYS_sigreturn
	syscall
	break	0
	.end	_trampoline
#elif defined(_OS_BSD211)
// The first argument of sigaction, entered with a0 = signal, a1 = code, a2 = sigcontext, a3 =
// handler.
	.globl	_trampoline
	.ent	_trampoline
_trampoline:
	addiu	$sp, $sp, -24
	sw	$a2, 16($sp)
	move	$t9, $a3
	jalr	$t9
	nop
	lw	$a0, 16($sp)
	li	$v0, SYS_sigreturn
	syscall
	break	0
	.end	_trampoline
#endif

	.bss
	.globl	environ
	.globl	errno
	.align	2
environ:
	.space	4
errno:
	.space	4
