#ifndef BRIDGEHOST_CZLIB_H
#define BRIDGEHOST_CZLIB_H

#include <zlib.h>

// deflateInit2 is a macro that adds the version and the size of z_stream.
static inline int bh_deflate_init2(z_stream *stream, int level, int window_bits, int memory_level) {
    return deflateInit2(stream, level, Z_DEFLATED, window_bits, memory_level, Z_DEFAULT_STRATEGY);
}

static inline int bh_inflate_init2(z_stream *stream, int window_bits) {
    return inflateInit2(stream, window_bits);
}

#endif
