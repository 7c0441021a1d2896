// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <opus/opus.h>

// Swift cannot call functions with a variable number of arguments.

/// Lets the encoder analyze its input, which it does from complexity 7 on, and choose between its modes at a bit rate
/// between those of the modes. A narrow band costs the least time.
static inline int earshot_opus_analyze(OpusEncoder *encoder, opus_int32 bitrate) {
    int result = opus_encoder_ctl(encoder, OPUS_SET_COMPLEXITY(7));
    if (result == OPUS_OK) result = opus_encoder_ctl(encoder, OPUS_SET_BITRATE(bitrate));
    if (result == OPUS_OK) result = opus_encoder_ctl(encoder, OPUS_SET_MAX_BANDWIDTH(OPUS_BANDWIDTH_NARROWBAND));
    return result;
}
