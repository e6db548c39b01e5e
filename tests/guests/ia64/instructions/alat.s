// Data speculation: what enters the ALAT, what leaves it, and what a check does when it hits or misses.
//
// An ALAT may forget at any time; that the entries below are found again is what Ski and the processors do.
	.include "guest.inc"

	// 1 in r22 if `register` has an entry.
	.macro entry label, completer, register
	mov r22=0 ;;
	chk.a.\completer \register, 1f ;;
	mov r22=1 ;;
1:
	result "\label", r22
	.endm

	// An 8-byte ld.a, a store of `bytes` at an offset from it, and whether the entry lives.
	.macro stored label, store, offset
	ld8.a r30=[r20]
	add r21=\offset,r20 ;;
	\store [r21]=r0 ;;
	entry "\label at \offset", clr, r30
	st8 [r20]=r29 ;;
	.endm

	.macro stored_float label, store, offset
	ldfd.a f30=[r20]
	add r21=\offset,r20 ;;
	\store [r21]=f0 ;;
	entry "\label at \offset, floating-point entry", clr, f30
	st8 [r20]=r29 ;;
	.endm

	.macro stored_fr store, offset
	ld8.a r30=[r20]
	add r21=\offset,r20 ;;
	\store [r21]=f0 ;;
	entry "\store at \offset", clr, r30
	st8 [r20]=r29 ;;
	.endm

	.data
	.align 64
	data8 0, 0
here:	data8 0x1122334455667788, 0x3ff0000000000000, 0, 0

	.text
_start:
	begin
	movl r20=here
	movl r29=0x1122334455667788 ;;
	invala
	entry "no entry", nc, r30
	ld8.a r30=[r20] ;;
	result "ld8.a loads", r30
	entry "after ld8.a", nc, r30
	entry "chk.a.nc keeps the entry", clr, r30
	entry "chk.a.clr removed it", nc, r30
	ld8.sa r30=[r20] ;;
	entry "after ld8.sa", nc, r30
	ld8.sa r30=[r0] ;;
	entry "after ld8.sa of page 0", nc, r30
	result "which gives", r30

	// Stores of every size, around the 8 bytes.
	.irp offset, -8,0,8
	stored "st8", st8, \offset
	stored_float "stfd", stfd, \offset
	.endr
	.irp offset, -4,0,4,8
	stored "st4", st4, \offset
	.endr
	.irp offset, -2,0,6,8
	stored "st2", st2, \offset
	.endr
	.irp offset, -1,0,7,8
	stored "st1", st1, \offset
	.endr
	.irp offset, -16,0
	mov.m ar.csd=r0 ;;
	stored "st16", st16, \offset
	.endr
	stored_fr stfs, -4
	stored_fr stfs, 4
	stored_fr stfd, 0
	stored_fr stf8, 8
	stored_fr stfe, -16
	stored_fr stf.spill, 0
	ld8.a r30=[r20] ;;
	xchg4 r22=[r20],r0 ;;
	entry "after xchg4", clr, r30
	st8 [r20]=r29
	mov.m ar.ccv=r0 ;;
	ld8.a r30=[r20] ;;
	fetchadd4.acq r22=[r20],1 ;;
	entry "after fetchadd4", clr, r30
	st8 [r20]=r29 ;;
	ld8.a r30=[r20]
	cmp.eq p0,p6=r0,r0 ;;
	(p6)	st8 [r20]=r0 ;;
	entry "after a store with a false predicate", clr, r30

	// A hit keeps what the register has, a miss loads.
	ld8.a r30=[r20] ;;
	mov r30=5 ;;
	ld8.c.nc r30=[r20] ;;
	result "ld8.c.nc that hits", r30
	ld8.c.clr r30=[r20] ;;
	result "ld8.c.clr that hits", r30
	ld8.c.clr r30=[r20] ;;
	result "ld8.c.clr that misses", r30
	entry "after it", nc, r30
	mov r30=5 ;;
	ld8.c.nc r30=[r20] ;;
	result "ld8.c.nc that misses", r30
	entry "after it", nc, r30
	invala
	mov r30=5 ;;
	ld8.c.clr.acq r30=[r20] ;;
	result "ld8.c.clr.acq that misses", r30
	add r21=0,r20
	ld8.a r30=[r20] ;;
	ld8.c.clr r30=[r21],8 ;;
	sub r22=r21,r20 ;;
	result "a hit moves the base by", r22
	mov r21=r20
	cmp.eq p0,p6=r0,r0
	mov r30=6 ;;
	(p6)	ld8.c.clr r30=[r21],8 ;;
	sub r22=r21,r20 ;;
	result "with a false predicate by", r22
	result "and loads nothing", r30

	// A second ld.a of a register takes the place of the first.
	add r21=8,r20
	ld8.a r30=[r20] ;;
	ld8.a r30=[r21] ;;
	st8 [r20]=r29 ;;
	entry "a store to the address before", clr, r30
	ld8.a r30=[r20] ;;
	ld8 r30=[r20] ;;
	entry "after an ordinary load of the register", clr, r30

	// invala, invala.e.
	ld8.a r30=[r20]
	ld8.a r31=[r21] ;;
	invala.e r30 ;;
	entry "after invala.e of it", nc, r30
	entry "after invala.e of another", nc, r31
	ldfd.a f30=[r21] ;;
	invala.e r30 ;;
	entry "the FR with the number of invala.e's GR", nc, f30
	invala.e f30 ;;
	entry "invala.e of an FR", nc, f30
	invala ;;
	entry "after invala", nc, r31

	// Floating point.
	ldfd.a f30=[r21] ;;
	fmerge.s f30=f0,f0 ;;
	ldfd.c.nc f30=[r21] ;;
	fresult "ldfd.c.nc that hits", f30
	ldfd.c.clr f30=[r21] ;;
	fmerge.s f30=f0,f0 ;;
	ldfd.c.clr f30=[r21] ;;
	fresult "ldfd.c.clr that misses", f30
	ldfps.a f30,f31=[r20] ;;
	entry "ldfps.a, first", nc, f30
	add r22=4,r20 ;;
	st4 [r22]=r0 ;;
	entry "a store to half of the pair", nc, f30
	st8 [r20]=r29 ;;

	// The entry is the register's, whatever its name: after a call and a rotation.
	alloc r31=ar.pfs,0,16,0,8 ;;
	clrrrb
	mov.i ar.lc=5
	mov.i ar.ec=1
	ld8.a r33=[r20] ;;
	br.ctop.sptk.few 1f ;;
1:
	entry "r34 that was r33", nc, r34
	entry "r33 that was r32", clr, r33
	clrrrb ;;
	entry "r33 again", nc, r33
	br.call.sptk.few b6=callee ;;
	entry "r33 after a call", clr, r33

	// A loop of speculative loads: those before the store keep what they had, the one it hits loads again.
	mov r23=0
	ld4.a r24=[r20] ;;
	add r25=1,r24 ;;
	st4 [r20]=r25 ;;
	ld4.c.clr r24=[r20] ;;
	result "ld4.c after a store to its address", r24
	br.few finish ;;

callee:
	alloc r32=ar.pfs,0,4,0,0 ;;
	mov r33=1
	ld8.a r34=[r20] ;;
	entry "the callee's r33", nc, r33
	br.ret.sptk.few b6 ;;
