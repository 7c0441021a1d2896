// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// libxml2's headers pull in those of ICU, which clash with the ones Foundation carries: nothing here needs them.
#include <libxml/xmlversion.h>
#undef LIBXML_ICU_ENABLED
#include <libxml/parser.h>
