// HMAC-SHA-256 (RFC 2104, FIPS 180-4), with which ranks prove to each other that they belong to the same run.
#include <stdint.h>
#include <string.h>

#define DIGEST_BYTES 32

typedef struct {
  uint32_t state[8];
  uint8_t block[64];
  uint64_t bytes;
} sha256;

static const uint32_t sha256_rounds[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74,
    0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d,
    0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e,
    0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5,
    0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};
static uint32_t turned(uint32_t x, int n) { return x >> n | x << (32 - n); }
static void sha256_block(sha256 *h, const uint8_t *p) {
  uint32_t w[64], s[8];
  for (int i = 0; i < 16; i++) w[i] = (uint32_t)p[4 * i] << 24 | (uint32_t)p[4 * i + 1] << 16 | (uint32_t)p[4 * i + 2] << 8 | p[4 * i + 3];
  for (int i = 16; i < 64; i++) {
    const uint32_t a = turned(w[i - 15], 7) ^ turned(w[i - 15], 18) ^ w[i - 15] >> 3, b = turned(w[i - 2], 17) ^ turned(w[i - 2], 19) ^ w[i - 2] >> 10;
    w[i] = w[i - 16] + a + w[i - 7] + b;
  }
  memcpy(s, h->state, sizeof s);
  for (int i = 0; i < 64; i++) {
    const uint32_t e = turned(s[4], 6) ^ turned(s[4], 11) ^ turned(s[4], 25), a = turned(s[0], 2) ^ turned(s[0], 13) ^ turned(s[0], 22);
    const uint32_t x = s[7] + e + ((s[4] & s[5]) ^ (~s[4] & s[6])) + sha256_rounds[i] + w[i], y = a + ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
    memmove(s + 1, s, 7 * sizeof *s);
    s[4] += x, s[0] = x + y;
  }
  for (int i = 0; i < 8; i++) h->state[i] += s[i];
}
static void sha256_add(sha256 *h, const void *data, size_t bytes) {
  for (const uint8_t *p = data; bytes > 0;) {
    const size_t at = h->bytes % 64, n = bytes < 64 - at ? bytes : 64 - at;
    memcpy(h->block + at, p, n);
    h->bytes += n, p += n, bytes -= n;
    if (h->bytes % 64 == 0) sha256_block(h, h->block);
  }
}
static sha256 sha256_new(void) {
  return (sha256){.state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19}};
}
static void sha256_end(sha256 *h, uint8_t digest[DIGEST_BYTES]) {
  const uint64_t bits = h->bytes * 8;
  uint8_t end[72] = {0x80};
  const size_t pad = (h->bytes % 64 < 56 ? 56 : 120) - h->bytes % 64;
  for (int i = 0; i < 8; i++) end[pad + (size_t)i] = (uint8_t)(bits >> (56 - 8 * i));
  sha256_add(h, end, pad + 8);
  for (int i = 0; i < DIGEST_BYTES; i++) digest[i] = (uint8_t)(h->state[i / 4] >> (24 - 8 * (i % 4)));
}

static void hmac_sha256(const char *secret, const void *data, size_t bytes, uint8_t digest[DIGEST_BYTES]) {
  uint8_t key[64] = {0}, pad[64];
  const size_t length = strlen(secret);
  sha256 h = sha256_new();
  if (length > 64) {
    sha256_add(&h, secret, length);
    sha256_end(&h, key);
  } else memcpy(key, secret, length);
  for (int i = 0; i < 64; i++) pad[i] = key[i] ^ 0x36;
  h = sha256_new();
  sha256_add(&h, pad, 64);
  sha256_add(&h, data, bytes);
  sha256_end(&h, digest);
  for (int i = 0; i < 64; i++) pad[i] = key[i] ^ 0x5c;
  h = sha256_new();
  sha256_add(&h, pad, 64);
  sha256_add(&h, digest, DIGEST_BYTES);
  sha256_end(&h, digest);
}
// Takes as long wherever they differ.
static bool same_digest(const uint8_t *a, const uint8_t *b) {
  uint8_t difference = 0;
  for (int i = 0; i < DIGEST_BYTES; i++) difference |= a[i] ^ b[i];
  return difference == 0;
}
// For tests.
void trenio_hmac_sha256(const char *secret, const void *data, int64_t bytes, uint8_t *digest) { hmac_sha256(secret, data, (size_t)bytes, digest); }
