// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <syn123.h>

// The encodings stand in fmt123.h, which libmpg123's header includes too: Swift sees them in one module alone.
static const int earshot_encoding_float32 = MPG123_ENC_FLOAT_32;
