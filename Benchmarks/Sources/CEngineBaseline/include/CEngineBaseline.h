// SPDX-License-Identifier: GPL-3.0-or-later
// A mixer in C: the same sums as Mixer's, in plain loops that the compiler vectorises at -O3.
#pragma once
#include "messages.h"
#include "scheduler.h"

/// Clears `frames` stereo frames of `output` and adds `inputs` mono sources, each with two gains.
void baseline_mix(const float *const *sources, const float *lefts, const float *rights, int inputs, float *output,
                  int frames);
/// Stores the peak and the sum of squares of both channels of stereo frames, two numbers each.
void baseline_meter(const float *samples, int frames, float *peaks, double *squares);
