// C of hlo/ops/factorizations/symmetric.ts, line by line. `work`: 2·n² + 3·n numbers after the matrix.

export const symmetricText = `static void t_fac_tridiagonal(int64_t n, double *a, double *v, double *d, double *e, double *w) {
  for (int64_t k = 0; k < n; k++) {
    d[k] = a[k * n + k];
    if (k >= n - 2) {
      if (k == n - 2) e[k] = a[(k + 1) * n + k];
      continue;
    }
    double *const x = a + k * n + k + 1;
    const int64_t m = n - k - 1;
    const double head = x[0], rest = t_fac_dot(x + 1, x + 1, m - 1);
    if (rest == 0) {
      e[k] = head;
      a[k * n + k] = 0;
      continue;
    }
    const double length = __builtin_sqrt(head * head + rest), alpha = head > 0 ? -length : length;
    e[k] = alpha;
    x[0] = head - alpha;
    const double beta = 1 / (length * (length + __builtin_fabs(head)));
    for (int64_t i = 0; i < m; i++) w[i] = 0;
    for (int64_t i = 0; i < m; i++) t_fac_add(x[i], a + (k + 1 + i) * n + k + 1, w, m);
    for (int64_t i = 0; i < m; i++) w[i] = w[i] * beta;
    const double half = 0.5 * beta * t_fac_dot(w, x, m);
    t_fac_add(-half, x, w, m);
    for (int64_t i = 0; i < m; i++) {
      double *restrict const row = a + (k + 1 + i) * n + k + 1;
      const double *restrict const xs = x, *restrict const ws = w;
      const double p = x[i], q = w[i];
#pragma omp simd
      for (int64_t j = 0; j < m; j++) row[j] = row[j] - (p * ws[j] + q * xs[j]);
    }
    a[k * n + k] = beta;
  }
  for (int64_t i = 0; i < n * n; i++) v[i] = 0;
  for (int64_t i = 0; i < n; i++) v[i * n + i] = 1;
  for (int64_t k = n - 3; k >= 0; k--) {
    const double beta = a[k * n + k];
    if (beta == 0) continue;
    const double *const x = a + k * n + k + 1;
    const int64_t m = n - k - 1;
    for (int64_t i = 0; i < m; i++) w[i] = 0;
    for (int64_t i = 0; i < m; i++) t_fac_add(x[i], v + (k + 1 + i) * n + k + 1, w, m);
    for (int64_t i = 0; i < m; i++) t_fac_add(-(beta * x[i]), w, v + (k + 1 + i) * n + k + 1, m);
  }
}
static int t_fac_implicit_ql(int64_t n, double *v, double *d, double *e) {
  const double epsilon = 0x1p-52;
  if (n > 0) e[n - 1] = 0;
  double shifted = 0, most = 0;
  for (int64_t l = 0; l < n; l++) {
    const double size = __builtin_fabs(d[l]) + __builtin_fabs(e[l]);
    if (size > most) most = size;
    int64_t m = l;
    while (m < n - 1 && __builtin_fabs(e[m]) > epsilon * most) m++;
    if (m > l) {
      int steps = 0;
      do {
        if (steps++ == 60) return 0;
        double g = d[l], p = (d[l + 1] - g) / (2 * e[l]), r = t_fac_hypotenuse(p, 1);
        if (p < 0) r = -r;
        d[l] = e[l] / (p + r);
        d[l + 1] = e[l] * (p + r);
        const double next = d[l + 1];
        double h = g - d[l];
        for (int64_t i = l + 2; i < n; i++) d[i] = d[i] - h;
        shifted += h;
        p = d[m];
        double c = 1, c2 = 1, c3 = 1, s = 0, s2 = 0;
        const double below = e[l + 1];
        for (int64_t i = m - 1; i >= l; i--) {
          c3 = c2;
          c2 = c;
          s2 = s;
          g = c * e[i];
          h = c * p;
          r = t_fac_hypotenuse(p, e[i]);
          e[i + 1] = s * r;
          s = r == 0 ? 0 : e[i] / r;
          c = r == 0 ? 1 : p / r;
          p = c * d[i] - s * g;
          d[i + 1] = h + s * (c * g + s * d[i]);
          t_fac_rotate(v + (i + 1) * n, v + i * n, n, c, s);
        }
        p = (-s * s2 * c3 * below * e[l]) / next;
        e[l] = s * p;
        d[l] = c * p;
      } while (__builtin_fabs(e[l]) > epsilon * most);
    }
    d[l] = d[l] + shifted;
    e[l] = 0;
  }
  return 1;
}
static void t_fac_symmetric(int64_t n, double *a, double *values, double *vectors, double *work) {
  double *const v = work, *const e = v + n * n, *const w = e + n;
  int64_t *const order = (int64_t *)(w + n);
  for (int64_t i = 0; i < n; i++)
    for (int64_t j = 0; j < i; j++) a[j * n + i] = a[i * n + j];
  const double unit = t_fac_rescale(a, n * n);
  int found = unit == unit;
  if (found) {
    t_fac_tridiagonal(n, a, v, values, e, w);
    for (int64_t i = 0; i < n; i++)
      for (int64_t j = 0; j < i; j++) {
        const double x = v[i * n + j];
        v[i * n + j] = v[j * n + i];
        v[j * n + i] = x;
      }
    found = t_fac_implicit_ql(n, v, values, e);
  }
  if (!found) {
    for (int64_t i = 0; i < n; i++) values[i] = __builtin_nan("");
    for (int64_t i = 0; i < n * n; i++) vectors[i] = __builtin_nan("");
    return;
  }
  for (int64_t i = 0; i < n; i++) {
    int64_t at = i;
    const double key = values[i];
    for (; at > 0 && e[at - 1] > key; at--) {
      e[at] = e[at - 1];
      order[at] = order[at - 1];
    }
    e[at] = key;
    order[at] = i;
  }
  for (int64_t k = 0; k < n; k++) {
    values[k] = e[k] * unit;
    for (int64_t i = 0; i < n; i++) vectors[i * n + k] = v[order[k] * n + i];
  }
}`;
