// What the Itanium 9500 added: mpy4, mpyshl4, clz, and tf to ask for them.
	.include "guest.inc"

	.macro product name, first, second
	put r20, \first
	put r21, \second
	mpy4 r22=r20,r21
	mpyshl4 r23=r20,r21 ;;
	result "mpy4 \name", r22
	result "mpyshl4 \name", r23
	mpyshl4 r24=r21,r20 ;;
	add r22=r22,r23 ;;
	add r22=r22,r24 ;;
	result "64-bit product \name", r22
	.endm

_start:
	begin
	product "of ones", -1, -1
	product "of digits", 0x0123456789abcdef, 0xfedcba9876543210
	product "of high words", 0xffffffff00000000, 0x0000000100000000
	product "of 2^31 and 2^32 - 1", 0x80000000, 0xffffffff
	product "of 0", 0, -1
	.irp value, 0,1,-1,0x8000000000000000,0x00000000ffffffff,0x0001000000000000
	put r20, \value
	clz r22=r20 ;;
	result "clz of \value", r22
	.endr
	nat r20
	clz r22=r20
	mpy4 r23=r20,r0
	mpyshl4 r24=r0,r20 ;;
	result "clz of NaT", r22
	result "mpy4 of NaT", r23
	result "mpyshl4 of NaT", r24
	.irp feature, 32,33
	.irp type, ,.unc,.and,.or,.or.andcm
	cmp.eq p6,p7=r0,r0 ;;
	tf.z\type p6,p7=\feature ;;
	presult "tf.z\type \feature from 10", p6, p7
	cmp.ne p6,p7=r0,r0 ;;
	tf.nz\type p6,p7=\feature ;;
	presult "tf.nz\type \feature from 01", p6, p7
	.endr
	.endr
	br.few finish ;;
