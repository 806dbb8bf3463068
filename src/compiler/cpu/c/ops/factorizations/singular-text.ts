// C of hlo/ops/factorizations/singular.ts, line by line. `work`: n + m numbers.

export const singularText = `static double t_fac_reflection(double *x, int64_t n) {
  double length = __builtin_sqrt(t_fac_dot(x, x, n));
  if (length == 0) return 0;
  if (x[0] < 0) length = -length;
  for (int64_t i = 0; i < n; i++) x[i] = x[i] / length;
  x[0] = x[0] + 1;
  return -length;
}
static void t_fac_reflect(const double *x, double *y, int64_t n) {
  const double t = -t_fac_dot(x, y, n) / x[0];
  t_fac_add(t, x, y, n);
}
static void t_fac_bidiagonal(int64_t m, int64_t n, double *a, double *u, double *s, double *v, double *e, double *work) {
  const int64_t columns = m - 1 < n ? m - 1 : n, rows = n - 2 > 0 ? n - 2 : 0;
  const int64_t turns = columns > rows ? columns : rows;
  for (int64_t k = 0; k < turns; k++) {
    if (k < columns) s[k] = t_fac_reflection(a + k * m + k, m - k);
    for (int64_t j = k + 1; j < n; j++) {
      if (k < columns && s[k] != 0) t_fac_reflect(a + k * m + k, a + j * m + k, m - k);
      e[j] = a[j * m + k];
    }
    if (k < columns)
      for (int64_t i = k; i < m; i++) u[k * m + i] = a[k * m + i];
    if (k >= rows) continue;
    e[k] = t_fac_reflection(e + k + 1, n - k - 1);
    if (e[k] != 0) {
      const int64_t at = k + 1;
      for (int64_t i = at; i < m; i++) work[i] = 0;
      for (int64_t j = at; j < n; j++) t_fac_add(e[j], a + j * m + at, work + at, m - at);
      for (int64_t j = at; j < n; j++) t_fac_add(-e[j] / e[at], work + at, a + j * m + at, m - at);
    }
    for (int64_t i = k + 1; i < n; i++) v[k * n + i] = e[i];
  }
  if (columns < n) s[columns] = a[columns * m + columns];
  if (rows + 1 < n) e[rows] = a[(n - 1) * m + rows];
  if (n > 0) e[n - 1] = 0;
  for (int64_t j = columns; j < n; j++) {
    for (int64_t i = 0; i < m; i++) u[j * m + i] = 0;
    u[j * m + j] = 1;
  }
  for (int64_t k = columns - 1; k >= 0; k--) {
    double *const uk = u + k * m;
    if (s[k] != 0) {
      for (int64_t j = k + 1; j < n; j++) t_fac_reflect(uk + k, u + j * m + k, m - k);
      for (int64_t i = k; i < m; i++) uk[i] = -uk[i];
      uk[k] = uk[k] + 1;
      for (int64_t i = 0; i < k; i++) uk[i] = 0;
    } else {
      for (int64_t i = 0; i < m; i++) uk[i] = 0;
      uk[k] = 1;
    }
  }
  for (int64_t k = n - 1; k >= 0; k--) {
    if (k < rows && e[k] != 0) {
      const int64_t at = k + 1;
      for (int64_t j = at; j < n; j++) t_fac_reflect(v + k * n + at, v + j * n + at, n - at);
    }
    for (int64_t i = 0; i < n; i++) v[k * n + i] = 0;
    v[k * n + k] = 1;
  }
}
static void t_fac_qr_step(int64_t m, int64_t n, int64_t k, int64_t p, double *u, double *s, double *v, double *e) {
  const double sizes[] = {__builtin_fabs(s[p - 2]), __builtin_fabs(e[p - 2]), __builtin_fabs(s[k]), __builtin_fabs(e[k])};
  double scale = __builtin_fabs(s[p - 1]);
  for (int i = 0; i < 4; i++)
    if (sizes[i] > scale) scale = sizes[i];
  const double last = s[p - 1] / scale, before = s[p - 2] / scale, off = e[p - 2] / scale, first = s[k] / scale, next = e[k] / scale;
  const double b = ((before + last) * (before - last) + off * off) / 2, q = last * off * (last * off);
  double shift = 0;
  if (b != 0 || q != 0) {
    shift = __builtin_sqrt(b * b + q);
    if (b < 0) shift = -shift;
    shift = q / (b + shift);
  }
  double f = (first + last) * (first - last) + shift, g = first * next;
  for (int64_t j = k; j < p - 1; j++) {
    double t = t_fac_hypotenuse(f, g), c = t == 0 ? 1 : f / t, d = t == 0 ? 0 : g / t;
    if (j != k) e[j - 1] = t;
    f = c * s[j] + d * e[j];
    e[j] = c * e[j] - d * s[j];
    g = d * s[j + 1];
    s[j + 1] = c * s[j + 1];
    t_fac_rotate(v + j * n, v + (j + 1) * n, n, c, d);
    t = t_fac_hypotenuse(f, g);
    c = t == 0 ? 1 : f / t;
    d = t == 0 ? 0 : g / t;
    s[j] = t;
    f = c * e[j] + d * s[j + 1];
    s[j + 1] = c * s[j + 1] - d * e[j];
    g = d * e[j + 1];
    e[j + 1] = c * e[j + 1];
    t_fac_rotate(u + j * m, u + (j + 1) * m, m, c, d);
  }
  e[p - 2] = f;
}
static void t_fac_swap(double *x, double *y, int64_t n) {
  for (int64_t i = 0; i < n; i++) {
    const double t = x[i];
    x[i] = y[i];
    y[i] = t;
  }
}
static void t_fac_settle(int64_t m, int64_t n, int64_t at, double *u, double *s, double *v) {
  if (s[at] <= 0) {
    s[at] = s[at] < 0 ? -s[at] : 0;
    for (int64_t i = 0; i < n; i++) v[at * n + i] = -v[at * n + i];
  }
  for (int64_t k = at; k < n - 1 && s[k] < s[k + 1]; k++) {
    t_fac_swap(s + k, s + k + 1, 1);
    t_fac_swap(v + k * n, v + (k + 1) * n, n);
    t_fac_swap(u + k * m, u + (k + 1) * m, m);
  }
}
static int t_fac_diagonalized(int64_t m, int64_t n, double *u, double *s, double *v, double *e) {
  const double epsilon = 0x1p-52, tiny = 0x1p-966;
  int64_t p = n;
  int steps = 0;
  while (p > 0) {
    int64_t k = p - 2;
    for (; k >= 0; k--)
      if (__builtin_fabs(e[k]) <= tiny + epsilon * (__builtin_fabs(s[k]) + __builtin_fabs(s[k + 1]))) {
        e[k] = 0;
        break;
      }
    if (k == p - 2) {
      t_fac_settle(m, n, p - 1, u, s, v);
      p--;
      steps = 0;
      continue;
    }
    int64_t zero = p - 1;
    for (; zero > k; zero--) {
      const double t = __builtin_fabs(e[zero]) + (zero != k + 1 ? __builtin_fabs(e[zero - 1]) : 0);
      if (__builtin_fabs(s[zero]) <= tiny + epsilon * t) {
        s[zero] = 0;
        break;
      }
    }
    if (zero == k) {
      if (steps++ == 90) return 0;
      t_fac_qr_step(m, n, k + 1, p, u, s, v, e);
    } else if (zero == p - 1) {
      double f = e[p - 2];
      e[p - 2] = 0;
      for (int64_t j = p - 2; j > k; j--) {
        const double t = t_fac_hypotenuse(s[j], f), c = t == 0 ? 1 : s[j] / t, d = t == 0 ? 0 : f / t;
        s[j] = t;
        if (j != k + 1) {
          f = -d * e[j - 1];
          e[j - 1] = c * e[j - 1];
        }
        t_fac_rotate(v + j * n, v + (p - 1) * n, n, c, d);
      }
    } else {
      double f = e[zero];
      e[zero] = 0;
      for (int64_t j = zero + 1; j < p; j++) {
        const double t = t_fac_hypotenuse(s[j], f), c = t == 0 ? 1 : s[j] / t, d = t == 0 ? 0 : f / t;
        s[j] = t;
        f = -d * e[j];
        e[j] = c * e[j];
        t_fac_rotate(u + j * m, u + zero * m, m, c, d);
      }
    }
  }
  return 1;
}
static void t_fac_singular(int64_t m, int64_t n, double *a, double *u, double *s, double *v, double *work) {
  double *const e = work;
  const double unit = t_fac_rescale(a, m * n);
  int found = unit == unit;
  if (found) {
    t_fac_bidiagonal(m, n, a, u, s, v, e, e + n);
    found = t_fac_diagonalized(m, n, u, s, v, e);
  }
  if (found) {
    for (int64_t k = 0; k < n; k++) s[k] = s[k] * unit;
    return;
  }
  for (int64_t i = 0; i < n * m; i++) u[i] = __builtin_nan("");
  for (int64_t i = 0; i < n; i++) s[i] = __builtin_nan("");
  for (int64_t i = 0; i < n * n; i++) v[i] = __builtin_nan("");
}`;
