// SPDX-License-Identifier: GPL-3.0-or-later
#include "baseline.h"
#include <math.h>

void c_multiply(float *samples, ptrdiff_t count, float gain) {
    for (ptrdiff_t i = 0; i < count; i++) samples[i] *= gain;
}

void c_multiply_ramp(float *samples, ptrdiff_t frames, float start, float step) {
    for (int i = 0; i < (int)frames; i++) samples[i] *= start + step * (float)i;
}

void c_multiply_ramp_stereo(float *samples, ptrdiff_t frames, float start, float step) {
    for (int i = 0; i < (int)frames; i++) {
        float gain = start + step * (float)i;
        samples[2 * i] *= gain;
        samples[2 * i + 1] *= gain;
    }
}

void c_add(const float *source, float *target, ptrdiff_t count, float gain) {
    for (ptrdiff_t i = 0; i < count; i++) target[i] += source[i] * gain;
}

void c_add_ramp_stereo(const float *source, float *target, ptrdiff_t frames, float start, float step) {
    for (int i = 0; i < (int)frames; i++) {
        float gain = start + step * (float)i;
        target[2 * i] += source[2 * i] * gain;
        target[2 * i + 1] += source[2 * i + 1] * gain;
    }
}

float c_peak(const float *samples, ptrdiff_t count) {
    float peak = 0;
    for (ptrdiff_t i = 0; i < count; i++) {
        float magnitude = fabsf(samples[i]);
        peak = magnitude > peak ? magnitude : peak;
    }
    return peak;
}

double c_sum_of_squares(const float *samples, ptrdiff_t count) {
    double sum = 0;
    for (ptrdiff_t i = 0; i < count; i++) sum += (double)samples[i] * samples[i];
    return sum;
}

ptrdiff_t c_clip_count(const float *samples, ptrdiff_t count) {
    ptrdiff_t clipped = 0;
    for (ptrdiff_t i = 0; i < count; i++) clipped += !(fabsf(samples[i]) <= 1);
    return clipped;
}

void c_clip(float *samples, ptrdiff_t count) {
    for (ptrdiff_t i = 0; i < count; i++) {
        float sample = samples[i] == samples[i] ? samples[i] : 0;
        sample = sample > 1 ? 1 : sample;
        samples[i] = sample < -1 ? -1 : sample;
    }
}

void c_interleave(const float *left, const float *right, float *target, ptrdiff_t frames) {
    for (ptrdiff_t i = 0; i < frames; i++) {
        target[2 * i] = left[i];
        target[2 * i + 1] = right[i];
    }
}

void c_deinterleave(const float *source, float *left, float *right, ptrdiff_t frames) {
    for (ptrdiff_t i = 0; i < frames; i++) {
        left[i] = source[2 * i];
        right[i] = source[2 * i + 1];
    }
}

void c_reverse_stereo(float *samples, ptrdiff_t frames) {
    for (ptrdiff_t i = 0, j = frames - 1; i < j; i++, j--) {
        for (int c = 0; c < 2; c++) {
            float sample = samples[2 * i + c];
            samples[2 * i + c] = samples[2 * j + c];
            samples[2 * j + c] = sample;
        }
    }
}

void c_int16_to_float(const int16_t *source, float *target, ptrdiff_t count) {
    for (ptrdiff_t i = 0; i < count; i++) target[i] = source[i] * 0x1p-15f;
}

void c_int32_to_float(const int32_t *source, float *target, ptrdiff_t count) {
    for (ptrdiff_t i = 0; i < count; i++) target[i] = (float)source[i] * 0x1p-31f;
}

void c_float_to_int16(const float *source, int16_t *target, ptrdiff_t count) {
    for (ptrdiff_t i = 0; i < count; i++) {
        float scaled = source[i] * 0x1p15f;
        scaled = scaled == scaled ? scaled : 0;
        scaled = scaled > 32767 ? 32767 : scaled;
        target[i] = (int16_t)lrintf(scaled < -32768 ? -32768 : scaled);
    }
}

void c_float_to_int32(const float *source, int32_t *target, ptrdiff_t count) {
    for (ptrdiff_t i = 0; i < count; i++) {
        double scaled = source[i] * 0x1p31;
        scaled = scaled == scaled ? scaled : 0;
        scaled = scaled > 2147483647 ? 2147483647 : scaled;
        target[i] = (int32_t)lrint(scaled < -2147483648.0 ? -2147483648.0 : scaled);
    }
}
