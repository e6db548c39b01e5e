/* HP's names of what libgcc's soft-fp defines (GCC's gcc/config/pa/pa.cc and gcc/config/ia64/ia64.cc have them). */
#pragma once
#define __addtf3 _U_Qfadd
#define __subtf3 _U_Qfsub
#define __multf3 _U_Qfmpy
#define __divtf3 _U_Qfdiv
#define __extendsftf2 _U_Qfcnvff_sgl_to_quad
#define __extenddftf2 _U_Qfcnvff_dbl_to_quad
#define __extendxftf2 _U_Qfcnvff_f80_to_quad
#define __trunctfsf2 _U_Qfcnvff_quad_to_sgl
#define __trunctfdf2 _U_Qfcnvff_quad_to_dbl
#define __trunctfxf2 _U_Qfcnvff_quad_to_f80
#define __fixtfsi _hc_quad_to_int
#define __fixtfdi _U_Qfcnvfxt_quad_to_dbl
#define __floatsitf _U_Qfcnvxf_sgl_to_quad
#define __floatditf _U_Qfcnvxf_dbl_to_quad
/* Only for IA-64; for PA-RISC "HP only has signed conversion in the C library" (libgcc/config/pa/quadlib.c). */
#ifdef __ia64__
#define __fixunstfsi _U_Qfcnvfxut_quad_to_sgl
#define __fixunstfdi _U_Qfcnvfxut_quad_to_dbl
#define __floatunditf _U_Qfcnvxuf_dbl_to_quad
#else
#define __floatunditf _hc_unsigned_to_quad
#endif
