// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <stddef.h>
#include <stdint.h>

/// Costs nothing, and prevents the compiler from vectorising the enclosing loop.
static inline void keep_scalar(void) { __asm__ volatile(""); }

// The vector operations in plain C; the compiler vectorises the loops if it can.
void c_multiply(float *samples, ptrdiff_t count, float gain);
void c_multiply_ramp(float *samples, ptrdiff_t frames, float start, float step);
void c_multiply_ramp_stereo(float *samples, ptrdiff_t frames, float start, float step);
void c_add(const float *source, float *target, ptrdiff_t count, float gain);
void c_add_ramp_stereo(const float *source, float *target, ptrdiff_t frames, float start, float step);
float c_peak(const float *samples, ptrdiff_t count);
double c_sum_of_squares(const float *samples, ptrdiff_t count);
ptrdiff_t c_clip_count(const float *samples, ptrdiff_t count);
void c_clip(float *samples, ptrdiff_t count);
void c_interleave(const float *left, const float *right, float *target, ptrdiff_t frames);
void c_deinterleave(const float *source, float *left, float *right, ptrdiff_t frames);
void c_reverse_stereo(float *samples, ptrdiff_t frames);
void c_int16_to_float(const int16_t *source, float *target, ptrdiff_t count);
void c_int32_to_float(const int32_t *source, float *target, ptrdiff_t count);
void c_float_to_int16(const float *source, int16_t *target, ptrdiff_t count);
void c_float_to_int32(const float *source, int32_t *target, ptrdiff_t count);

// The same operations of well-known libraries.
/// Reads 16-bit interleaved samples, big-endian or not, as floats with libsndfile from memory.
ptrdiff_t sndfile_read_floats(const void *bytes, ptrdiff_t frames, int channels, int big_endian, float *target);
/// Writes floats as 16-bit samples with libsndfile to memory, clipped.
ptrdiff_t sndfile_write_int16(const float *source, ptrdiff_t frames, int channels, void *bytes);
void syn_int16_to_float(const int16_t *source, float *target, ptrdiff_t count);
void syn_float_to_int16(const float *source, int16_t *target, ptrdiff_t count);
void syn_mix(const float *source, int sources, float *target, int targets, const double *matrix, ptrdiff_t frames);

/// libsyn123's resampler, called directly.
void *syn_resampler(int from, int to, int channels);
ptrdiff_t syn_resample(void *resampler, const float *source, float *target, ptrdiff_t frames);
void syn_resampler_free(void *resampler);
