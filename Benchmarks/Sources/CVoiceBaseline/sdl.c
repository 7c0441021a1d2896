// SPDX-License-Identifier: GPL-3.0-or-later
// SDL2_mixer, loaded at run time so that the build does not need it. The declarations follow its ABI.
#include "CVoiceBaseline.h"
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { rate = 48000, format_f32 = 0x8120, init_audio = 0x10, volume = 64 };

static atomic_long mixed;

static void count_bytes(void *context, uint8_t *stream, int length) {
    (void)context;
    (void)stream;
    atomic_fetch_add(&mixed, length);
}

static double processor_seconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return time.tv_sec + time.tv_nsec * 1e-9;
}

static double run(double seconds) {
    const struct timespec pause = {0, 1000000};
    long before = atomic_load(&mixed);
    double start = processor_seconds(), used = 0;
    while ((used = processor_seconds() - start) < seconds) nanosleep(&pause, NULL);
    double sound = (double)(atomic_load(&mixed) - before) / (rate * 2 * sizeof(float));
    return sound > 0 ? used / sound : -1;
}

double baseline_sdl(const float *samples, int frames, int count, double seconds) {
    // Use the driver that writes to a file, without its pauses.
    setenv("SDL_AUDIODRIVER", "disk", 1);
    setenv("SDL_DISKAUDIOFILE", "/dev/null", 1);
    setenv("SDL_DISKAUDIODELAY", "0", 1);
    void *sdl = dlopen("libSDL2-2.0.so.0", RTLD_NOW), *mixer = dlopen("libSDL2_mixer-2.0.so.0", RTLD_NOW);
    if (!sdl || !mixer) return -1;
    int (*init)(uint32_t) = dlsym(sdl, "SDL_Init");
    int (*open)(int, uint16_t, int, int) = dlsym(mixer, "Mix_OpenAudio");
    int (*allocate)(int) = dlsym(mixer, "Mix_AllocateChannels");
    void *(*load)(uint8_t *, uint32_t) = dlsym(mixer, "Mix_QuickLoad_RAW");
    int (*set_volume)(int, int) = dlsym(mixer, "Mix_Volume");
    int (*play)(int, void *, int, int) = dlsym(mixer, "Mix_PlayChannelTimed");
    void (*post)(void (*)(void *, uint8_t *, int), void *) = dlsym(mixer, "Mix_SetPostMix");
    void (*close)(void) = dlsym(mixer, "Mix_CloseAudio");
    if (!init || !open || !allocate || !load || !set_volume || !play || !post || !close) return -1;
    if (init(init_audio) != 0 || open(rate, format_f32, 2, 512) != 0) return -1;
    allocate(count);
    void *chunk = load((uint8_t *)samples, (uint32_t)(frames * 2 * sizeof(float)));
    for (int channel = 0; channel < count; channel++) {
        set_volume(channel, volume);
        play(channel, chunk, -1, -1);
    }
    post(count_bytes, NULL);
    double result = run(seconds);
    close();
    return result;
}
