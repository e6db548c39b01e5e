// Loads and stores of every size in both byte orders, post-increments, pairs, 16 bytes, semaphores.
	.include "guest.inc"

	// One instruction with the byte order that psr.be is for, on the 32 bytes at r20, which are then shown.
	.macro setup
	movl r3=pattern
	movl r14=scratch ;;
	ld8 r24=[r3],8 ;;
	ld8 r25=[r3],8 ;;
	ld8 r26=[r3],8 ;;
	ld8 r27=[r3],8 ;;
	st8 [r14]=r24,8 ;;
	st8 [r14]=r25,8 ;;
	st8 [r14]=r26,8 ;;
	st8 [r14]=r27,8 ;;
	movl r20=scratch
	.endm

	.macro show label, words
	movl r20=scratch ;;
	.rept \words
	ld8 r24=[r20],8 ;;
	result "\label", r24
	.endr
	.endm

	// Accesses of a size whose name goes on behind it.
	.macro load_acquire size
	ld\size\().acq r23=[r20] ;;
	.endm

	.macro store_release size
	st\size\().rel [r20]=r22 ;;
	.endm

	.macro exchange_if_equal size, order
	cmpxchg\size\().\order r23=[r20],r22,ar.ccv ;;
	.endm

	.macro fetch_and_add size, increment
	fetchadd\size\().acq r23=[r20],\increment ;;
	.endm

	.macro loads order, mask:vararg
	.irp size, 1,2,4,8
	setup
	;;
	\mask ;;
	ld\size r22=[r20],\size ;;
	load_acquire \size
	rum 2 ;;
	result "ld\size \order", r22
	result "ld\size behind it \order", r23
	movl r24=scratch ;;
	sub r20=r20,r24 ;;
	result "ld\size \order moves its base by", r20
	setup
	movl r22=0x1122334455667788
	movl r23=-256 ;;
	\mask ;;
	st\size [r20]=r22,8 ;;
	store_release \size
	rum 2 ;;
	show "st\size \order", 2
	.endr
	.irp form, s,d,8,e
	setup
	;;
	\mask ;;
	ldf\form f20=[r20],16 ;;
	ldf\form f21=[r20] ;;
	rum 2 ;;
	fresult "ldf\form \order", f20
	fresult "ldf\form 16 bytes behind it \order", f21
	.endr
	.irp form, s,d,8
	setup
	;;
	\mask ;;
	ldfp\form f20,f21=[r20] ;;
	rum 2 ;;
	fresult "ldfp\form \order, first", f20
	fresult "ldfp\form \order, second", f21
	.endr
	.irp form, stfs,stfd,stf8,stfe,stf.spill
	setup
	fput f20, 0x2fffe, 0xc123456789abcdef
	;;
	\mask ;;
	\form [r20]=f20 ;;
	rum 2 ;;
	show "\form \order", 2
	.endr
	setup
	;;
	\mask ;;
	ldf.fill f20=[r20] ;;
	rum 2 ;;
	fresult "ldf.fill \order", f20
	.irp size, 1,2,4,8
	setup
	movl r22=0xfedcba9876543210 ;;
	\mask ;;
	xchg\size r23=[r20],r22 ;;
	rum 2 ;;
	result "xchg\size \order", r23
	show "xchg\size leaves, \order", 1

	// cmpxchg that fits: ar.ccv has the value zero-extended.
	setup
	movl r22=0xfedcba9876543210 ;;
	\mask ;;
	ld\size r23=[r20] ;;
	mov.m ar.ccv=r23 ;;
	exchange_if_equal \size, acq
	rum 2 ;;
	result "cmpxchg\size \order", r23
	show "cmpxchg\size leaves, \order", 1
	// One bit further up, it does not.
	setup
	movl r22=0xfedcba9876543210 ;;
	\mask ;;
	ld\size r23=[r20]
	movl r24=1<<(\size*8-1)<<1 ;;
	xor r23=r23,r24 ;;
	.if \size==8
	xor r23=1,r23 ;;
	.endif
	mov.m ar.ccv=r23 ;;
	exchange_if_equal \size, rel
	rum 2 ;;
	result "cmpxchg\size that fails \order", r23
	show "cmpxchg\size that fails leaves, \order", 1
	.endr
	.irp size, 4,8
	.irp increment, -16,-8,-4,-1,1,4,8,16
	setup
	;;
	\mask ;;
	fetch_and_add \size, \increment
	rum 2 ;;
	result "fetchadd\size \increment \order", r23
	show "fetchadd\size \increment leaves, \order", 1
	.endr
	.endr
	setup
	;;
	\mask ;;
	ld16 r22,ar.csd=[r20] ;;
	rum 2
	mov.m r23=ar.csd ;;
	result "ld16 \order", r22
	result "its ar.csd", r23
	setup
	movl r22=0x1122334455667788
	movl r23=0x99aabbccddeeff00 ;;
	mov.m ar.csd=r23 ;;
	\mask ;;
	st16 [r20]=r22,ar.csd ;;
	rum 2 ;;
	show "st16 \order", 2
	.irp offset, 0,8
	setup
	movl r22=0x1122334455667788
	movl r23=0x99aabbccddeeff00 ;;
	add r20=\offset,r20
	mov.m ar.csd=r23 ;;
	\mask ;;
	ld8 r23=[r20] ;;
	mov.m ar.ccv=r23 ;;
	cmp8xchg16.acq r23=[r20],r22,ar.csd,ar.ccv ;;
	rum 2 ;;
	result "cmp8xchg16 at \offset \order", r23
	show "cmp8xchg16 at \offset leaves, \order", 2
	.endr
	setup
	movl r22=0x1122334455667788 ;;
	mov.m ar.ccv=r22
	mov.m ar.csd=r22 ;;
	\mask ;;
	cmp8xchg16.rel r23=[r20],r22,ar.csd,ar.ccv ;;
	rum 2 ;;
	result "cmp8xchg16 that fails \order", r23
	show "cmp8xchg16 that fails leaves, \order", 2
	setup
	movl r22=0x1122334455667788 ;;
	mov ar.unat=r0
	\mask ;;
	st8.spill [r20]=r22 ;;
	ld8.fill r23=[r20] ;;
	rum 2 ;;
	result "st8.spill and ld8.fill \order", r23
	show "st8.spill leaves, \order", 1
	.endm

	.data
	.align 32
pattern: data1 0x80,0x81,0x92,0xa3,0xb4,0xc5,0xd6,0xe7
	data1 0x3f,0xf0,0x01,0x02,0x03,0x04,0xf0,0xbf
	data1 0x7f,0x80,0x00,0x01,0x01,0x00,0x80,0x7f
	data1 0xff,0xff,0x00,0x00,0x00,0x00,0xff,0xff
scratch: .skip 64

	.text
_start:
	begin
	loads "little-endian", rum 2
	loads "big-endian", sum 2

	// Stores in one order read in the other, and the pieces of a store.
	setup
	movl r22=0x0102030405060708 ;;
	st8 [r20]=r22
	sum 2 ;;
	ld8 r23=[r20]
	ld2 r24=[r20] ;;
	rum 2 ;;
	result "little-endian store, big-endian load", r23
	result "and its first two bytes", r24

	// Post-increments: the ends of the immediates, a register, the base after a store.
	.irp increment, 255,-256,0
	setup
	;;
	ld1 r22=[r20],\increment ;;
	movl r23=scratch ;;
	sub r20=r20,r23 ;;
	result "ld1 moves its base by \increment", r20
	setup
	;;
	st1 [r20]=r0,\increment ;;
	movl r23=scratch ;;
	sub r20=r20,r23 ;;
	result "st1 moves its base by \increment", r20
	setup
	;;
	ldfs f20=[r20],\increment ;;
	movl r23=scratch ;;
	sub r20=r20,r23 ;;
	result "ldfs moves its base by \increment", r20
	setup
	;;
	stfs [r20]=f0,\increment ;;
	movl r23=scratch ;;
	sub r20=r20,r23 ;;
	result "stfs moves its base by \increment", r20
	.endr
	.irp form, s,d,8
	setup
	;;
	.ifc \form,s
	ldfps f20,f21=[r20],8 ;;
	.else
	ldfp\form f20,f21=[r20],16 ;;
	.endif
	movl r23=scratch ;;
	sub r20=r20,r23 ;;
	result "ldfp\form moves its base by", r20
	.endr
	setup
	movl r22=0x123456789 ;;
	ld4 r23=[r20],r22 ;;
	movl r23=scratch ;;
	sub r20=r20,r23 ;;
	result "ld4 moves its base by a register", r20
	setup
	;;
	ld8 r23=[r20],r20 ;;
	movl r23=scratch ;;
	sub r20=r20,r23 ;;
	sub r20=r20,r23 ;;
	result "ld8 moves its base by itself", r20

	// Formats of floating point in memory: denormal, infinity, NaN, -0.
	.macro single value
	setup
	movl r22=\value ;;
	st4 [r20]=r22 ;;
	ldfs f20=[r20] ;;
	fresult "ldfs of \value", f20
	stfs [r20]=f20 ;;
	ld4 r22=[r20] ;;
	result "stfs of it", r22
	setf.s f20=r22 ;;
	getf.s r22=f20 ;;
	result "setf.s and getf.s of it", r22
	.endm
	.macro double value
	setup
	movl r22=\value ;;
	st8 [r20]=r22 ;;
	ldfd f20=[r20] ;;
	fresult "ldfd of \value", f20
	stfd [r20]=f20 ;;
	ld8 r22=[r20] ;;
	result "stfd of it", r22
	setf.d f20=r22 ;;
	getf.d r22=f20 ;;
	result "setf.d and getf.d of it", r22
	.endm
	.irp value, 0,0x80000000,1,0x807fffff,0x00800000,0x7f7fffff,0x7f800000,0xff800000,0x7fc00000,0x7f800001,0xff812345,0x3f800000
	single \value
	.endr
	.irp value, 0,0x8000000000000000,1,0x800fffffffffffff,0x0010000000000000,0x7fefffffffffffff,0x7ff0000000000000,0xfff0000000000000,0x7ff8000000000000,0x7ff0000000000001,0x3ff0000000000000
	double \value
	.endr

	// Registers that single and double do not have: stores take bits, they do not round.
	.macro narrow exponent, significand
	fput f20, \exponent, \significand
	setup
	;;
	stfs [r20]=f20 ;;
	ld4 r22=[r20] ;;
	result "stfs of \exponent \significand", r22
	stfd [r20]=f20 ;;
	ld8 r22=[r20] ;;
	result "stfd of it", r22
	getf.s r22=f20
	getf.d r23=f20 ;;
	result "getf.s of it", r22
	result "getf.d of it", r23
	stfe [r20]=f20 ;;
	ld8 r22=[r20],8 ;;
	ld2 r23=[r20],-8 ;;
	mov r24=r23 ;;
	result "stfe of it, low", r22
	result "stfe of it, high", r24
	ldfe f21=[r20] ;;
	fresult "ldfe of that", f21
	.endm
	narrow 0xffff, 0xffffffffffffffff
	narrow 0x1003e, 0x8000000000000001
	narrow 0x2ff81, 0x4000000000000000
	narrow 0x1fffe, 0x8000000000000000
	narrow 0xc001, 0x8000000000000000
	narrow 0x0, 0x8000000000000000
	narrow 0x0, 0x0000000000000001
	narrow 0x3ffff, 0xc000000000000000
	br.few finish ;;
