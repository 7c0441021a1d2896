// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <stdint.h>

/// Reads all of a file as interleaved floats by libsndfile, block by block, and copies each block to another place, as
/// a player does. Returns the frames read, or -1.
int64_t sndfile_read_all(const char *path, int64_t frames_per_block);
/// The same for MP3 by libmpg123, which reads the file and trims by itself.
int64_t mpg123_read_all(const char *path, int64_t frames_per_block);
/// Seeks to each of these frames in turn and reads a block there, by libsndfile. Returns the frames read, or -1.
int64_t sndfile_seek_all(const char *path, const int64_t *frames, int count, int64_t frames_per_block);
