// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Later versions call members of the parser deprecated for which they have no function.
#define XML_DEPRECATED
#define XML_DEPRECATED_MEMBER
#include <libxml/xmlversion.h>
// Otherwise the headers include those of the system's ICU, which conflict with the ICU of Foundation. Only the
// definition of encoding handlers depends on it, which are not used here.
#undef LIBXML_ICU_ENABLED
#include <libxml/HTMLparser.h>
#include <libxml/parser.h>
#include <libxml/xmlerror.h>
