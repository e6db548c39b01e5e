// What the state of a simulation is: the class, and how it goes through values.
#pragma once

#include "sim/state/archive_class.h"
#include "sim/state/archive_values.h"
