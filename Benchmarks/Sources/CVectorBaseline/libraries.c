// SPDX-License-Identifier: GPL-3.0-or-later
#include "baseline.h"
#include <sndfile.h>
#include <string.h>
#include <syn123.h>

// A file in memory for libsndfile's virtual I/O.
typedef struct {
    char *bytes;
    sf_count_t length, place;
} Memory;

static sf_count_t length_of(void *memory) { return ((Memory *)memory)->length; }
static sf_count_t place_of(void *memory) { return ((Memory *)memory)->place; }

static sf_count_t seek_in(sf_count_t offset, int whence, void *memory) {
    Memory *file = memory;
    file->place = offset + (whence == SEEK_SET ? 0 : whence == SEEK_CUR ? file->place : file->length);
    return file->place;
}

static sf_count_t read_from(void *target, sf_count_t count, void *memory) {
    Memory *file = memory;
    if (count > file->length - file->place) count = file->length - file->place;
    memcpy(target, file->bytes + file->place, (size_t)count);
    file->place += count;
    return count;
}

static sf_count_t write_to(const void *source, sf_count_t count, void *memory) {
    Memory *file = memory;
    memcpy(file->bytes + file->place, source, (size_t)count);
    file->place += count;
    if (file->length < file->place) file->length = file->place;
    return count;
}

static SNDFILE *open_memory(Memory *memory, int mode, int channels, int endianness) {
    static SF_VIRTUAL_IO functions = {length_of, seek_in, read_from, write_to, place_of};
    SF_INFO info = {0};
    info.samplerate = 44100;
    info.channels = channels;
    info.format = SF_FORMAT_RAW | SF_FORMAT_PCM_16 | endianness;
    return sf_open_virtual(&functions, mode, &info, memory);
}

ptrdiff_t sndfile_read_floats(const void *bytes, ptrdiff_t frames, int channels, int big_endian, float *target) {
    Memory memory = {(char *)bytes, frames * channels * 2, 0};
    SNDFILE *file = open_memory(&memory, SFM_READ, channels, big_endian ? SF_ENDIAN_BIG : SF_ENDIAN_LITTLE);
    if (!file) return -1;
    sf_count_t read = sf_readf_float(file, target, frames);
    sf_close(file);
    return (ptrdiff_t)read;
}

ptrdiff_t sndfile_write_int16(const float *source, ptrdiff_t frames, int channels, void *bytes) {
    Memory memory = {bytes, 0, 0};
    SNDFILE *file = open_memory(&memory, SFM_WRITE, channels, SF_ENDIAN_LITTLE);
    if (!file) return -1;
    sf_command(file, SFC_SET_CLIPPING, NULL, SF_TRUE);
    sf_count_t written = sf_writef_float(file, source, frames);
    sf_close(file);
    return (ptrdiff_t)written;
}

void syn_int16_to_float(const int16_t *source, float *target, ptrdiff_t count) {
    syn123_conv(target, MPG123_ENC_FLOAT_32, (size_t)count * 4, (void *)source, MPG123_ENC_SIGNED_16,
                (size_t)count * 2, NULL, NULL, NULL);
}

void syn_float_to_int16(const float *source, int16_t *target, ptrdiff_t count) {
    syn123_conv(target, MPG123_ENC_SIGNED_16, (size_t)count * 2, (void *)source, MPG123_ENC_FLOAT_32,
                (size_t)count * 4, NULL, NULL, NULL);
}

void syn_mix(const float *source, int sources, float *target, int targets, const double *matrix, ptrdiff_t frames) {
    syn123_mix(target, MPG123_ENC_FLOAT_32, targets, (void *)source, MPG123_ENC_FLOAT_32, sources, matrix,
               (size_t)frames, 1, NULL, NULL);
}

void *syn_resampler(int from, int to, int channels) {
    syn123_handle *handle = syn123_new(from, channels, MPG123_ENC_FLOAT_32, 0, NULL);
    if (handle && syn123_setup_resample(handle, from, to, channels, 0, 0) == 0) return handle;
    syn123_del(handle);
    return NULL;
}

ptrdiff_t syn_resample(void *resampler, const float *source, float *target, ptrdiff_t frames) {
    return (ptrdiff_t)syn123_resample(resampler, target, (float *)source, (size_t)frames);
}

void syn_resampler_free(void *resampler) { syn123_del(resampler); }
