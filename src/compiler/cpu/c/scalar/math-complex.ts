// The functions of complex numbers that emitted kernels call, on `double _Complex`: the same formulas as in numerics/complex.ts,
// which explains them. They round after each operation, like all emitted C: contraction to multiply-adds
// would lose the error terms. Exact products use __builtin_fma explicitly, on any CPU.
import type { PreludePiece } from './prelude-piece.ts';

const fn = (name: string, text: string): PreludePiece => ({ name, text: `static __attribute__((noinline)) ${text}` });

export const mathComplex: readonly PreludePiece[] = [
  // terms summed almost exactly, as partial sums that do not overlap; the second result is the error of the first
  fn(
    't_exact_sum',
    `double t_exact_sum(double *terms, int count, double *rest) {
  double parts[8];
  int kept = 0;
  for (int i = 0; i < count; i++) {
    double x = terms[i];
    int next = 0;
    for (int j = 0; j < kept; j++) {
      const double s = x + parts[j], b = s - x, e = (x - (s - b)) + (parts[j] - b);
      if (e != 0) parts[next++] = e;
      x = s;
    }
    parts[next++] = x;
    kept = next;
  }
  double high = 0, low = 0;
  for (int j = kept - 1; j >= 0; j--) {
    const double s = high + parts[j], b = s - high;
    low += (high - (s - b)) + (parts[j] - b);
    high = s;
  }
  const double s = high + low, b = s - high;
  *rest = (high - (s - b)) + (low - b);
  return s;
}`,
  ),
  // ab + cd + e
  fn(
    't_sum_of_products',
    `double t_sum_of_products(double a, double b, double c, double d, double e, double *rest) {
  const double p = a * b, q = c * d;
  double terms[5] = {e, p, __builtin_fma(a, b, -p), q, __builtin_fma(c, d, -q)};
  return t_exact_sum(terms, 5, rest);
}`,
  ),
  fn(
    't_scale_of',
    `double t_scale_of(double x) {
  if (x == 0 || x - x != 0) return 1;
  const int e = __builtin_ilogb(x);
  return __builtin_ldexp(1.0, e < -1000 ? -1000 : e > 1000 ? 1000 : e);
}`,
  ),
  fn(
    't_abs_complex',
    `double t_abs_complex(double _Complex z) {
  const double x = __builtin_fabs(__real__ z), y = __builtin_fabs(__imag__ z);
  if (x == __builtin_inf() || y == __builtin_inf()) return __builtin_inf();
  const double scale = t_scale_of(x > y ? x : y), a = x / scale, b = y / scale;
  double rest;
  const double square = t_sum_of_products(a, a, b, b, 0, &rest), root = __builtin_sqrt(square);
  if (root == 0 || root != root) return root;
  const double r = root * root, low = __builtin_fma(root, root, -r);
  return scale * (root + (square - r - low + rest) / (2 * root));
}`,
  ),
  fn(
    't_multiply_complex',
    `double _Complex t_multiply_complex(double _Complex x, double _Complex y) {
  const double a = __real__ x, b = __imag__ x, c = __real__ y, d = __imag__ y;
  return __builtin_complex(a * c - b * d, a * d + b * c);
}`,
  ),
  fn(
    't_multiply_complex_f32',
    `float _Complex t_multiply_complex_f32(float _Complex x, float _Complex y) {
  const float a = __real__ x, b = __imag__ x, c = __real__ y, d = __imag__ y;
  return __builtin_complex(a * c - b * d, a * d + b * c);
}`,
  ),
  fn(
    't_divide_complex',
    `double _Complex t_divide_complex(double _Complex x, double _Complex y) {
  const double inf = __builtin_inf(), a = __real__ x, b = __imag__ x, c = __real__ y, d = __imag__ y;
  const double aa = __builtin_fabs(a), ab = __builtin_fabs(b), ac = __builtin_fabs(c), ad = __builtin_fabs(d);
  const double above = t_scale_of(aa > ab ? aa : ab), below = t_scale_of(ac > ad ? ac : ad);
  const double p = a / above, q = b / above, r = c / below, s = d / below;
  double rest;
  const double norm = t_sum_of_products(r, r, s, s, 0, &rest);
  const double re = t_sum_of_products(p, r, q, s, 0, &rest) / norm * above / below;
  const double im = t_sum_of_products(q, r, -p, s, 0, &rest) / norm * above / below;
  if (re == re || im == im) return __builtin_complex(re, im);
  if (norm == 0) return __builtin_complex(__builtin_copysign(inf, c) * a, __builtin_copysign(inf, c) * b);
  const _Bool above_infinite = aa == inf || ab == inf, below_infinite = ac == inf || ad == inf;
  if (above_infinite && c - c == 0 && d - d == 0) {
    const double u = __builtin_copysign(aa == inf, a), v = __builtin_copysign(ab == inf, b);
    return __builtin_complex(inf * (u * c + v * d), inf * (v * c - u * d));
  }
  if (below_infinite && a - a == 0 && b - b == 0) {
    const double u = __builtin_copysign(ac == inf, c), v = __builtin_copysign(ad == inf, d);
    return __builtin_complex(0 * (a * u + b * v), 0 * (b * u - a * v));
  }
  return __builtin_complex(re, im);
}`,
  ),
  fn(
    't_sign_complex',
    `double _Complex t_sign_complex(double _Complex z) {
  const double x = __real__ z, y = __imag__ z;
  if (x != x || y != y) return __builtin_complex(__builtin_nan(""), __builtin_nan(""));
  if (x == 0 && y == 0) return 0;
  const double ax = __builtin_fabs(x), ay = __builtin_fabs(y), scale = t_scale_of(ax > ay ? ax : ay);
  const double a = x / scale, b = y / scale, length = t_abs_complex(__builtin_complex(a, b));
  return __builtin_complex(a / length, b / length);
}`,
  ),
  fn(
    't_scaled_exp',
    `double t_scaled_exp(double x, double factor) {
  return x > 700 && x < 2000 ? __builtin_exp(x - 64) * factor * __builtin_exp(64.0) : __builtin_exp(x) * factor;
}`,
  ),
  fn(
    't_exp_complex',
    `double _Complex t_exp_complex(double _Complex z) {
  const double x = __real__ z, y = __imag__ z;
  if (y == 0) return __builtin_complex(__builtin_exp(x), y);
  return __builtin_complex(t_scaled_exp(x, __builtin_cos(y)), t_scaled_exp(x, __builtin_sin(y)));
}`,
  ),
  fn(
    't_expm1_complex',
    `double _Complex t_expm1_complex(double _Complex z) {
  const double x = __real__ z, y = __imag__ z;
  if (y == 0) return __builtin_complex(__builtin_expm1(x), y);
  const double _Complex e = t_exp_complex(z);
  if (!(__builtin_fabs(x) < 700) || y - y != 0) return __builtin_complex(__real__ e - 1, __imag__ e);
  const double half = __builtin_sin(y / 2);
  return __builtin_complex(__builtin_expm1(x) * __builtin_cos(y) - 2 * half * half, __imag__ e);
}`,
  ),
  fn(
    't_log_complex',
    `double _Complex t_log_complex(double _Complex z) {
  const double a = __builtin_fabs(__real__ z), b = __builtin_fabs(__imag__ z), angle = __builtin_atan2(__imag__ z, __real__ z);
  const double larger = a > b || a != a ? a : b, smaller = a > b || a != a ? b : a, inf = __builtin_inf();
  if (a == inf || b == inf) return __builtin_complex(inf, angle);
  if (larger > 0.5 && larger < 2) {
    double rest;
    return __builtin_complex(__builtin_log1p(t_sum_of_products(larger, larger, smaller, smaller, -1, &rest)) / 2, angle);
  }
  const double ratio = larger == 0 ? 0 : smaller / larger;
  return __builtin_complex(__builtin_log(larger) + __builtin_log1p(ratio * ratio) / 2, angle);
}`,
  ),
  fn(
    't_log1p_complex',
    `double _Complex t_log1p_complex(double _Complex z) {
  const double x = __real__ z, y = __imag__ z;
  if (__builtin_fabs(x) < 4 && __builtin_fabs(y) < 4) {
    double rest;
    const double sum = t_sum_of_products(x, x, y, y, 2 * x, &rest);
    if (sum > -0.75) return __builtin_complex(__builtin_log1p(sum) / 2, __builtin_atan2(y, 1 + x));
  }
  return t_log_complex(__builtin_complex(1 + x, y));
}`,
  ),
  fn(
    't_logistic_complex',
    `double _Complex t_logistic_complex(double _Complex z) {
  const double x = __real__ z, y = __imag__ z, half = __builtin_cos(y / 2);
  const double _Complex e = t_exp_complex(__builtin_complex(-x, -y));
  if (__builtin_isinf(__real__ e) || __builtin_isinf(__imag__ e)) return 0;
  const double re = __builtin_fabs(x) > 1 ? 1 + __real__ e : __builtin_expm1(-x) * __builtin_cos(y) + 2 * half * half;
  return t_divide_complex(1, __builtin_complex(re, __imag__ e));
}`,
  ),
  // a power of two whose square is near |x|
  fn(
    't_root_scale',
    `double t_root_scale(double x, double y) {
  const double a = __builtin_fabs(x), b = __builtin_fabs(y);
  const int e = __builtin_ilogb(t_scale_of(a > b ? a : b));
  return __builtin_ldexp(1.0, (e - (e & 1)) / 2);
}`,
  ),
  fn(
    't_sqrt_complex',
    `double _Complex t_sqrt_complex(double _Complex z) {
  const double x = __real__ z, y = __imag__ z, inf = __builtin_inf(), nan = __builtin_nan("");
  if (__builtin_fabs(y) == inf) return __builtin_complex(inf, y);
  if (x == inf) return __builtin_complex(inf, y != y ? y : __builtin_copysign(0.0, y));
  if (x == -inf) return y != y ? __builtin_complex(nan, inf) : __builtin_complex(0.0, __builtin_copysign(inf, y));
  if (x != x || y != y) return __builtin_complex(nan, nan);
  if (x == 0 && y == 0) return __builtin_complex(0.0, y);
  const double root = t_root_scale(x, y), a = __builtin_fabs(x) / root / root, b = __builtin_fabs(y) / root / root;
  const double large = __builtin_sqrt((a + t_abs_complex(__builtin_complex(a, b))) / 2) * root;
  const double small = __builtin_fabs(y) / large / 2;
  return x >= 0 ? __builtin_complex(large, __builtin_copysign(small, y)) : __builtin_complex(small, __builtin_copysign(large, y));
}`,
  ),
  fn(
    't_rsqrt_complex',
    `double _Complex t_rsqrt_complex(double _Complex z) {
  const double x = __real__ z, y = __imag__ z, inf = __builtin_inf(), nan = __builtin_nan("");
  if (x == 0 && y == 0) return __builtin_complex(inf, nan);
  if (__builtin_fabs(x) == inf || __builtin_fabs(y) == inf)
    return x != x || y != y ? __builtin_complex(nan, nan) : __builtin_complex(0.0, __builtin_copysign(0.0, -y));
  const double root = t_root_scale(x, y);
  const double _Complex scaled = __builtin_complex(x / root / root, y / root / root), w = t_sqrt_complex(scaled);
  const double length = t_abs_complex(scaled);
  return __builtin_complex(__real__ w / length / root, -__imag__ w / length / root);
}`,
  ),
  fn(
    't_cbrt_complex',
    `double _Complex t_cbrt_complex(double _Complex z) {
  const double r = __builtin_cbrt(t_abs_complex(z)), t = __builtin_atan2(__imag__ z, __real__ z) / 3;
  return __builtin_complex(r * __builtin_cos(t), r * __builtin_sin(t));
}`,
  ),
  fn(
    't_scaled_sinh',
    `double t_scaled_sinh(double x, double factor) {
  if (factor == 0) return factor * __builtin_copysign(0.0, x);
  const double a = __builtin_fabs(x);
  return a > 700 ? __builtin_copysign(1.0, x) * t_scaled_exp(a, factor / 2) : __builtin_sinh(x) * factor;
}`,
  ),
  fn(
    't_scaled_cosh',
    `double t_scaled_cosh(double x, double factor) {
  if (factor == 0) return factor;
  const double a = __builtin_fabs(x);
  return a > 700 ? t_scaled_exp(a, factor / 2) : __builtin_cosh(x) * factor;
}`,
  ),
  fn(
    't_sin_complex',
    `double _Complex t_sin_complex(double _Complex z) {
  const double x = __real__ z, y = __imag__ z;
  return __builtin_complex(t_scaled_cosh(y, __builtin_sin(x)), t_scaled_sinh(y, __builtin_cos(x)));
}`,
  ),
  fn(
    't_cos_complex',
    `double _Complex t_cos_complex(double _Complex z) {
  const double x = __real__ z, y = __imag__ z;
  return __builtin_complex(t_scaled_cosh(y, __builtin_cos(x)), -t_scaled_sinh(y, __builtin_sin(x)));
}`,
  ),
  fn(
    't_tanh_complex',
    `double _Complex t_tanh_complex(double _Complex z) {
  const double x = __real__ z, y = __imag__ z, a = __builtin_fabs(x);
  const _Bool finite = y - y == 0;
  if (a > 22) {
    const double im = finite ? 4 * __builtin_sin(y) * __builtin_cos(y) * __builtin_exp(-2 * a) : 0;
    const double sign = finite ? __builtin_sin(2 * y) : y;
    return __builtin_complex(__builtin_copysign(1.0, x), __builtin_copysign(im, sign));
  }
  const double t = __builtin_tan(y), s = __builtin_sinh(x), beta = 1 + t * t, below = 1 + beta * s * s;
  return __builtin_complex(beta * s * __builtin_sqrt(1 + s * s) / below, t / below);
}`,
  ),
  fn(
    't_tan_complex',
    `double _Complex t_tan_complex(double _Complex z) {
  const double _Complex w = t_tanh_complex(__builtin_complex(-__imag__ z, __real__ z));
  return __builtin_complex(__imag__ w, -__real__ w);
}`,
  ),
  fn(
    't_power_complex',
    `double _Complex t_power_complex(double _Complex z, double _Complex w) {
  const double c = __real__ w, d = __imag__ w;
  if (w == 0) return 1;
  if (z == 0) return c > 0 ? 0 : __builtin_complex(__builtin_nan(""), __builtin_nan(""));
  const double _Complex l = t_log_complex(z);
  const double radius = __real__ l, angle = __imag__ l;
  double rest;
  const double re = t_sum_of_products(c, radius, -d, angle, 0, &rest), im = t_sum_of_products(d, radius, c, angle, 0, &rest);
  return t_exp_complex(__builtin_complex(re, im));
}`,
  ),
  // lexicographic: by real parts, then by imaginary ones
  fn(
    't_max_complex',
    `double _Complex t_max_complex(double _Complex z, double _Complex w) {
  return (__real__ z == __real__ w ? __imag__ z > __imag__ w : __real__ z > __real__ w) ? z : w;
}`,
  ),
  fn(
    't_min_complex',
    `double _Complex t_min_complex(double _Complex z, double _Complex w) {
  return (__real__ z == __real__ w ? __imag__ z < __imag__ w : __real__ z < __real__ w) ? z : w;
}`,
  ),
];
