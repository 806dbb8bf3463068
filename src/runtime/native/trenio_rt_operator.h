// What a custom operator sees of the runtime and a compiled program does not: so that it changes without the programs.
#pragma once
#include "trenio_rt.h"

typedef struct {
  trenio_rt rt; // first: the runtime that a call gets is one of these
  // The operator that runs, for the line that a crash leaves; null while none does.
  const char *volatile doing;
} trenio_rt_operator;
