// SPDX-License-Identifier: GPL-3.0-or-later
#include "CEngineBaseline.h"
#include <math.h>
#include <string.h>

void baseline_mix(const float *const *sources, const float *lefts, const float *rights, int inputs,
                  float *restrict output, int frames) {
    memset(output, 0, (size_t)frames * 2 * sizeof *output);
    for (int input = 0; input < inputs; input++) {
        const float *restrict source = sources[input];
        float const left = lefts[input], right = rights[input];
        for (int frame = 0; frame < frames; frame++) {
            output[2 * frame] += source[frame] * left;
            output[2 * frame + 1] += source[frame] * right;
        }
    }
}

void baseline_meter(const float *samples, int frames, float *peaks, double *squares) {
    for (int channel = 0; channel < 2; channel++) {
        float peak = 0;
        double sum = 0;
        for (int frame = 0; frame < frames; frame++) {
            float const sample = samples[2 * frame + channel];
            peak = fmaxf(peak, fabsf(sample));
            sum += (double)sample * sample;
        }
        peaks[channel] = peak;
        squares[channel] = sum;
    }
}
