// The start of a program that measures another project's routine (driver.c), without a C library:
// calls measure(), and ends with exit(2). IRIX on MIPS, Linux on PA-RISC and IA-64.

#if defined(__mips__)
	.abicalls
	.option	pic0
	.set	noreorder
	.text
	.globl	_start
_start:
#if _MIPS_SIM == _ABI64
	dla	$25,measure
#else
	la	$25,measure
#endif
	jalr	$25
	addiu	$29,-64
	move	$4,$2
	li	$2,1001
	syscall
	nop

#elif defined(__hppa__)
	.text
	.globl	_start
_start:
	ldil	L%$global$,%r27
	ldo	R%$global$(%r27),%r27
	bl	measure,%r2
	ldo	128(%r30),%r30
	copy	%r28,%r26
	ble	0x100(%sr2,%r0)
	ldi	1,%r20

#elif defined(__ia64__)
	.text
	.explicit
	.global	_start
	.proc	_start
_start:
	alloc	r32 = ar.pfs, 0, 1, 1, 0
	movl	gp = @gprel(here)
	;;
here:
	mov	r3 = ip
	;;
	sub	gp = r3, gp
	br.call.sptk.many b0 = measure
	;;
	mov	out0 = r8
	mov	r15 = 1025
	break	0x100000
	;;
	.endp	_start
#endif
