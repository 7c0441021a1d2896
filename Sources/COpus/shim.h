// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <opus/opus_multistream.h>

// Swift cannot call functions with a variable number of arguments.
static inline int earshot_opus_set_gain(OpusMSDecoder *decoder, opus_int32 gain) {
    return opus_multistream_decoder_ctl(decoder, OPUS_SET_GAIN(gain));
}

static inline int earshot_opus_reset(OpusMSDecoder *decoder) {
    return opus_multistream_decoder_ctl(decoder, OPUS_RESET_STATE);
}
