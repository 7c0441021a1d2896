// SPDX-License-Identifier: GPL-3.0-or-later
// Loads libFLAC for the first FLAC file. Between the versions 12 (FLAC 1.4) and 14 (FLAC 1.5) the decoder gained
// functions and values of enumerations; its structures did not change. So one program runs on Debian 12 and 13.
#include "Loading.h"
#include <FLAC/stream_decoder.h>

static const char *const library_names[] = {"libFLAC.so.12", "libFLAC.so.14", NULL};

FORWARD_OR(NULL, FLAC__StreamDecoder *, FLAC__stream_decoder_new, (void), ())
FORWARD(void, FLAC__stream_decoder_delete, (FLAC__StreamDecoder *decoder), (decoder))
FORWARD(FLAC__bool, FLAC__stream_decoder_flush, (FLAC__StreamDecoder *decoder), (decoder))
FORWARD(FLAC__bool, FLAC__stream_decoder_process_single, (FLAC__StreamDecoder *decoder), (decoder))
FORWARD(
    FLAC__bool, FLAC__stream_decoder_process_until_end_of_metadata, (FLAC__StreamDecoder *decoder), (decoder))
FORWARD(
    FLAC__StreamDecoderInitStatus, FLAC__stream_decoder_init_stream,
    (FLAC__StreamDecoder *decoder, FLAC__StreamDecoderReadCallback read, FLAC__StreamDecoderSeekCallback seek,
        FLAC__StreamDecoderTellCallback tell, FLAC__StreamDecoderLengthCallback length,
        FLAC__StreamDecoderEofCallback end, FLAC__StreamDecoderWriteCallback write,
        FLAC__StreamDecoderMetadataCallback metadata, FLAC__StreamDecoderErrorCallback error, void *context),
    (decoder, read, seek, tell, length, end, write, metadata, error, context))
