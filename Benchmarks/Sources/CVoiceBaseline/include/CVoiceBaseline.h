// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef C_VOICE_BASELINE_H
#define C_VOICE_BASELINE_H

// A looping voice, without the further state of a sampler.
struct baseline_voice {
    const float *samples;
    int channels, frames, position;
    float left, right;
};

// Mixes interleaved stereo.
void baseline_mix(struct baseline_voice *voices, int count, float *output, int frames);

// Makes SDL2_mixer mix `count` looping stereo voices of `frames` frames as fast as possible, until `seconds` of
// processor time are used. Returns processor seconds per second of audio, a negative number if the library is not
// installed.
double baseline_sdl(const float *samples, int frames, int count, double seconds);

// Returns the number of bytes that the process has allocated.
long baseline_allocated(void);

#endif
