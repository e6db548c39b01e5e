// NaT and NaTVal: where they come from, what they go through, what stops them; spills, fills, chk.s.
	.include "guest.inc"

	.macro through op, operands:vararg
	mov r22=0x55 ;;
	\op r22=\operands ;;
	result "\op \operands", r22
	.endm

	.macro float op, operands:vararg
	fmerge.s f10=f1,f1 ;;
	\op f10=\operands ;;
	fresult "\op \operands", f10
	.endm

	.macro check label, op, register
	mov r22=0 ;;
	\op \register, 1f ;;
	mov r22=1 ;;
1:
	result "\label", r22
	.endm

	.data
	.align 16
here:	data8 0x1122334455667788, 0x99aabbccddeeff00
spilled: .skip 1024

	.text
_start:
	begin
	movl r20=5
	nat r21
	natval f21 ;;
	fmerge.s f20=f1,f1

	// Every way into an ALU is a way out for NaT, whatever the value would be.
	.irp op, add,sub,and,andcm,or,xor,addp4,shl,shr,shr.u,padd1,padd2.uuu,psub4,pavg1,pavgsub2,pcmp2.eq,pmin2,psad1,mix1.l,unpack2.h,pack2.uss,pmpy2.l,pshl2,pshr4
	through \op, r20,r21
	through \op, r21,r20
	.endr
	through and, r0,r21
	through xor, r21,r21
	through sub, r21,r21
	.irp op, zxt1,sxt4,czx1.l,popcnt,mov
	through \op, r21
	.endr
	through shladd, r20,1,r21
	through shladd, r21,4,r20
	through shladdp4, r21,4,r20
	through shrp, r20,r21,0
	through shrp, r21,r20,63
	through extr, r21,0,1
	through extr.u, r21,63,1
	through dep, r20,r21,0,16
	through dep, r21,r20,0,16
	through dep.z, r21,0,16
	through dep, -1,r21,0,16
	through sub, 5,r21
	through and, 0,r21
	through adds, 0,r21
	through addp4, 1,r21
	through mux1, r21,@brcst
	through mux2, r21,0
	through pmpyshr2, r20,r21,0
	through pshladd2, r20,1,r21

	// Instructions without sources, and loads, leave no NaT behind.
	mov r22=r21 ;;
	mov r22=7 ;;
	result "mov immediate", r22
	mov r22=r21 ;;
	movl r22=0x123456789abcdef ;;
	result "movl", r22
	mov r22=r21
	movl r23=here ;;
	ld8 r22=[r23] ;;
	result "ld8", r22
	ld8.s r22=[r23] ;;
	result "ld8.s of memory that is there", r22
	mov r22=r21 ;;
	getf.sig r22=f1 ;;
	result "getf.sig", r22
	mov r22=r21 ;;
	mov r22=pr ;;
	shl r22=r22,63 ;;
	result "mov from pr", r22
	mov r22=r21 ;;
	mov.i r22=ar.lc ;;
	result "mov from ar.lc", r22

	// A false predicate keeps the NaT and makes none.
	mov r22=r21
	cmp.ne p6,p0=r0,r0 ;;
	(p6)	mov r22=7 ;;
	result "mov with a false predicate", r22
	mov r22=9 ;;
	(p6)	add r22=r21,r20 ;;
	result "add of NaT with a false predicate", r22

	// ld.s of what is not there, of a NaT base; the base moves on, and a NaT increment makes it NaT.
	mov r23=0 ;;
	ld4.s r22=[r23],8 ;;
	result "ld4.s of page 0", r22
	result "its base", r23
	mov r23=r21 ;;
	ld4.s r22=[r23],8 ;;
	result "ld4.s of a NaT base", r22
	result "its base, too", r23
	movl r23=here ;;
	ld4.s r22=[r23],r21 ;;
	result "ld4.s and a NaT increment", r22
	result "its base after a NaT increment", r23
	movl r23=here ;;
	ld8.s r22=[r23],r20 ;;
	movl r24=here ;;
	sub r23=r23,r24
	result "ld8.s moves its base by", r23

	// lfetch never faults; its base moves.
	mov r23=64 ;;
	lfetch [r23],16 ;;
	result "lfetch of page 0 moves its base to", r23
	mov r23=r21 ;;
	lfetch [r23],16 ;;
	result "lfetch of NaT keeps it", r23

	// Spill and fill: the bit of ar.unat is the address's bits 3 to 8.
	mov ar.unat=r0
	movl r23=spilled ;;
	st8.spill [r23]=r21 ;;
	mov r24=ar.unat
	extr.u r25=r23,3,6 ;;
	shr.u r24=r24,r25 ;;
	result "ar.unat after a spill of NaT, from its bit", r24
	ld8.fill r22=[r23] ;;
	result "ld8.fill of it", r22
	ld8 r22=[r23] ;;
	cmp.eq p6,p7=r22,r22 ;;
	presult "ld8 of it is none", p6, p7
	add r26=512,r23 ;;
	ld8.fill r22=[r26] ;;
	result "ld8.fill 512 bytes further", r22
	add r26=8,r23 ;;
	ld8.fill r22=[r26] ;;
	result "ld8.fill of the next word", r22
	st8.spill [r26]=r20 ;;
	mov r24=ar.unat ;;
	shr.u r24=r24,r25 ;;
	result "ar.unat after a spill of 5 beside it", r24
	st8.spill [r23]=r20 ;;
	mov r24=ar.unat ;;
	shr.u r24=r24,r25 ;;
	result "ar.unat after a spill of 5 upon it", r24

	// Between the files.
	.irp form, s,d,exp,sig
	setf.\form f10=r21 ;;
	fresult "setf.\form of NaT", f10
	getf.\form r22=f21 ;;
	result "getf.\form of NaTVal", r22
	.endr

	// NaTVal through floating point.
	.irp op, fadd.s1,fsub.d.s1,fmpy.s1
	float \op, f20,f21
	float \op, f21,f20
	.endr
	.irp op, fmin.s1,famax.s1,fmerge.s,fmerge.ns,fmerge.se,fand,fxor,fandcm,for,fpack,fswap,fswap.nl,fmix.lr,fmix.l,fsxt.l,fpmerge.s,fpmin.s1,fpamax.s1,fpcmp.eq.s1
	float \op, f20,f21
	float \op, f21,f20
	.endr
	.irp op, fnorm.s1,fabs,fneg,fcvt.xf,fcvt.fx.s1,fcvt.fxu.trunc.s1,fcvt.xuf.s1,fpcvt.fx.s1,fpabs,fpneg
	float \op, f21
	.endr
	float fma.s1, f20,f20,f21
	float fma.s1, f21,f20,f20
	float fnma.s1, f20,f21,f0
	float fpma.s1, f20,f20,f21
	float xma.l, f20,f21,f20
	float xma.hu, f21,f20,f0
	float fselect, f20,f20,f21
	float fselect, f21,f20,f20
	fmerge.s f10=f1,f1
	cmp.eq p6,p7=r0,r0 ;;
	frcpa.s1 f10,p6=f20,f21 ;;
	fresult "frcpa of NaTVal", f10
	presult "its predicate", p6, p7
	cmp.eq p6,p7=r0,r0 ;;
	frsqrta.s1 f10,p6=f21 ;;
	fresult "frsqrta of NaTVal", f10
	presult "its predicate", p6, p7
	cmp.eq p6,p7=r0,r0 ;;
	fcmp.eq.s1 p6,p7=f21,f20 ;;
	presult "fcmp.eq of NaTVal", p6, p7
	cmp.eq p6,p7=r0,r0 ;;
	fcmp.unord.s1 p6,p7=f20,f21 ;;
	presult "fcmp.unord of NaTVal", p6, p7
	cmp.eq p6,p7=r0,r0 ;;
	fclass.m p6,p7=f21,0x1ff ;;
	presult "fclass of NaTVal, all but @nat", p6, p7
	.irp mask, @nat,@nat|@qnan
	cmp.eq p6,p7=r0,r0 ;;
	fclass.m p6,p7=f21,\mask ;;
	presult "fclass \mask of NaTVal", p6, p7
	.endr

	// Floating-point loads, spilled and filled.
	ldfs.s f10=[r0] ;;
	fresult "ldfs.s of page 0", f10
	ldfe.s f10=[r0] ;;
	fresult "ldfe.s of page 0", f10
	ldfps.s f10,f11=[r0] ;;
	fresult "ldfps.s of page 0, first", f10
	fresult "ldfps.s of page 0, second", f11
	stf.spill [r23]=f21 ;;
	ldf.fill f10=[r23] ;;
	fresult "stf.spill and ldf.fill of NaTVal", f10
	ldf8 f10=[r23] ;;
	fresult "ldf8 of the spilled image", f10

	check "chk.s of NaT", chk.s, r21
	check "chk.s of 5", chk.s, r20
	check "chk.s of NaTVal", chk.s, f21
	check "chk.s of 1.0", chk.s, f20
	check "chk.s.m of NaT", chk.s.m, r21
	check "chk.s.i of NaT", chk.s.i, r21

	// Recovery: the load again, where it is.
	movl r23=here
	mov r22=r21 ;;
	chk.s r22, 2f ;;
1:
	result "chk.s and its recovery", r22
	br.few finish ;;
2:
	ld8 r22=[r23]
	br.few 1b ;;
