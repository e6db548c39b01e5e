// Floating point: precisions, ranges, rounding, status fields and their flags, special operands, approximations.
	.include "guest.inc"

	// Sets the controls of sf1 to sf3 and all flags to 0: ftz 1, wre 2, pc 0, 8 or 12, rc 0, 16, 32 or 48, td 64.
	.macro status sf0, sf1, sf2, sf3
	movl r3=0x3f|(\sf0)<<6|(\sf1)<<19|(\sf2)<<32|(\sf3)<<45 ;;
	mov.m ar.fpsr=r3 ;;
	.endm

	// f10 and the flags of all fields (i u o z d v) after one instruction.
	.macro float name, op:vararg
	fmerge.s f10=f0,f0 ;;
	\op ;;
	fresult "\name", f10
	mov.m r20=ar.fpsr
	fclrf.s0
	fclrf.s1
	fclrf.s2
	fclrf.s3 ;;
	result "\name: fpsr", r20
	.endm

	// All precisions of f20 * f21 + f22 in a field of each kind.
	.macro precisions name
	.irp op, fma.s0,fma.s.s0,fma.d.s0,fma.s1,fma.s.s1,fma.d.s1,fms.d.s2,fnma.s.s3
	float "\op \name", \op f10=f20,f21,f22
	.endr
	.endm

	.macro roundings name
	.irp rounding, 0,16,32,48
	status 12+\rounding, 2+12+\rounding, 8+\rounding, 0+\rounding
	precisions "rc \rounding \name"
	float "fma.s2 rc \rounding \name", fma.s2 f10=f20,f21,f22
	float "fma.s3 rc \rounding \name", fma.s3 f10=f20,f21,f22
	.endr
	status 13, 15, 9, 1
	precisions "ftz \name"
	.endm

	.macro compare relation, name
	fcmp.\relation\().s0 p6,p7=f20,f21 ;;
	presult "fcmp.\relation \name", p6, p7
	mov.m r20=ar.fpsr
	fclrf.s0 ;;
	result "fcmp.\relation \name: fpsr", r20
	.endm

	.macro pair name
	.irp op, fadd.s0,fsub.d.s0,fmpy.s.s0,fmin.s0,fmax.s0,famin.s0,famax.s0,fmerge.s,fmerge.ns,fmerge.se,fpack,fmix.lr,fswap,fand,for,fxor,fandcm
	float "\op \name", \op f10=f20,f21
	.endr
	.irp relation, eq,lt,le,unord,neq,nlt,nle,ord,gt,ge
	compare \relation, "\name"
	.endr
	cmp.eq p6,p7=r0,r0 ;;
	frcpa.s0 f10,p6=f20,f21 ;;
	fresult "frcpa \name", f10
	presult "frcpa \name: predicate", p6, p7
	mov.m r20=ar.fpsr
	fclrf.s0 ;;
	result "frcpa \name: fpsr", r20
	float "xma.l \name", xma.l f10=f20,f21,f22
	float "xma.hu \name", xma.hu f10=f20,f21,f22
	float "xma.h \name", xma.h f10=f20,f21,f22
	.endm

	.macro single_operand name
	.irp op, fnorm.s0,fnorm.s.s0,fnorm.d.s0,fabs,fneg,fnegabs,fcvt.fx.s0,fcvt.fx.trunc.s0,fcvt.fxu.s0,fcvt.fxu.trunc.s0,fcvt.xf,fcvt.xuf.s0
	float "\op \name", \op f10=f20
	.endr
	.irp form, s,d,exp,sig
	getf.\form r20=f20 ;;
	result "getf.\form \name", r20
	.endr
	.irp mask, @qnan,@snan,@inf,@norm,@unorm,@zero,@pos,@neg,0x1ff
	fclass.m p6,p7=f20,\mask ;;
	presult "fclass \mask \name", p6, p7
	.endr
	cmp.eq p6,p7=r0,r0 ;;
	frsqrta.s0 f10,p6=f20 ;;
	fresult "frsqrta \name", f10
	presult "frsqrta \name: predicate", p6, p7
	mov.m r20=ar.fpsr
	fclrf.s0 ;;
	result "frsqrta \name: fpsr", r20
	.endm

_start:
	begin
	// Products that need rounding, at the middle, beside it, and at the ends of the ranges.
	fput f20, 0xffff, 0x8000010000000001
	fput f21, 0xffff, 0xffffff7fffffffff
	fput f22, 0x0ffb0, 0x8000000000000000
	roundings "inexact"
	fput f20, 0x2ffff, 0x8000008000000000
	fmerge.s f21=f1,f1
	fput f22, 0, 0
	roundings "half of a single's last place"
	fput f20, 0xffff, 0x8000018000000000
	roundings "half, odd"
	fput f20, 0x1007e, 0xffffffffffffffff
	roundings "single overflow"
	fput f20, 0x303fe, 0xffffffffffffffff
	roundings "double overflow"
	fput f20, 0x13fff, 0x8000000000000000
	roundings "extended overflow"
	fput f20, 0x1fffd, 0xffffffffffffffff
	fput f21, 0x10001, 0x8000000000000000
	roundings "register overflow"
	fput f20, 0xff80, 0xffffffc000000000
	fmerge.s f21=f1,f1 ;;
	roundings "tiny for single, exact and not"
	fput f20, 0xff70, 0xc000000000000000
	roundings "single denormal"
	fput f20, 0xff00, 0xc000000000000000
	roundings "below single's least"
	fput f20, 0x2fc00, 0xfffffffffffffc00
	roundings "tiny for double"
	fput f20, 0xc000, 0xffffffffffffffff
	roundings "tiny for extended"
	fput f20, 0x1, 0xc000000000000000
	fput f21, 0xfffe, 0x8000000000000001
	roundings "tiny for the register"
	fmerge.s f21=f1,f1
	fput f20, 0xffff, 0xc000000000000000
	fput f22, 0x2ffff, 0xc000000000000000
	roundings "a sum of zero"

	status 12, 78, 8, 0
	fput f20, 0xffff, 0xc000000000000000
	fput f21, 0x10000, 0xa000000000000000
	fput f22, 0x10001, 0x8000000000000000
	pair "1.5 and 2.5"
	fneg f21=f20 ;;
	pair "1.5 and -1.5"
	fmerge.s f21=f20,f20 ;;
	pair "equal"
	fmerge.s f20=f0,f0
	fneg f21=f0 ;;
	pair "0 and -0"
	fmerge.s f21=f1,f1 ;;
	pair "0 and 1"
	fmerge.s f20=f1,f1
	fmerge.s f21=f0,f0 ;;
	pair "1 and 0"
	fput f20, 0x1ffff, 0x8000000000000000
	fput f21, 0x3ffff, 0x8000000000000000
	pair "infinity and -infinity"
	fmerge.s f21=f0,f0 ;;
	pair "infinity and 0"
	fput f21, 0x1ffff, 0xc000000000000123
	pair "infinity and a quiet NaN"
	fput f20, 0x3ffff, 0x8000000000000456
	pair "a signaling NaN and a quiet one"
	fput f20, 0x1ffff, 0x4000000000000000
	pair "unsupported and a quiet NaN"
	fput f20, 0x0, 0x8000000000000000
	fput f21, 0xc001, 0x4000000000000000
	pair "pseudo-denormal and unnormal"
	fput f20, 0x0, 0x1
	fput f21, 0xffff, 0x8000000000000000
	pair "denormal and 1"
	fput f20, 0x1003e, 0xffffffffffffffff
	fput f21, 0x1003e, 0x8000000000000001
	fput f22, 0x1003e, 0xfffffffffffffffe
	pair "integers"

	.irp exponent, 0xffff,0x2fffe,0x3003d,0x1003e,0xff81,0xfc01,0xc001
	.irp significand, 0x8000000000000000,0xfffffffffffffc01
	fput f20, \exponent, \significand
	single_operand "\exponent \significand"
	.endr
	.endr
	.irp significand, 0,1,0x8000000000000000
	fput f20, 0, \significand
	single_operand "exponent 0, \significand"
	fput f20, 0x20000, \significand
	single_operand "exponent 0, negative, \significand"
	.endr
	.irp significand, 0x8000000000000000,0xc000000000000000,0x8000000000000001,0x4000000000000000,0
	fput f20, 0x1ffff, \significand
	single_operand "exponent 0x1ffff, \significand"
	.endr
	fput f20, 0x3ffff, 0x8000000000000000
	single_operand "-infinity"
	fput f20, 0x1003e, 0x0000000000000005
	single_operand "an unnormal 5"
	fput f20, 0xffff, 0x0000000000000000
	single_operand "a pseudo-zero"

	// All 256 entries of frcpa's table, and frsqrta's, summed with their index.
	.macro table op, exponent, operands:vararg
	mov r21=0
	mov r22=0 ;;
1:
	dep.z r24=r22,55,8
	movl r25=1<<63
	movl r26=\exponent ;;
	or r24=r24,r25
	setf.exp f20=r26 ;;
	setf.sig f21=r24 ;;
	fmerge.se f20=f20,f21 ;;
	\op f10,p6=\operands ;;
	getf.sig r24=f10
	getf.exp r25=f10 ;;
	shr.u r24=r24,53
	shl r21=r21,1 ;;
	add r21=r21,r24 ;;
	xor r21=r21,r25
	add r22=1,r22 ;;
	tbit.z p8,p0=r22,8
	dep r24=0,r22,0,5 ;;
	cmp.eq p9,p10=r24,r22 ;;
	(p10)	br.cond.dptk.few 2f ;;
	result "\op \exponent, 32 entries", r21
2:
	(p8)	br.cond.sptk.few 1b ;;
	.endm
	table frcpa.s1, 0xffff, f1,f20
	table frsqrta.s1, 0xffff, f20
	table frsqrta.s1, 0x10000, f20

	// fsetc from sf0, fclrf, fchkf.
	status 12, 2, 64, 0
	fsetc.s1 0x7f,0x40 ;;
	mov.m r20=ar.fpsr ;;
	result "fsetc.s1 0x7f,0x40", r20
	fsetc.s2 0x43,0x38 ;;
	mov.m r20=ar.fpsr ;;
	result "fsetc.s2 0x43,0x38", r20
	fsetc.s0 0x7f,0x10 ;;
	mov.m r20=ar.fpsr ;;
	result "fsetc.s0 0x7f,0x10", r20
	.macro check label, sf
	mov r20=0 ;;
	fchkf.\sf 1f ;;
	mov r20=1 ;;
1:
	result "\label", r20
	.endm
	check "fchkf.s2 without flags", s2
	fput f20, 0x1ffff, 0x8000000000000000
	;;
	fsub.s2 f10=f20,f20 ;;
	check "fchkf.s2 after invalid", s2
	check "fchkf.s1 after it", s1
	fsub.s0 f10=f20,f20 ;;
	check "fchkf.s2 with the same flag in s0", s2
	fadd.s3 f10=f1,f0 ;;
	fclrf.s2 ;;
	mov.m r20=ar.fpsr ;;
	result "flags after fclrf.s2", r20
	cmp.ne p6,p7=r0,r0 ;;
	(p6)	fsub.s2 f10=f20,f20 ;;
	mov.m r20=ar.fpsr ;;
	result "flags after an invalid operation with a false predicate", r20

	// unc, and the predicates that frcpa and frsqrta clear without theirs.
	cmp.eq p8,p9=r0,r0 ;;
	(p6)	frcpa.s1 f10,p8=f1,f1 ;;
	presult "frcpa with a false predicate", p8, p9
	cmp.eq p8,p9=r0,r0 ;;
	(p6)	frsqrta.s1 f10,p8=f1 ;;
	presult "frsqrta with a false predicate", p8, p9
	cmp.eq p8,p9=r0,r0 ;;
	(p6)	fcmp.eq.unc.s1 p8,p9=f1,f1 ;;
	presult "fcmp.unc with a false predicate", p8, p9
	cmp.eq p8,p9=r0,r0 ;;
	(p6)	fclass.m.unc p8,p9=f1,0x1ff ;;
	presult "fclass.unc with a false predicate", p8, p9
	cmp.eq p8,p9=r0,r0 ;;
	(p6)	fcmp.eq.s1 p8,p9=f0,f1 ;;
	presult "fcmp with a false predicate", p8, p9

	// A pseudo-zero is 0, whatever its exponent; an integer 0 from setf.sig is one.
	status 12, 78, 78, 78
	setf.sig f20=r0
	fput f21, 0xff7f, 0x8000000000000000
	compare lt, "pseudo-zero and 2^-128"
	compare ge, "pseudo-zero and 2^-128"
	compare eq, "pseudo-zero and 2^-128"
	fcmp.eq.s0 p6,p7=f20,f0 ;;
	presult "fcmp.eq pseudo-zero and 0", p6, p7
	float "famin pseudo-zero and 2^-128", famin.s0 f10=f20,f21
	float "fmax pseudo-zero and 2^-128", fmax.s0 f10=f20,f21

	// A quotient by the sequence of Intel's guide for double precision: 1 / 3, and a square root of 2.
	status 12, 78, 78, 78
	mov r20=3 ;;
	setf.sig f7=r20 ;;
	fcvt.xf f7=f7
	fmerge.s f6=f1,f1 ;;
	frcpa.s0 f8,p6=f6,f7 ;;
	(p6)	fnma.s1 f9=f7,f8,f1
	(p6)	fmpy.s1 f10=f6,f8 ;;
	(p6)	fma.s1 f8=f9,f8,f8
	(p6)	fmpy.s1 f11=f9,f9 ;;
	(p6)	fma.s1 f10=f9,f10,f10 ;;
	(p6)	fma.s1 f8=f11,f8,f8
	(p6)	fma.s1 f10=f11,f10,f10
	(p6)	fmpy.s1 f9=f11,f11 ;;
	(p6)	fma.s1 f8=f9,f8,f8
	(p6)	fma.d.s1 f10=f9,f10,f10 ;;
	(p6)	fnma.d.s1 f6=f7,f10,f6 ;;
	(p6)	fma.d.s0 f8=f6,f8,f10 ;;
	getf.d r20=f8 ;;
	result "1 / 3", r20
	br.few finish ;;
