// C of hlo/ops/factorizations/general.ts, line by line. `work`: 6·n² + 5·n numbers after the matrix.
//
// The two sums of a complex product are separate functions: otherwise gcc 12 fuses the pair (vfmaddsub), although contraction
// is off.

export const generalText = `typedef struct { double re, im; } t_fac_z;
static __attribute__((noinline)) double t_fac_minus_products(double a, double b, double c, double d) { return a * b - c * d; }
static __attribute__((noinline)) double t_fac_plus_products(double a, double b, double c, double d) { return a * b + c * d; }
static inline t_fac_z t_fac_times(t_fac_z a, t_fac_z b) {
  return (t_fac_z){t_fac_minus_products(a.re, b.re, a.im, b.im), t_fac_plus_products(a.re, b.im, a.im, b.re)};
}
static inline t_fac_z t_fac_minus(t_fac_z a, t_fac_z b) { return (t_fac_z){a.re - b.re, a.im - b.im}; }
static inline double t_fac_size(t_fac_z a) { return t_fac_hypotenuse(a.re, a.im); }
static inline t_fac_z t_fac_over(t_fac_z a, t_fac_z b) {
  const double scale = __builtin_fabs(b.re) > __builtin_fabs(b.im) ? __builtin_fabs(b.re) : __builtin_fabs(b.im);
  const double x = b.re / scale, y = b.im / scale, square = scale * (x * x + y * y);
  return (t_fac_z){(a.re * x + a.im * y) / square, (a.im * x - a.re * y) / square};
}
static t_fac_z t_fac_root(t_fac_z a) {
  const double re = __builtin_sqrt((t_fac_size(a) + __builtin_fabs(a.re)) / 2);
  if (re == 0) return (t_fac_z){0, 0};
  const double im = __builtin_fabs(a.im) / (2 * re);
  return a.re >= 0 ? (t_fac_z){re, a.im < 0 ? -im : im} : (t_fac_z){im, a.im < 0 ? -re : re};
}
static double t_fac_rotation(t_fac_z a, t_fac_z b, t_fac_z *s) {
  const double p = t_fac_size(a), q = t_fac_size(b);
  *s = (t_fac_z){0, 0};
  if (q == 0) return 1;
  *s = (t_fac_z){b.re / q, -b.im / q};
  if (p == 0) return 0;
  const double r = t_fac_hypotenuse(p, q);
  *s = t_fac_times((t_fac_z){a.re / p, a.im / p}, (t_fac_z){b.re / r, -b.im / r});
  return p / r;
}
static void t_fac_turn(double *re, double *im, int64_t x, int64_t y, int64_t by, int64_t count, double c, double sr, double si) {
  double *restrict const xr = re + x, *restrict const xi = im + x, *restrict const yr = re + y, *restrict const yi = im + y;
  for (int64_t k = 0; k < count; k++) {
    const double ar = xr[k * by], ai = xi[k * by], br = yr[k * by], bi = yi[k * by];
    xr[k * by] = c * ar + (sr * br - si * bi);
    xi[k * by] = c * ai + (sr * bi + si * br);
    yr[k * by] = c * br - (sr * ar + si * ai);
    yi[k * by] = c * bi - (sr * ai - si * ar);
  }
}
static void t_fac_turn_rows(double *re, double *im, int64_t x, int64_t y, int64_t count, double c, double sr, double si) {
  double *restrict const xr = re + x, *restrict const xi = im + x, *restrict const yr = re + y, *restrict const yi = im + y;
#pragma omp simd
  for (int64_t k = 0; k < count; k++) {
    const double ar = xr[k], ai = xi[k], br = yr[k], bi = yi[k];
    xr[k] = c * ar + (sr * br - si * bi);
    xi[k] = c * ai + (sr * bi + si * br);
    yr[k] = c * br - (sr * ar + si * ai);
    yi[k] = c * bi - (sr * ai - si * ar);
  }
}
static t_fac_z t_fac_shift(int64_t n, const double *hr, const double *hi_, int64_t hi) {
  const int64_t up = (hi - 1) * n + hi - 1, at = hi * n + hi;
  const t_fac_z a = {hr[up], hi_[up]}, d = {hr[at], hi_[at]};
  const t_fac_z half = {(a.re - d.re) / 2, (a.im - d.im) / 2};
  const t_fac_z product = t_fac_times((t_fac_z){hr[up + 1], hi_[up + 1]}, (t_fac_z){hr[at - 1], hi_[at - 1]});
  const t_fac_z square = t_fac_times(half, half);
  const t_fac_z root = t_fac_root((t_fac_z){square.re + product.re, square.im + product.im});
  const int plus = half.re * root.re + half.im * root.im >= 0;
  const t_fac_z below = plus ? (t_fac_z){half.re + root.re, half.im + root.im} : t_fac_minus(half, root);
  return t_fac_size(below) == 0 ? d : t_fac_minus(d, t_fac_over(product, below));
}
static int t_fac_triangle(int64_t n, double *hr, double *hi_, double *zr, double *zi, double *work) {
  for (int64_t j = 0; j < n - 2; j++)
    for (int64_t i = n - 1; i > j + 1; i--) {
      const int64_t up = (i - 1) * n + j, at = i * n + j;
      t_fac_z s;
      const double c = t_fac_rotation((t_fac_z){hr[up], hi_[up]}, (t_fac_z){hr[at], hi_[at]}, &s);
      t_fac_turn_rows(hr, hi_, up, at, n - j, c, s.re, s.im);
      t_fac_turn(hr, hi_, i - 1, i, n, n, c, s.re, -s.im);
      t_fac_turn_rows(zr, zi, (i - 1) * n, i * n, n, c, s.re, -s.im);
      hr[at] = hi_[at] = 0;
    }
  double *const cs = work, *const srs = cs + n, *const sis = srs + n;
  const double epsilon = 0x1p-52;
  int steps = 0;
  for (int64_t hi = n - 1; hi > 0;) {
    int64_t low = hi;
    for (; low > 0; low--) {
      const int64_t at = low * n + low, up = (low - 1) * n + low - 1;
      const double near = t_fac_size((t_fac_z){hr[at], hi_[at]}) + t_fac_size((t_fac_z){hr[up], hi_[up]});
      if (t_fac_size((t_fac_z){hr[at - 1], hi_[at - 1]}) <= epsilon * (near == 0 ? 1e-300 : near)) break;
    }
    if (low > 0) hr[low * n + low - 1] = hi_[low * n + low - 1] = 0;
    if (low == hi) {
      hi--;
      steps = 0;
      continue;
    }
    if (steps++ > 90) return 0;
    const int64_t corner = hi * n + hi;
    const t_fac_z shift = steps % 10 == 0
      ? (t_fac_z){t_fac_size((t_fac_z){hr[corner - 1], hi_[corner - 1]}) + hr[corner], 0}
      : t_fac_shift(n, hr, hi_, hi);
    for (int64_t i = 0; i < n; i++) {
      hr[i * n + i] = hr[i * n + i] - shift.re;
      hi_[i * n + i] = hi_[i * n + i] - shift.im;
    }
    for (int64_t i = low; i < hi; i++) {
      const int64_t at = i * n + i, below = at + n;
      t_fac_z s;
      const double c = t_fac_rotation((t_fac_z){hr[at], hi_[at]}, (t_fac_z){hr[below], hi_[below]}, &s);
      t_fac_turn_rows(hr, hi_, at, below, n - i, c, s.re, s.im);
      cs[i] = c;
      srs[i] = s.re;
      sis[i] = s.im;
    }
    for (int64_t i = low; i < hi; i++) {
      t_fac_turn(hr, hi_, i, i + 1, n, i + 2, cs[i], srs[i], -sis[i]);
      t_fac_turn_rows(zr, zi, i * n, (i + 1) * n, n, cs[i], srs[i], -sis[i]);
    }
    for (int64_t i = 0; i < n; i++) {
      hr[i * n + i] = hr[i * n + i] + shift.re;
      hi_[i * n + i] = hi_[i * n + i] + shift.im;
    }
  }
  return 1;
}
static void t_fac_eigenvector(int64_t n, const double *hr, const double *hi_, const double *zr, const double *zi, int64_t k, double least, double *fr, double *fi, double *xr, double *xi) {
  const t_fac_z value = {hr[k * n + k], hi_[k * n + k]};
  xr[k] = 1;
  xi[k] = 0;
  for (int64_t i = k - 1; i >= 0; i--) {
    double sr = 0, si = 0;
    for (int64_t j = i + 1; j <= k; j++) {
      const double ar = hr[i * n + j], ai = hi_[i * n + j];
      sr = sr - (ar * xr[j] - ai * xi[j]);
      si = si - (ar * xi[j] + ai * xr[j]);
    }
    const t_fac_z gap = t_fac_minus((t_fac_z){hr[i * n + i], hi_[i * n + i]}, value);
    const t_fac_z x = t_fac_over((t_fac_z){sr, si}, t_fac_size(gap) < least ? (t_fac_z){least, 0} : gap);
    xr[i] = x.re;
    xi[i] = x.im;
  }
  for (int64_t i = 0; i < n; i++) fr[i] = fi[i] = 0;
  for (int64_t j = 0; j <= k; j++) {
    const double br = xr[j], bi = xi[j];
    const double *restrict const ar = zr + j * n, *restrict const ai = zi + j * n;
#pragma omp simd
    for (int64_t i = 0; i < n; i++) {
      fr[i] = fr[i] + (ar[i] * br - ai[i] * bi);
      fi[i] = fi[i] + (ar[i] * bi + ai[i] * br);
    }
  }
  int64_t pivot = 0;
  double length = 0;
  for (int64_t i = 0; i < n; i++) {
    const double size = t_fac_hypotenuse(fr[i], fi[i]);
    if (size > t_fac_hypotenuse(fr[pivot], fi[pivot])) pivot = i;
    length = t_fac_hypotenuse(length, size);
  }
  const double size = t_fac_hypotenuse(fr[pivot], fi[pivot]);
  const t_fac_z turn = {fr[pivot] / size / length, -fi[pivot] / size / length};
  for (int64_t i = 0; i < n; i++) {
    const t_fac_z x = t_fac_times((t_fac_z){fr[i], fi[i]}, turn);
    fr[i] = x.re;
    fi[i] = x.im;
  }
}
static void t_fac_pair_up(int64_t n, double *re, double *im, double *fr, double *fi, double limit, double *work) {
  double *const old_re = work, *const old_im = old_re + n, *const taken = old_im + n;
  double *const old_fr = taken + n, *const old_fi = old_fr + n * n;
  for (int64_t i = 0; i < n; i++) {
    old_re[i] = re[i];
    old_im[i] = im[i];
    taken[i] = 0;
  }
  for (int64_t i = 0; i < n * n; i++) {
    old_fr[i] = fr[i];
    old_fi[i] = fi[i];
  }
  int64_t next = 0;
  for (int64_t k = 0; k < n; k++) {
    if (taken[k] == 1) continue;
    taken[k] = 1;
    int64_t partner = -1;
    double nearest = 0;
    if (__builtin_fabs(old_im[k]) > limit)
      for (int64_t i = 0; i < n; i++) {
        if (taken[i] == 1) continue;
        const double gap = t_fac_hypotenuse(old_re[i] - old_re[k], old_im[i] + old_im[k]);
        if (partner >= 0 && gap >= nearest) continue;
        partner = i;
        nearest = gap;
      }
    const int64_t from = partner >= 0 && old_im[k] <= 0 ? partner : k;
    re[next] = old_re[from];
    im[next] = partner >= 0 ? old_im[from] : 0;
    for (int64_t i = 0; i < n; i++) {
      fr[next * n + i] = old_fr[from * n + i];
      fi[next * n + i] = partner >= 0 ? old_fi[from * n + i] : 0;
    }
    next++;
    if (partner < 0) continue;
    taken[partner] = 1;
    re[next] = re[next - 1];
    im[next] = -im[next - 1];
    for (int64_t i = 0; i < n; i++) {
      fr[next * n + i] = old_fr[from * n + i];
      fi[next * n + i] = -old_fi[from * n + i];
    }
    next++;
  }
}
static void t_fac_general(int64_t n, double *h, int real, double *vr, double *vi, double *work) {
  double *const hr = h, *const hi_ = h + n * n;
  double *const zr = work, *const zi = zr + n * n, *const fr = zi + n * n, *const fi = fr + n * n, *const rest = fi + n * n;
  const double unit = t_fac_rescale(h, 2 * n * n);
  int found = unit == unit;
  if (found) {
    for (int64_t i = 0; i < n * n; i++) zr[i] = zi[i] = 0;
    for (int64_t i = 0; i < n; i++) zr[i * n + i] = 1;
    found = t_fac_triangle(n, hr, hi_, zr, zi, rest);
  }
  if (!found) {
    for (int64_t i = 0; i < n; i++) vr[i] = vi[i] = __builtin_nan("");
    for (int64_t i = 0; i < 2 * n * n; i++) fr[i] = __builtin_nan("");
    return;
  }
  double largest = 0;
  for (int64_t i = 0; i < n; i++) {
    vr[i] = hr[i * n + i];
    vi[i] = hi_[i * n + i];
    const double size = t_fac_hypotenuse(vr[i], vi[i]);
    if (size > largest) largest = size;
  }
  const double epsilon = 0x1p-52, scale = largest == 0 ? 1 : largest, least = epsilon * scale;
  for (int64_t k = 0; k < n; k++) t_fac_eigenvector(n, hr, hi_, zr, zi, k, least, fr + k * n, fi + k * n, rest, rest + n);
  if (real) t_fac_pair_up(n, vr, vi, fr, fi, epsilon * (double)n * 10 * scale, rest);
  for (int64_t i = 0; i < n; i++) {
    vr[i] = vr[i] * unit;
    vi[i] = vi[i] * unit;
  }
}`;
