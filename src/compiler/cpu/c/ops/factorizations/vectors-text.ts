// C of hlo/ops/factorizations/vectors.ts: the same sums in the same order.

export const vectorsText = `static double t_fac_hypotenuse(double a, double b) {
  const double x = __builtin_fabs(a), y = __builtin_fabs(b);
  const double big = x > y ? x : y, small = x > y ? y : x;
  if (big == 0) return 0;
  const double ratio = small / big;
  return big * __builtin_sqrt(1 + ratio * ratio);
}
static double t_fac_dot(const double *x, const double *y, int64_t n) {
  double s[8] = {0, 0, 0, 0, 0, 0, 0, 0};
  int64_t i = 0;
  for (; i + 8 <= n; i += 8)
    for (int k = 0; k < 8; k++) s[k] = s[k] + x[i + k] * y[i + k];
  for (; i < n; i++) s[i & 7] = s[i & 7] + x[i] * y[i];
  return s[0] + s[4] + (s[2] + s[6]) + (s[1] + s[5] + (s[3] + s[7]));
}
static void t_fac_add(double a, const double *restrict x, double *restrict y, int64_t n) {
#pragma omp simd
  for (int64_t i = 0; i < n; i++) y[i] = y[i] + a * x[i];
}
static void t_fac_rotate(double *restrict x, double *restrict y, int64_t n, double c, double s) {
#pragma omp simd
  for (int64_t i = 0; i < n; i++) {
    const double p = x[i], q = y[i];
    x[i] = c * p + s * q;
    y[i] = c * q - s * p;
  }
}
static double t_fac_rescale(double *x, int64_t n) {
  double largest = 0;
  for (int64_t i = 0; i < n; i++) {
    const double size = __builtin_fabs(x[i]);
    if (!(size <= 0x1.fffffffffffffp1023)) return __builtin_nan("");
    if (size > largest) largest = size;
  }
  const double factor = largest > 0x1p400 ? 0x1p-500 : largest > 0 && largest < 0x1p-400 ? 0x1p500 : 1;
  if (factor == 1) return 1;
  for (int64_t i = 0; i < n; i++) x[i] = x[i] * factor;
  return factor == 0x1p500 ? 0x1p-500 : 0x1p500;
}`;
