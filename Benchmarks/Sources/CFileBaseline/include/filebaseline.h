// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <stdint.h>

/// Reads a whole file as interleaved floats with libsndfile, block by block, and copies each block, as a player does.
/// Returns the number of frames read, or -1.
int64_t sndfile_read_all(const char *path, int64_t frames_per_block);
/// Does the same for MP3 with libmpg123, which reads the file and trims it.
int64_t mpg123_read_all(const char *path, int64_t frames_per_block);
/// Seeks to each of these frames in turn and reads a block there with libsndfile. Returns the number of frames read,
/// or -1.
int64_t sndfile_seek_all(const char *path, const int64_t *frames, int count, int64_t frames_per_block);
