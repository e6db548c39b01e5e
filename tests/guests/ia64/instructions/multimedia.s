// Parallel integers, A9, A10, I1 to I8: all operations on operands that saturate, carry and lose bits.
	.include "guest.inc"

	.macro all name
	.irp op, padd1,padd1.sss,padd1.uuu,padd1.uus,padd2,padd2.sss,padd2.uuu,padd2.uus,padd4,psub1,psub1.sss,psub1.uuu,psub1.uus,psub2,psub2.sss,psub2.uuu,psub2.uus,psub4
	\op r22=r20,r21 ;;
	result "\op, \name", r22
	.endr
	.irp op, pavg1,pavg1.raz,pavg2,pavg2.raz,pavgsub1,pavgsub2,pcmp1.eq,pcmp1.gt,pcmp2.eq,pcmp2.gt,pcmp4.eq,pcmp4.gt,pmin1.u,pmax1.u,pmin2,pmax2,psad1
	\op r22=r20,r21 ;;
	result "\op, \name", r22
	.endr
	.irp op, mix1.l,mix1.r,mix2.l,mix2.r,mix4.l,mix4.r,unpack1.h,unpack1.l,unpack2.h,unpack2.l,unpack4.h,unpack4.l,pack2.sss,pack2.uss,pack4.sss,pmpy2.l,pmpy2.r
	\op r22=r20,r21 ;;
	result "\op, \name", r22
	.endr
	.irp count, 1,2,3
	pshladd2 r22=r20,\count,r21 ;;
	result "pshladd2 \count, \name", r22
	pshradd2 r22=r20,\count,r21 ;;
	result "pshradd2 \count, \name", r22
	.endr
	.irp count, 0,7,15,16
	pmpyshr2 r22=r20,r21,\count ;;
	result "pmpyshr2 \count, \name", r22
	pmpyshr2.u r22=r20,r21,\count ;;
	result "pmpyshr2.u \count, \name", r22
	.endr
	.irp op, @rev,@mix,@shuf,@alt,@brcst
	mux1 r22=r20,\op ;;
	result "mux1 \op, \name", r22
	.endr
	.irp permutation, 0x00,0x1b,0xe4,0xb1,0xff,0x27
	mux2 r22=r20,\permutation ;;
	result "mux2 \permutation, \name", r22
	.endr
	.irp count, 0,1,15,16,31
	.irp op, pshl2,pshl4,pshr2,pshr2.u,pshr4,pshr4.u
	\op r22=r20,\count ;;
	result "\op \count, \name", r22
	.endr
	.endr
	.endm

	// Counts in a register: all 64 bits of them count.
	.macro counts name
	.irp op, pshl2,pshl4,pshr2,pshr2.u,pshr4,pshr4.u
	\op r22=r20,r21 ;;
	result "\op by \name", r22
	.endr
	.endm

_start:
	begin
	put r20, 0x7fff80000001fffe
	put r21, 0x0001ffff7fff8001
	all "ends of halves"
	put r20, 0x7f8001fe807f00ff
	put r21, 0x01ff7f81ff017f80
	all "ends of bytes"
	put r20, 0x7fffffff80000000
	put r21, 0x8000000000000001
	all "ends of words"
	put r20, 0x0123456789abcdef
	put r21, 0xfedcba9876543210
	all "digits"
	put r20, -1
	put r21, -1
	all "ones"
	put r20, 0x8000800080008000
	put r21, 0x8000800080008000
	all "least halves"
	put r20, 0x00ff0100007fff80
	put r21, 0x00010002fffe7ffe
	all "sizes of bytes"

	put r20, 0x8123c567fedc7ba9
	.irp count, 0,1,15,16,17,31,32,33,63,64
	put r21, \count
	counts \count
	.endr
	put r21, 0x100000001
	counts "2^32 + 1"
	put r21, -1
	counts "-1"
	br.few finish ;;
