// SPDX-License-Identifier: GPL-3.0-or-later

// The audio engine as one module, which exports the modules that it consists of.
@_exported public import AudioBuffers
@_exported public import AudioDecoding
@_exported public import AudioEngine
@_exported public import AudioFiles
@_exported public import AudioOutput
@_exported public import AudioProcessing
@_exported public import Media
