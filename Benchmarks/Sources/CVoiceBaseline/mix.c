// SPDX-License-Identifier: GPL-3.0-or-later
#include "CVoiceBaseline.h"
#include <malloc.h>
#include <string.h>

static void add_mono(const float *restrict source, float left, float right, float *restrict output, int frames) {
    for (int frame = 0; frame < frames; frame++) {
        output[2 * frame] += source[frame] * left;
        output[2 * frame + 1] += source[frame] * right;
    }
}

static void add_stereo(const float *restrict source, float left, float right, float *restrict output, int frames) {
    for (int frame = 0; frame < frames; frame++) {
        output[2 * frame] += source[2 * frame] * left;
        output[2 * frame + 1] += source[2 * frame + 1] * right;
    }
}

static void add(struct baseline_voice *voice, float *output, int frames) {
    while (frames > 0) {
        int count = voice->frames - voice->position;
        if (count > frames) count = frames;
        const float *source = voice->samples + voice->position * voice->channels;
        (voice->channels == 1 ? add_mono : add_stereo)(source, voice->left, voice->right, output, count);
        voice->position = (voice->position + count) % voice->frames;
        output += 2 * count;
        frames -= count;
    }
}

void baseline_mix(struct baseline_voice *voices, int count, float *output, int frames) {
    memset(output, 0, sizeof(float) * 2 * frames);
    for (int index = 0; index < count; index++) add(voices + index, output, frames);
}

long baseline_allocated(void) {
    struct mallinfo2 info = mallinfo2();
    return (long)(info.uordblks + info.hblkhd);
}
