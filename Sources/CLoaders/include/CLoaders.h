// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef EARSHOT_LOADERS_H
#define EARSHOT_LOADERS_H
// The files beside this folder define functions that the headers of libcurl, libFLAC and libxml2 declare.
#endif
