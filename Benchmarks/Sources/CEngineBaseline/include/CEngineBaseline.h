// SPDX-License-Identifier: GPL-3.0-or-later
// What a mixer costs in C: the same sums as Mixer's, in plain loops that the compiler vectorises at -O3.
#pragma once
#include "messages.h"
#include "scheduler.h"

/// Silences `frames` stereo frames of `output` and adds `inputs` mono sources, each times its own two gains.
void baseline_mix(const float *const *sources, const float *lefts, const float *rights, int inputs, float *output,
                  int frames);
/// The peak and the sum of squares of both channels of stereo frames, into two numbers each.
void baseline_meter(const float *samples, int frames, float *peaks, double *squares);
