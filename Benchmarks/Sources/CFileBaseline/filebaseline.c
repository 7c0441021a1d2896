// SPDX-License-Identifier: GPL-3.0-or-later
#include "filebaseline.h"
#include <mpg123.h>
#include <sndfile.h>
#include <stdlib.h>
#include <string.h>

static void give_up(SNDFILE *file, float *block) {
    if (file) sf_close(file);
    free(block);
}

int64_t sndfile_read_all(const char *path, int64_t frames_per_block) {
    SF_INFO info = {0};
    SNDFILE *file = sf_open(path, SFM_READ, &info);
    if (!file) return -1;
    size_t bytes = (size_t)(frames_per_block * info.channels) * sizeof(float);
    float *block = malloc(2 * bytes);
    int64_t frames = 0, count;
    while (block && (count = sf_readf_float(file, block, frames_per_block)) > 0) {
        memcpy(block + frames_per_block * info.channels, block, (size_t)(count * info.channels) * sizeof(float));
        frames += count;
    }
    give_up(file, block);
    return frames;
}

int64_t sndfile_seek_all(const char *path, const int64_t *places, int count, int64_t frames_per_block) {
    SF_INFO info = {0};
    SNDFILE *file = sf_open(path, SFM_READ, &info);
    if (!file) return -1;
    float *block = malloc((size_t)(frames_per_block * info.channels) * sizeof(float));
    int64_t frames = 0;
    for (int number = 0; block && number < count; number++) {
        sf_seek(file, places[number], SEEK_SET);
        frames += sf_readf_float(file, block, frames_per_block);
    }
    give_up(file, block);
    return frames;
}

int64_t mpg123_read_all(const char *path, int64_t frames_per_block) {
    long rate;
    int channels, encoding;
    mpg123_handle *handle = mpg123_new(NULL, NULL);
    if (!handle) return -1;
    mpg123_param2(handle, MPG123_ADD_FLAGS, MPG123_FORCE_FLOAT | MPG123_QUIET, 0);
    int64_t frames = -1;
    float *block = NULL;
    if (mpg123_open(handle, path) == MPG123_OK
        && mpg123_getformat(handle, &rate, &channels, &encoding) == MPG123_OK) {
        size_t bytes = (size_t)(frames_per_block * channels) * sizeof(float), done = 0;
        int code = MPG123_OK;
        block = malloc(2 * bytes);
        for (frames = 0; block && code == MPG123_OK; frames += (int64_t)(done / sizeof(float)) / channels) {
            code = mpg123_read(handle, block, bytes, &done);
            memcpy((char *)block + bytes, block, done);
        }
    }
    free(block);
    mpg123_delete(handle);
    return frames;
}
