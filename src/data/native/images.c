// The inner loops of images: the scan of a baseline JPEG, its colors, and pixels as planes of numbers. Not the format of
// the file: jpeg-baseline.ts reads markers and tables, and checks all sizes before it calls this.
//
// Results are bit-identical to those of the same loops in TypeScript: integers wrap (-fwrapv), and the order of rounding is that
// of jpeg-js.
#include <stdint.h>
#include <string.h>

typedef int32_t v8 __attribute__((vector_size(32)));
typedef uint8_t b8 __attribute__((vector_size(8)));

// A row or column as eight lanes of each coefficient.
#define SQRT2 5793
#define SQRT1D2 2896
#define COS1 4017
#define SIN1 799
#define COS3 3406
#define SIN3 2276
#define COS6 1567
#define SIN6 3784

static inline void butterflies(v8 v0, v8 v1, v8 v2, v8 v3, v8 v4, v8 v7, v8 v5, v8 v6, int bits, v8 *p) {
  int32_t half = 1 << (bits - 1);
  v8 t = (v0 - v1 + 1) >> 1;
  v0 = (v0 + v1 + 1) >> 1;
  v1 = t;
  t = (v2 * SIN6 + v3 * COS6 + half) >> bits;
  v2 = (v2 * COS6 - v3 * SIN6 + half) >> bits;
  v3 = t;
  t = (v4 - v6 + 1) >> 1;
  v4 = (v4 + v6 + 1) >> 1;
  v6 = t;
  t = (v7 + v5 + 1) >> 1;
  v5 = (v7 - v5 + 1) >> 1;
  v7 = t;
  t = (v0 - v3 + 1) >> 1;
  v0 = (v0 + v3 + 1) >> 1;
  v3 = t;
  t = (v1 - v2 + 1) >> 1;
  v1 = (v1 + v2 + 1) >> 1;
  v2 = t;
  t = (v4 * SIN3 + v7 * COS3 + 2048) >> 12;
  v4 = (v4 * COS3 - v7 * SIN3 + 2048) >> 12;
  v7 = t;
  t = (v5 * SIN1 + v6 * COS1 + 2048) >> 12;
  v5 = (v5 * COS1 - v6 * SIN1 + 2048) >> 12;
  v6 = t;
  p[0] = v0 + v7;
  p[7] = v0 - v7;
  p[1] = v1 + v6;
  p[6] = v1 - v6;
  p[2] = v2 + v5;
  p[5] = v2 - v5;
  p[3] = v3 + v4;
  p[4] = v3 - v4;
}

static inline v8 choose(v8 mask, v8 yes, v8 no) { return (yes & mask) | (no & ~mask); }

// Coefficient k of row i is block[8 * k + i].
static inline void inverse(const int32_t *block, uint8_t *out, int64_t width) {
  v8 p[8], rows[8];
  memcpy(p, block, sizeof p);
  v8 flat = (p[1] | p[2] | p[3] | p[4] | p[5] | p[6] | p[7]) == 0;
  butterflies((SQRT2 * p[0] + 128) >> 8, (SQRT2 * p[4] + 128) >> 8, p[2], p[6], (SQRT1D2 * (p[1] - p[7]) + 128) >> 8,
              (SQRT1D2 * (p[1] + p[7]) + 128) >> 8, p[3] << 4, p[5] << 4, 8, rows);
  v8 only = (SQRT2 * p[0] + 512) >> 10;
  int32_t q[8][8];
  for (int k = 0; k < 8; k++) {
    v8 row = choose(flat, only, rows[k]);
    for (int i = 0; i < 8; i++) q[i][k] = row[i];
  }
  v8 c[8], columns[8];
  memcpy(c, q, sizeof c);
  flat = (c[1] | c[2] | c[3] | c[4] | c[5] | c[6] | c[7]) == 0;
  butterflies((SQRT2 * c[0] + 2048) >> 12, (SQRT2 * c[4] + 2048) >> 12, c[2], c[6],
              (SQRT1D2 * (c[1] - c[7]) + 2048) >> 12, (SQRT1D2 * (c[1] + c[7]) + 2048) >> 12, c[3], c[5], 12, columns);
  only = (SQRT2 * c[0] + 8192) >> 14;
  for (int y = 0; y < 8; y++) {
    v8 sample = 128 + ((choose(flat, only, columns[y]) + 8) >> 4);
    sample = choose(sample < 0, sample - sample, sample);
    sample = choose(sample > 255, sample - sample + 255, sample);
    b8 bytes = __builtin_convertvector(sample, b8);
    memcpy(out + y * width, &bytes, 8);
  }
}

static inline void fill_block(int32_t first, uint8_t *out, int64_t width) {
  int32_t row = (SQRT2 * first + 512) >> 10;
  int32_t sample = 128 + ((((SQRT2 * row + 8192) >> 14) + 8) >> 4);
  uint8_t value = sample < 0 ? 0 : sample > 255 ? 255 : sample;
  for (int y = 0; y < 8; y++) memset(out + y * width, value, 8);
}

enum { fast_bits = 9 };
typedef struct {
  const uint16_t *fast;
  const int32_t *end, *shift;
  const uint8_t *values;
} huffman;
typedef struct {
  int32_t h, v, width, last;
  uint8_t *samples;
  const int32_t *table;
  huffman dc, ac;
} plane;
typedef struct {
  const uint8_t *bytes;
  int64_t length, at;
  uint64_t bits;
  int32_t count;
  int64_t padding;
} reader;

// At least 32 bits. After a marker zeros follow, which must not be used.
static inline void fill(reader *r) {
  while (r->count <= 32) {
    uint32_t byte = 0;
    if (r->at >= r->length) r->padding += 8;
    else if (r->bytes[r->at] != 0xff) byte = r->bytes[r->at++];
    else if (r->at + 1 < r->length && r->bytes[r->at + 1] == 0) {
      byte = 0xff;
      r->at += 2;
    } else r->padding += 8;
    r->bits = r->bits << 8 | byte;
    r->count += 8;
  }
}

// -1 for bits that are not a valid code.
static inline int32_t symbol(reader *r, const huffman *table) {
  uint32_t found = table->fast[r->bits >> (r->count - fast_bits) & ((1 << fast_bits) - 1)];
  if (found != 0) {
    r->count -= found >> 8;
    return found & 255;
  }
  for (int length = fast_bits + 1; length <= 16; length++) {
    int32_t code = r->bits >> (r->count - length) & ((1 << length) - 1);
    if (code < table->end[length]) {
      r->count -= length;
      return table->values[(code + table->shift[length]) & 255];
    }
  }
  return -1;
}

static inline int32_t receive(reader *r, int length) {
  r->count -= length;
  int32_t n = r->bits >> r->count & ((1 << length) - 1);
  return n >= 1 << (length - 1) ? n : n - (1 << length) + 1;
}

// zig_zag: places in a block that is stored column by column.
static int decode_block(reader *r, plane *p, uint8_t *out, const uint8_t *zig_zag) {
  int32_t block[64];
  fill(r);
  int32_t t = symbol(r, &p->dc);
  if (t < 0 || t > 15) return 0;
  if (t != 0) p->last += receive(r, t);
  int32_t first = p->last * p->table[0];
  int is_flat = 1;
  for (int k = 1; k < 64; k++) {
    fill(r);
    int32_t rs = symbol(r, &p->ac);
    if (rs < 0) return 0;
    int32_t s = rs & 15;
    if (s == 0) {
      if (rs < 0xf0) break;
      k += 15;
      continue;
    }
    k += rs >> 4;
    if (k > 63) return 0;
    if (is_flat) {
      memset(block, 0, sizeof block);
      is_flat = 0;
    }
    block[zig_zag[k]] = receive(r, s) * p->table[k];
  }
  if (is_flat) fill_block(first, out, p->width);
  else {
    block[0] = first;
    inverse(block, out, p->width);
  }
  return 1;
}

enum { plane_words = 8 };
// Decodes all blocks. `shape`: for each plane h, v, width, the start of its samples and the numbers of its tables for DC and AC;
// `tables`: 64 factors a plane, in the order of the file. A Huffman table: 512 codes in `fast`, 17 words in `end` and `shift`,
// 256 bytes in `values`. Returns the place of the marker after the blocks, or -1.
int64_t trenio_jpeg_scan(const uint8_t *bytes, int64_t length, int64_t from, uint8_t *samples, const int32_t *shape,
                         int32_t planes, const int32_t *tables, const uint16_t *fast, const int32_t *end,
                         const int32_t *shift, const uint8_t *values, const uint8_t *zig_zag, int32_t per_line,
                         int32_t per_column, int32_t restart) {
  plane list[3];
  uint8_t places[64];
  for (int k = 0; k < 64; k++) places[k] = (zig_zag[k] & 7) << 3 | zig_zag[k] >> 3;
  for (int i = 0; i < planes; i++) {
    const int32_t *words = shape + i * plane_words;
    huffman two[2];
    for (int n = 0; n < 2; n++) {
      int32_t number = words[4 + n];
      two[n] = (huffman){fast + (number << fast_bits), end + number * 17, shift + number * 17, values + number * 256};
    }
    list[i] = (plane){words[0], words[1], words[2], 0, samples + words[3], tables + i * 64, two[0], two[1]};
  }
  reader r = {bytes, length, from, 0, 0, 0};
  int32_t left = restart;
  for (int32_t row = 0; row < per_column; row++)
    for (int32_t column = 0; column < per_line; column++) {
      if (restart > 0 && left-- == 0) {
        // The rest of a byte, then the marker.
        if (r.count < r.padding || r.count - r.padding >= 8 || r.at + 1 >= length) return -1;
        if (bytes[r.at] != 0xff || bytes[r.at + 1] < 0xd0 || bytes[r.at + 1] > 0xd7) return -1;
        r = (reader){bytes, length, r.at + 2, 0, 0, 0};
        left = restart - 1;
        for (int i = 0; i < planes; i++) list[i].last = 0;
      }
      for (int i = 0; i < planes; i++) {
        plane *p = list + i;
        for (int y = 0; y < p->v; y++)
          for (int x = 0; x < p->h; x++) {
            int64_t place = 8 * (((int64_t)row * p->v + y) * p->width + (int64_t)column * p->h + x);
            if (!decode_block(&r, p, p->samples + place, places)) return -1;
          }
      }
    }
  if (r.count < r.padding) return -1;
  // Whole bytes that were read ahead are followed by their marker, too.
  while (r.at < length - 1 && !(bytes[r.at] == 0xff && bytes[r.at + 1] != 0)) r.at++;
  return r.at < length - 1 ? r.at : -1;
}

static inline uint8_t clamp(int32_t value) { return value < 0 ? 0 : value > 255 ? 255 : value; }

// Red, green and blue of YCbCr. The factors are those of jpeg-js with 16 and 22 bits after the point; for all bytes the results
// are the same. halves: chroma has half the columns, half the rows.
void trenio_jpeg_rgb(const uint8_t *luma, int32_t luma_width, const uint8_t *cb, const uint8_t *cr, int32_t chroma_width,
                     int32_t half_x, int32_t half_y, int32_t width, int32_t height, uint8_t *out) {
  enum { part = 64 };
  for (int32_t y = 0; y < height; y++) {
    const uint8_t *line = luma + (int64_t)y * luma_width;
    const uint8_t *blue = cb + (int64_t)(y >> half_y) * chroma_width, *red = cr + (int64_t)(y >> half_y) * chroma_width;
    uint8_t *to = out + (int64_t)3 * width * y;
    for (int32_t from = 0; from < width; from += part) {
      int32_t count = width - from < part ? width - from : part;
      int32_t b[part], r[part];
      uint8_t rgb[3][part];
      if (half_x)
        for (int32_t x = 0; x < count; x++) b[x] = blue[(from + x) >> 1] - 128, r[x] = red[(from + x) >> 1] - 128;
      else
        for (int32_t x = 0; x < count; x++) b[x] = blue[from + x] - 128, r[x] = red[from + x] - 128;
      for (int32_t x = 0; x < count; x++) {
        int32_t value = line[from + x];
        rgb[0][x] = clamp(value + (91879 * r[x] >> 16));
        rgb[1][x] = clamp(value + ((-1443410 * b[x] - 2995307 * r[x]) >> 22));
        rgb[2][x] = clamp(value + (116126 * b[x] >> 16));
      }
      uint8_t *restrict pixel = to + 3 * from;
      for (int32_t x = 0; x < count; x++) {
        pixel[3 * x] = rgb[0][x];
        pixel[3 * x + 1] = rgb[1][x];
        pixel[3 * x + 2] = rgb[2][x];
      }
    }
  }
}

// Interleaved bytes as a plane of numbers for each channel. `tables`: 256 numbers a channel.
void trenio_image_planes(const uint8_t *data, int64_t pixels, int32_t channels, const float *tables, float *out) {
  if (channels == 3) {
    float *restrict a = out, *restrict b = out + pixels, *restrict c = out + 2 * pixels;
    for (int64_t i = 0; i < pixels; i++) {
      a[i] = tables[data[3 * i]];
      b[i] = tables[256 + data[3 * i + 1]];
      c[i] = tables[512 + data[3 * i + 2]];
    }
  } else
    for (int32_t c = 0; c < channels; c++)
      for (int64_t i = 0; i < pixels; i++) out[c * pixels + i] = tables[c * 256 + data[channels * i + c]];
}
