#pragma once
#define __BIG_ENDIAN 4321
#define __BYTE_ORDER __BIG_ENDIAN
