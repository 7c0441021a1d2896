// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef C_VOICE_BASELINE_H
#define C_VOICE_BASELINE_H

// A looping voice, and nothing a sampler needs beside it.
struct baseline_voice {
    const float *samples;
    int channels, frames, position;
    float left, right;
};

// Mixes interleaved stereo.
void baseline_mix(struct baseline_voice *voices, int count, float *output, int frames);

// Has SDL2_mixer mix `count` looping stereo voices of `frames` frames as fast as it can, until `seconds` of processor
// time are used.
// Returns processor seconds per second of sound, less than 0 where the library is not installed.
double baseline_sdl(const float *samples, int frames, int count, double seconds);

// Bytes the process has allocated.
long baseline_allocated(void);

#endif
