// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <syn123.h>

// fmt123.h defines the encodings, and libmpg123's header includes it, too; Swift sees them in only one of the modules.
static const int earshot_encoding_float32 = MPG123_ENC_FLOAT_32;
