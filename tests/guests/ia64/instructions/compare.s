// Compares: every type, with and without its predicate, of true, false and NaT; tbit, tnat; p0 as a target.
	.include "guest.inc"

	// p6 and p7 after a compare whose qp is p8, from p6 and p7 as they were.
	.macro cases name, op:vararg
	.irp before, 0x40,0x80
	mov pr=r0,-1
	mov r24=\before ;;
	or r24=r25,r24 ;;
	mov pr=r24,0xfffe ;;
	(p8)	\op ;;
	presult "\name, from \before", p6, p7
	.endr
	.endm

	// All types of one relation, with the predicate true and false. The relation holds for r20, r21.
	.macro types compare, yes, no
	.irp qp, 0x100,0
	mov r25=\qp ;;
	.irp type, ,.unc,.and,.or,.or.andcm
	cases "\compare\yes\type holds, qp \qp", \compare\yes\type p6,p7=r20,r21
	cases "\compare\no\type fails, qp \qp", \compare\no\type p6,p7=r20,r21
	cases "\compare\yes\type of NaT, qp \qp", \compare\yes\type p6,p7=r20,r23
	cases "\compare\no\type of NaT, qp \qp", \compare\no\type p6,p7=r23,r21
	.endr
	.endr
	.endm

	// The relations that only unparalleled compares have, of two registers and of an immediate.
	.macro relations name
	.irp compare, cmp.,cmp4.
	.irp relation, eq,ne,lt,le,gt,ge,ltu,leu,gtu,geu
	\compare\relation p6,p7=r20,r21 ;;
	presult "\compare\relation \name", p6, p7
	\compare\relation p6,p7=-1,r21 ;;
	presult "\compare\relation -1 and second of \name", p6, p7
	.endr
	.irp relation, eq.unc,ne.unc,lt.unc,le.unc,gt.unc,ge.unc,ltu.unc,leu.unc,gtu.unc,geu.unc
	\compare\relation p6,p7=5,r20 ;;
	presult "\compare\relation 5 and first of \name", p6, p7
	.endr
	.endr
	.endm

	// r0 and a register.
	.macro zero name
	.irp compare, cmp.,cmp4.
	.irp relation, lt,le,gt,ge,eq,ne
	.irp type, .and,.or,.or.andcm
	mov r25=0x100 ;;
	cases "\compare\relation\type r0, \name", \compare\relation\type p6,p7=r0,r20
	.endr
	.endr
	.endr
	.endm

	.macro bits name
	.irp qp, 0x100,0
	mov r25=\qp ;;
	.irp sense, z,nz
	.irp type, ,.unc,.and,.or,.or.andcm
	.irp bit, 0,63
	cases "tbit.\sense\type \bit \name, qp \qp", tbit.\sense\type p6,p7=r20,\bit
	.endr
	cases "tnat.\sense\type \name, qp \qp", tnat.\sense\type p6,p7=r20
	.endr
	.endr
	.endr
	.endm

_start:
	begin
	nat r23
	put r20, 5
	put r21, 5
	types cmp., eq, ne
	types cmp4., eq, ne

	put r20, 0xffffffff00000005	// the same word
	put r21, 0x0000000000000005
	relations "words alike"
	put r20, 0x8000000000000000
	put r21, 0x7fffffffffffffff
	relations "sign and largest"
	put r20, 0x0000000080000000
	put r21, 0x000000007fffffff
	relations "word's sign and largest"
	put r20, -1
	put r21, 0xffffffff
	relations "ones and a word of ones"

	put r20, 0
	zero "0"
	put r20, -1
	zero "-1"
	put r20, 1
	zero "1"
	put r20, 0x100000000
	zero "2^32"
	put r20, 0x80000000
	zero "2^31"
	mov r20=r23
	zero "NaT"

	put r20, 1
	bits "of 1"
	put r20, 0x8000000000000000
	bits "of sign"
	mov r20=r23
	bits "of NaT"

	// A target p0 is ignored, and p0 stays 1.
	put r20, 1
	cmp.eq p0,p6=r20,r20
	cmp.eq p7,p0=r20,r0 ;;
	presult "p0 as a target", p6, p7
	cmp.ne.unc p0,p6=r20,r20
	cmp.ne.and p0,p8=r20,r20 ;;
	presult "p0 stays", p0, p6

	// Parallel compares of a group may write one predicate: and clears, or sets.
	mov pr=r0,-1
	mov r20=3 ;;
	cmp.eq p6,p7=r0,r0 ;;
	cmp.eq.and p6,p0=3,r20
	cmp.eq.and p6,p0=4,r20
	cmp.eq.or p7,p0=4,r20
	cmp.eq.or p7,p0=3,r20 ;;
	presult "and, or of a group", p6, p7

	// A compare and the branch on it in a group.
	cmp.eq p6,p7=3,r20
	(p6)	br.cond.dptk.few 1f ;;
	mov r20=0 ;;
1:
	result "branch in the compare's group", r20
	br.few finish ;;
