#pragma once
#include <wchar.h>
