// Integer instructions of the formats A1 to A5 and I5, I7, I9 to I15, I25 and I29, at the ends of their ranges.
	.include "guest.inc"

	// One instruction on r20 and r21.
	.macro two label, op:vararg
	\op ;;
	result "\label", r22
	.endm

	.macro operands first, second
	put r20, \first
	put r21, \second
	.endm

	.macro arithmetic name
	two "add, \name", add r22=r20,r21
	two "add + 1, \name", add r22=r20,r21,1
	two "sub, \name", sub r22=r20,r21
	two "sub - 1, \name", sub r22=r20,r21,1
	two "and, \name", and r22=r20,r21
	two "andcm, \name", andcm r22=r20,r21
	two "or, \name", or r22=r20,r21
	two "xor, \name", xor r22=r20,r21
	two "addp4, \name", addp4 r22=r20,r21
	.irp count, 1,2,3,4
	two "shladd \count, \name", shladd r22=r20,\count,r21
	two "shladdp4 \count, \name", shladdp4 r22=r20,\count,r21
	.endr
	two "shl, \name", shl r22=r20,r21
	two "shr, \name", shr r22=r20,r21
	two "shr.u, \name", shr.u r22=r20,r21
	.irp count, 0,1,31,63
	two "shrp \count, \name", shrp r22=r20,r21,\count
	.endr
	two "dep 0 4, \name", dep r22=r20,r21,0,4
	two "dep 60 4, \name", dep r22=r20,r21,60,4
	two "dep 63 16, \name", dep r22=r20,r21,63,16
	two "dep 7 16, \name", dep r22=r20,r21,7,16
	.endm

	.macro one name
	.irp op, zxt1,zxt2,zxt4,sxt1,sxt2,sxt4,czx1.l,czx1.r,czx2.l,czx2.r,popcnt
	two "\op, \name", \op r22=r20
	.endr
	.irp immediate, 0,1,-1,127,-128
	two "sub \immediate, \name", sub r22=\immediate,r20
	two "and \immediate, \name", and r22=\immediate,r20
	two "andcm \immediate, \name", andcm r22=\immediate,r20
	two "or \immediate, \name", or r22=\immediate,r20
	two "xor \immediate, \name", xor r22=\immediate,r20
	.endr
	.irp immediate, 0,1,-1,8191,-8192
	two "adds \immediate, \name", adds r22=\immediate,r20
	two "addp4 \immediate, \name", addp4 r22=\immediate,r20
	.endr
	two "extr 0 1, \name", extr r22=r20,0,1
	two "extr.u 0 64, \name", extr.u r22=r20,0,64
	two "extr 31 33, \name", extr r22=r20,31,33
	two "extr.u 60 20, \name", extr.u r22=r20,60,20
	two "extr 60 20, \name", extr r22=r20,60,20
	two "extr.u 63 1, \name", extr.u r22=r20,63,1
	two "extr 63 1, \name", extr r22=r20,63,1
	two "dep.z 0 64, \name", dep.z r22=r20,0,64
	two "dep.z 63 1, \name", dep.z r22=r20,63,1
	two "dep.z 60 20, \name", dep.z r22=r20,60,20
	two "dep.z 20 9, \name", dep.z r22=r20,20,9
	two "dep 0 at 5 6, \name", dep r22=0,r20,5,6
	two "dep -1 at 5 6, \name", dep r22=-1,r20,5,6
	two "dep -1 at 63 9, \name", dep r22=-1,r20,63,9
	.endm

_start:
	begin
	operands 0x0123456789abcdef, 0xfedcba9876543210
	arithmetic "mixed"
	operands 0x8000000000000000, 64
	arithmetic "sign and 64"
	operands -1, 63
	arithmetic "ones and 63"
	operands 0x7fffffffffffffff, 1
	arithmetic "largest and 1"
	operands 0x00000000ffffffff, 0x00000000c0000001
	arithmetic "words"
	operands 0xfffffff880000001, 0x8000000000000000
	arithmetic "a count of 2^63"
	operands 0x1, 0x100000000
	arithmetic "a count of 2^32"

	put r20, 0
	one "0"
	put r20, -1
	one "ones"
	put r20, 0x80
	one "0x80"
	put r20, 0x8000000000000000
	one "sign"
	put r20, 0x1100ff80c000017f
	one "bytes"
	put r20, 0x00ff80ff00017fff
	one "halves"
	put r20, 0x00000000c0000000
	one "a pointer"

	.irp base, r0,r1,r2,r3
	mov r23=\base ;;
	addl r22=-0x200000,\base ;;
	sub r22=r22,r23 ;;
	result "addl to \base, least", r22
	mov r23=\base ;;
	addl r22=0x1fffff,\base ;;
	sub r22=r22,r23 ;;
	result "addl to \base, largest", r22
	.endr
	put r22, 0x8000000000000001
	result "movl", r22
	put r22, 0xfffffffffff7ffff
	result "movl, ones but one", r22
	.irp value, 127,-128,0
	dep.z r22=\value,60,8 ;;
	result "dep.z \value at 60 8", r22
	dep.z r22=\value,3,61 ;;
	result "dep.z \value at 3 61", r22
	.endr

	// ip is that of the bundle, whatever the slot.
1:
	{	.mii
	nop.m 0
	mov r20=ip
	nop.i 0 ;;
	}
2:
	{	.mii
	nop.m 0
	nop.i 0
	mov r21=ip ;;
	}
	sub r22=r21,r20 ;;
	result "from bundle to bundle", r22
	movl r23=1b ;;
	sub r22=r20,r23 ;;
	result "ip less the bundle's address", r22
	br.few finish ;;
