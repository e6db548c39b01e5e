// The engine of any instruction set: the class, and all of its parts, which see the class alone.
#pragma once

#include "sim/engine/engine_accesses.h"
#include "sim/engine/engine_blocks.h"
#include "sim/engine/engine_calls.h"
#include "sim/engine/engine_class.h"
#include "sim/engine/engine_moments.h"
#include "sim/engine/engine_out_of_order.h"
#include "sim/engine/engine_setup.h"
#include "sim/engine/engine_state.h"
#include "sim/engine/engine_steps.h"
#include "sim/engine/engine_translated.h"
#include "sim/engine/engine_translations.h"
#include "sim/engine/engine_watch.h"
