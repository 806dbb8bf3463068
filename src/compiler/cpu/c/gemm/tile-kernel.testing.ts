// For tests: AMX's instructions on tiles as plain C, under the names that generated code uses, so that it computes on machines
// without them. From Intel's description of each instruction; a misuse that the processor would refuse aborts.

/** Comes before a unit of multiplies. */
export const emulatedTiles = `
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
typedef struct { uint8_t palette, start_row, reserved[14]; uint16_t row_bytes[16]; uint8_t rows[16]; } test_tile_setting;
typedef struct { test_tile_setting setting; uint8_t tile[8][16][64]; } test_tiles;
// One for all units of a program.
__attribute__((weak, visibility("hidden"))) _Thread_local test_tiles tiles_of_thread;
static void test_tile_needs(int condition) { if (!condition) abort(); }
static void test_tile_configure(const void *p) {
  memset(&tiles_of_thread, 0, sizeof tiles_of_thread);
  memcpy(&tiles_of_thread.setting, p, 64);
  const test_tile_setting *s = &tiles_of_thread.setting;
  test_tile_needs(s->palette == 1 && s->start_row == 0);
  for (int i = 0; i < 14; i++) test_tile_needs(s->reserved[i] == 0);
  for (int t = 0; t < 16; t++) {
    test_tile_needs(s->row_bytes[t] <= 64 && s->rows[t] <= 16 && (s->row_bytes[t] == 0) == (s->rows[t] == 0));
    test_tile_needs(t < 8 || s->rows[t] == 0);
  }
}
static void test_tile_configured(int t) { test_tile_needs(tiles_of_thread.setting.palette == 1 && tiles_of_thread.setting.rows[t] > 0); }
static void test_tile_zero(int t) {
  test_tile_configured(t);
  memset(tiles_of_thread.tile[t], 0, 1024);
}
static void test_tile_load(int t, const void *p, int64_t stride) {
  test_tile_zero(t);
  for (int r = 0; r < tiles_of_thread.setting.rows[t]; r++)
    memcpy(tiles_of_thread.tile[t][r], (const char *)p + r * stride, tiles_of_thread.setting.row_bytes[t]);
}
static void test_tile_store(int t, void *p, int64_t stride) {
  test_tile_configured(t);
  for (int r = 0; r < tiles_of_thread.setting.rows[t]; r++)
    memcpy((char *)p + r * stride, tiles_of_thread.tile[t][r], tiles_of_thread.setting.row_bytes[t]);
}
static float test_tile_flushed(float x) { return __builtin_fabsf(x) < 0x1p-126f ? __builtin_copysignf(0, x) : x; }
static float test_tile_bf16(const uint8_t *p) {
  uint16_t half;
  memcpy(&half, p, 2);
  const uint32_t bits = (uint32_t)half << 16;
  float x;
  memcpy(&x, &bits, 4);
  return test_tile_flushed(x);
}
// Tests spend most of their time here: columns are innermost, in vectors.
__attribute__((optimize("O3"))) static void test_tile_dot(int sum, int a, int b) {
  test_tile_configured(sum), test_tile_configured(a), test_tile_configured(b);
  const test_tile_setting *s = &tiles_of_thread.setting;
  test_tile_needs(sum != a && sum != b && a != b && s->rows[a] == s->rows[sum] && s->row_bytes[b] == s->row_bytes[sum] && s->row_bytes[a] / 4 == s->rows[b]);
  const int columns = s->row_bytes[sum] / 4;
  float y[16][2][16] = {0};
  for (int k = 0; k < s->rows[b]; k++)
    for (int j = 0; j < columns; j++)
      for (int odd = 0; odd < 2; odd++) y[k][odd][j] = test_tile_bf16(&tiles_of_thread.tile[b][k][4 * j + 2 * odd]);
  for (int i = 0; i < s->rows[sum]; i++) {
    float of[2][16] = {0}, total[16];
    for (int k = 0; k < s->rows[b]; k++)
      for (int odd = 0; odd < 2; odd++) {
        const float x = test_tile_bf16(&tiles_of_thread.tile[a][i][4 * k + 2 * odd]);
        for (int j = 0; j < 16; j++) of[odd][j] = test_tile_flushed(__builtin_fmaf(x, y[k][odd][j], of[odd][j]));
      }
    memcpy(total, tiles_of_thread.tile[sum][i], 64);
    for (int j = 0; j < 16; j++) total[j] = test_tile_flushed(total[j] + test_tile_flushed(of[0][j] + of[1][j]));
    memcpy(tiles_of_thread.tile[sum][i], total, 4 * columns);
  }
}
#define GEMM_TILE_CONFIGURE(p) test_tile_configure(p)
#define GEMM_TILE_RELEASE() memset(&tiles_of_thread, 0, sizeof tiles_of_thread)
#define GEMM_TILE_ZERO(t) test_tile_zero(t)
#define GEMM_TILE_LOAD(t, p, stride) test_tile_load(t, p, stride)
#define GEMM_TILE_STORE(t, p, stride) test_tile_store(t, p, stride)
#define GEMM_TILE_DOT(sum, a, b) test_tile_dot(sum, a, b)
`;
