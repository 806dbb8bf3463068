// The f32 functions the emitted kernels call, as C: scalar and free of branches, so that the C compiler turns a loop over
// them into vector code. One row a function; a kernel's unit gets the rows its text names, with what these need.
// Polynomials: Cephes (exp, log, sin, cos), N. Juffa's erff. Each is within 4 units in the last place, subnormals included
// (tested against f64 in math-f32.test.ts). Not here: f64, which calls libm.

export interface PreludePiece {
  readonly name: string;
  readonly text: string;
  /** Further names that the text defines. */
  readonly also?: readonly string[];
}

const fn = (name: string, text: string): PreludePiece => ({
  name,
  text: `static inline __attribute__((always_inline)) ${text}`,
});

export const mathF32: readonly PreludePiece[] = [
  fn('t_bits_f32', 'uint32_t t_bits_f32(float x) { uint32_t u; __builtin_memcpy(&u, &x, 4); return u; }'),
  fn('t_from_bits_f32', 'float t_from_bits_f32(uint32_t u) { float x; __builtin_memcpy(&x, &u, 4); return x; }'),
  // What is contracted is said, so that a function has the same bits wherever it is inlined. A processor without the
  // instruction rounds twice: libm's fmaf would be a call in every loop, and nothing below needs an exact product.
  fn(
    't_fma_f32',
    `float t_fma_f32(float a, float b, float c) {
#if defined(__FP_FAST_FMAF) || defined(__FMA__) || defined(__ARM_FEATURE_FMA)
  return __builtin_fmaf(a, b, c);
#else
  return a * b + c;
#endif
}`,
  ),
  // x = n ln 2 + f, exp x = 2^n (1 + q), q = expm1 f. The first part of ln 2 has so few bits that n times it is exact.
  fn(
    't_exp_q_f32',
    `float t_exp_q_f32(float x, int32_t *k) {
  const float n = __builtin_rintf(x * 1.44269504088896341f);
  const float f = t_fma_f32(n, 2.12194440e-4f, t_fma_f32(n, -0.693359375f, x));
  float p = 1.9875691500e-4f;
  p = t_fma_f32(p, f, 1.3981999507e-3f);
  p = t_fma_f32(p, f, 8.3334519073e-3f);
  p = t_fma_f32(p, f, 4.1665795894e-2f);
  p = t_fma_f32(p, f, 1.6666665459e-1f);
  p = t_fma_f32(p, f, 5.0000001201e-1f);
  *k = (int32_t)n;
  return t_fma_f32(p * f, f, f);
}`,
  ),
  // e^x = 2^k p with p in [1/√2, √2]. Adding 1.5 · 2^23 rounds x / ln 2 to a whole number and leaves it in the low bits of
  // `*k`; a polynomial of degree 6 (minimax, 0.05 units in the last place) does the rest.
  fn(
    't_exp_parts_f32',
    `float t_exp_parts_f32(float x, uint32_t *k) {
  const float t = t_fma_f32(x, 1.44269504088896341f, 12582912.0f);
  const float n = t - 12582912.0f;
  const float f = t_fma_f32(n, 2.12194440e-4f, t_fma_f32(n, -0.693359375f, x));
  float p = 1.3814602e-3f;
  p = t_fma_f32(p, f, 8.3687156e-3f);
  p = t_fma_f32(p, f, 4.1668389e-2f);
  p = t_fma_f32(p, f, 1.6666521e-1f);
  p = t_fma_f32(p, f, 4.9999994e-1f);
  *k = t_bits_f32(t);
  p = t_fma_f32(p, f, 1.0f);
  return t_fma_f32(p, f, 1.0f);
}`,
  ),
  // Half of k goes to the exponent's bits, the rest is a factor, because 2^k alone may be no number; so a subnormal number
  // arises only where the result is one (they are slow). Beyond 0 and infinity, and of a NaN, what is computed is of no use, and not
  // used: two choices cost less than keeping x in range.
  fn(
    't_exp_f32',
    `float t_exp_f32(float x) {
  uint32_t bits;
  const float p = t_exp_parts_f32(x, &bits);
  const uint32_t k = bits << 23, half = (uint32_t)((int32_t)k >> 1) & 0xff800000u;
  const float rest = t_from_bits_f32(k - half + 0x3f800000u);
  const float r = x < -104.0f ? 0.0f : t_from_bits_f32(t_bits_f32(p) + half) * rest;
  return x <= 89.0f ? r : x + __builtin_inff();
}`,
  ),
  // For x up to 0, NaN included; the bits of t_exp_f32. 2^k times 2^25 is a number for all k down to -151, and the polynomial
  // is made 2^-25 times as large: one product, and its rounding the only one that a subnormal result has.
  fn(
    't_exp_below_f32',
    `float t_exp_below_f32(float x) {
  const float t = t_fma_f32(x, 1.44269504088896341f, 12583064.0f);
  const float n = t - 12583064.0f;
  const float f = t_fma_f32(n, 2.12194440e-4f, t_fma_f32(n, -0.693359375f, x));
  float p = 1.3814602e-3f * 0x1p-25f;
  p = t_fma_f32(p, f, 8.3687156e-3f * 0x1p-25f);
  p = t_fma_f32(p, f, 4.1668389e-2f * 0x1p-25f);
  p = t_fma_f32(p, f, 1.6666521e-1f * 0x1p-25f);
  p = t_fma_f32(p, f, 4.9999994e-1f * 0x1p-25f);
  p = t_fma_f32(p, f, 0x1p-25f);
  p = t_fma_f32(p, f, 0x1p-25f);
  const float r = p * t_from_bits_f32(t_bits_f32(t) << 23);
  return x < -104.0f ? 0.0f : r;
}`,
  ),
  // for |x| < 87: the exponent's bits are added where they belong, what is above them falls off
  fn(
    't_exp_near_f32',
    `float t_exp_near_f32(float x) {
  uint32_t bits;
  const float p = t_exp_parts_f32(x, &bits);
  return t_from_bits_f32(t_bits_f32(p) + (bits << 23));
}`,
  ),
  fn(
    't_expm1_f32',
    `float t_expm1_f32(float x) {
  const float low = x < -30.0f ? -30.0f : x;
  const float c = low > 89.0f ? 89.0f : low;
  int32_t k;
  const float q = t_exp_q_f32(c, &k);
  const float half = t_from_bits_f32((uint32_t)(k - 1 + 127) << 23);
  const float r = (t_fma_f32(half, q, half - 0.5f)) * 2.0f;
  return k == 0 ? (x == 0.0f ? x : q) : r;
}`,
  ),
  // m · 2^e with m in [√½, √2): log = e ln 2 + log(1 + (m - 1))
  fn(
    't_log_poly_f32',
    `float t_log_poly_f32(float f, float e) {
  const float z = f * f;
  float p = 7.0376836292e-2f;
  p = t_fma_f32(p, f, -1.1514610310e-1f);
  p = t_fma_f32(p, f, 1.1676998740e-1f);
  p = t_fma_f32(p, f, -1.2420140846e-1f);
  p = t_fma_f32(p, f, 1.4249322787e-1f);
  p = t_fma_f32(p, f, -1.6668057665e-1f);
  p = t_fma_f32(p, f, 2.0000714765e-1f);
  p = t_fma_f32(p, f, -2.4999993993e-1f);
  p = t_fma_f32(p, f, 3.3333331174e-1f);
  float r = p * f * z;
  r = t_fma_f32(e, -2.12194440e-4f, r);
  r = t_fma_f32(-0.5f, z, r) + f;
  return t_fma_f32(e, 0.693359375f, r);
}`,
  ),
  fn(
    't_log_f32',
    `float t_log_f32(float x) {
  const _Bool tiny = x < 1.17549435e-38f;
  const float y = tiny ? x * 8388608.0f : x;
  const uint32_t u = t_bits_f32(y) - 0x3f3504f3u;
  const int32_t e = (int32_t)u >> 23;
  const float m = t_from_bits_f32((u & 0x007fffffu) + 0x3f3504f3u);
  const float r = t_log_poly_f32(m - 1.0f, (float)(e - (tiny ? 23 : 0)));
  const float special = x == 0.0f ? -__builtin_inff() : x < 0.0f ? __builtin_nanf("") : x;
  return x > 0.0f && x < __builtin_inff() ? r : special;
}`,
  ),
  // log(1 + x) = log u + (x - (u - 1)) / u, u = 1 + x rounded
  fn(
    't_log1p_f32',
    `float t_log1p_f32(float x) {
  const float u = 1.0f + x;
  const float c = (x - (u - 1.0f)) / u;
  const float r = t_log_f32(u) + (__builtin_fabsf(x) < 1e9f ? c : 0.0f);
  return x > -0.5f && x < 1.0f ? (__builtin_fabsf(x) < 0.25f ? (x == 0.0f ? x : t_log_poly_f32(x, 0.0f)) : r) : (x == -1.0f ? -__builtin_inff() : x == __builtin_inff() ? x : r);
}`,
  ),
  fn(
    't_tanh_f32',
    `float t_tanh_f32(float x) {
  const float a = __builtin_fabsf(x);
  const float s = x * x;
  float p = -5.70498872745e-3f;
  p = t_fma_f32(p, s, 2.06390887954e-2f);
  p = t_fma_f32(p, s, -5.37397155531e-2f);
  p = t_fma_f32(p, s, 1.33314422036e-1f);
  p = t_fma_f32(p, s, -3.33332819422e-1f);
  const float near = t_fma_f32(p * s, x, x);
  const float c = a > 20.0f ? 20.0f : a;
  const float far = 1.0f - 2.0f / (t_exp_near_f32(2.0f * c) + 1.0f);
  return a >= 0.625f ? __builtin_copysignf(far, x) : near;
}`,
  ),
  fn(
    't_erf_f32',
    `float t_erf_f32(float x) {
  const float t = __builtin_fabsf(x);
  const float c = t > 4.0f ? 4.0f : t;
  const float s = c * c;
  float r = t_fma_f32(-1.72853470e-5f, c, 3.83197126e-4f);
  const float u = t_fma_f32(-3.88396438e-3f, c, 2.42546219e-2f);
  r = t_fma_f32(r, s, u);
  r = t_fma_f32(r, c, -1.06777877e-1f);
  r = t_fma_f32(r, c, -6.34846687e-1f);
  r = t_fma_f32(r, c, -1.28717512e-1f);
  r = t_fma_f32(r, c, -c);
  const float far = __builtin_copysignf(1.0f - t_exp_near_f32(r), x);
  float q = -5.96761703e-4f;
  q = t_fma_f32(q, s, 4.99119423e-3f);
  q = t_fma_f32(q, s, -2.67681349e-2f);
  q = t_fma_f32(q, s, 1.12819925e-1f);
  q = t_fma_f32(q, s, -3.76125336e-1f);
  q = t_fma_f32(q, s, 1.28379166e-1f);
  const float near = t_fma_f32(q, x, x);
  return t > 0.927734375f ? far : near;
}`,
  ),
  fn(
    't_logistic_f32',
    `float t_logistic_f32(float x) {
  const float e = t_exp_below_f32(-__builtin_fabsf(x));
  const float r = 1.0f / (1.0f + e);
  return x >= 0.0f ? r : x != x ? x : e * r;
}`,
  ),
  // x = n π/2 + r, reduced in f64; the quadrant picks sine or cosine of r
  fn(
    't_sincos_f32',
    `float t_sincos_f32(float x, int32_t shift) {
  const double n = __builtin_rint((double)x * 0.63661977236758134308);
  const double d = __builtin_fma(n, -6.123233995736766036e-17, __builtin_fma(n, -1.57079632679489655800, (double)x));
  const float r = (float)d;
  const int32_t q = (int32_t)(n - 4.0 * __builtin_floor(n * 0.25)) + shift;
  const float z = r * r;
  float s = -1.9515295891e-4f;
  s = t_fma_f32(s, z, 8.3321608736e-3f);
  s = t_fma_f32(s, z, -1.6666654611e-1f);
  s = t_fma_f32(s * z, r, r);
  float c = 2.443315711809948e-5f;
  c = t_fma_f32(c, z, -1.388731625493765e-3f);
  c = t_fma_f32(c, z, 4.166664568298827e-2f);
  c = t_fma_f32(c * z, z, t_fma_f32(-0.5f, z, 1.0f));
  const float v = (q & 1) ? c : s;
  const float w = (q & 2) ? -v : v;
  return x == x ? w : x;
}`,
  ),
  // beyond 2^30 the quadrant is lost: libm there (its branch keeps these two out of vector code, which no hot loop needs)
  fn(
    't_sin_f32',
    `float t_sin_f32(float x) {
  if (__builtin_fabsf(x) >= 1073741824.0f) return (float)__builtin_sin((double)x);
  return x == 0.0f ? x : t_sincos_f32(x, 0);
}`,
  ),
  fn(
    't_cos_f32',
    `float t_cos_f32(float x) {
  if (__builtin_fabsf(x) >= 1073741824.0f) return (float)__builtin_cos((double)x);
  return t_sincos_f32(x, 1);
}`,
  ),
  fn(
    't_round_away_f32',
    `float t_round_away_f32(float x) {
  const float a = __builtin_fabsf(x), f = __builtin_floorf(a);
  return __builtin_copysignf(a - f >= 0.5f ? f + 1.0f : f, x);
}`,
  ),
];
