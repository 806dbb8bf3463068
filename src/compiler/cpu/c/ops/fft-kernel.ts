// The kernel of fft: each element of the batch is transformed in f64, in scratch memory, dim by dim, and rounded once. The
// transforms of one vector are explained in hlo/ops/fourier.ts.
import { elementAt } from '../../../../base/element-at.ts';
import { elementCount, stridesOf } from '../../../../hlo/types.ts';
import type { KernelOperand } from '../../../ir/operands.ts';
import { directFftLength, type OpKernelOf } from '../../ir/op-kernel.ts';
import type { KernelText } from '../kernel-text.ts';
import { registerType, stored } from '../scalar/c-types.ts';
import { converted } from '../scalar/scalar.ts';
import { PlainKernel } from './plain-kernel.ts';

export function printFft(kernel: OpKernelOf<'fft'>, operands: readonly KernelOperand[]): KernelText {
  const { op, cut, scratch, scratchBytes } = kernel;
  const { fftType, fftLength } = op.attributes;
  const k = new PlainKernel(kernel, operands);
  const { out } = k;
  const [x, y] = [k.input(0), k.result(0)];
  const rank = fftLength.length;
  const [from, to] = [x.sizes.slice(-rank), y.sizes.slice(-rank)];
  const [fromCount, toCount] = [elementCount(from), elementCount(to)];
  const inverse = fftType === 'IFFT' || fftType === 'IRFFT' ? 1 : 0;
  const along = (name: string, shape: readonly number[], d: number): void => {
    const [n, stride] = [elementAt(shape, d), elementAt(stridesOf(shape), d)];
    out.line(`t_fft_along(${name}, ${elementCount(shape.slice(0, d))}, ${n}, ${stride}, ${inverse}, line, work);`);
  };
  const outer = Array.from({ length: rank - 1 }, (_, d) => rank - 2 - d);
  const [rows, width, narrow] = [elementCount(to.slice(0, -1)), elementAt(to, rank - 1), elementAt(from, rank - 1)];

  k.openTask();
  out.line(`double _Complex *const whole = call->rt->scratch(call->rt, worker, ${scratchBytes});`);
  out.line(
    `double _Complex *const other = whole + ${scratch.whole}, *const line = other + ${scratch.whole}, *const work = line + ${scratch.line};`,
  );
  k.openUnits(cut, 'b');
  out.line(
    `for (int64_t i = 0; i < ${fromCount}; i++) whole[i] = ${converted(x.load(`b * ${fromCount} + i`), x.type, 'complex<f64>')};`,
  );
  if (fftType === 'IRFFT') {
    for (const d of outer.toReversed()) along('whole', from, d);
    // the second half is the conjugate of the first
    out.open(`for (int64_t r = 0; r < ${rows}; r++) for (int64_t i = 0; i < ${width}; i++)`);
    out.line(`const double _Complex v = whole[r * ${narrow} + (i < ${narrow} ? i : ${width} - i)];`);
    out.line(`other[r * ${width} + i] = i < ${narrow} ? v : __builtin_complex(__real__ v, -__imag__ v);`);
    out.close();
    along('other', to, rank - 1);
  } else {
    along('whole', from, rank - 1);
    out.line(
      `for (int64_t r = 0; r < ${rows}; r++) for (int64_t i = 0; i < ${width}; i++) other[r * ${width} + i] = whole[r * ${narrow} + i];`,
    );
    for (const d of outer) along('other', to, d);
  }
  const part = `(${registerType(y.type)})${converted('other[i]', 'complex<f64>', y.type)}`;
  out.line(`for (int64_t i = 0; i < ${toCount}; i++) p${y.slot}[b * ${toCount} + i] = ${stored(y.type, part)};`);
  out.close();
  out.close();
  return {
    code: k.text(cut),
    helpers: new Map([['t_fft_along', routines]]),
  };
}

/**
 * exp(2πi · sign · k / n) with angles folded to an eighth of the circle; then the three algorithms, and the transform of
 * one dim of many.
 */
const routines = `static inline __attribute__((always_inline)) double _Complex t_fft_product(double _Complex x, double _Complex y) {
  const double a = __real__ x, b = __imag__ x, c = __real__ y, d = __imag__ y;
  return __builtin_complex(a * c - b * d, a * d + b * c);
}
static void t_fft_roots(int64_t n, int64_t count, double sign, double _Complex *out) {
  for (int64_t k = 0; k < count; k++) {
    const int64_t quarter = (8 * k + n) / (2 * n);
    const double angle = 6.283185307179586476925 * ((double)k - (double)(quarter * n) / 4) / (double)n;
    const double c = __builtin_cos(angle), s = __builtin_sin(angle);
    const double re = quarter % 4 == 0 ? c : quarter % 4 == 1 ? -s : quarter % 4 == 2 ? -c : s;
    const double im = quarter % 4 == 0 ? s : quarter % 4 == 1 ? c : quarter % 4 == 2 ? -s : -c;
    out[k] = __builtin_complex(re, sign * im);
  }
}
static void t_fft_power_of_2(double _Complex *x, int64_t n, double sign, double _Complex *w) {
  for (int64_t i = 1, j = 0; i < n; i++) {
    int64_t bit = n >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) {
      const double _Complex t = x[i];
      x[i] = x[j];
      x[j] = t;
    }
  }
  t_fft_roots(n, n / 2, sign, w);
  for (int64_t size = 2; size <= n; size *= 2)
    for (int64_t start = 0; start < n; start += size)
      for (int64_t k = 0; k < size / 2; k++) {
        double _Complex *const p = x + start + k, *const q = p + size / 2;
        const double _Complex t = t_fft_product(*q, w[k * (n / size)]);
        *q = *p - t;
        *p = *p + t;
      }
}
static void t_fft(double _Complex *x, int64_t n, double sign, double _Complex *work) {
  if ((n & (n - 1)) == 0) {
    t_fft_power_of_2(x, n, sign, work);
    return;
  }
  if (n <= ${directFftLength}) {
    double _Complex *const copy = work + n;
    t_fft_roots(n, n, sign, work);
    for (int64_t i = 0; i < n; i++) copy[i] = x[i];
    for (int64_t k = 0; k < n; k++) {
      double _Complex sum = 0;
      for (int64_t i = 0; i < n; i++) sum += t_fft_product(copy[i], work[i * k % n]);
      x[k] = sum;
    }
    return;
  }
  int64_t length = 1;
  while (length < 2 * n - 1) length *= 2;
  double _Complex *const circle = work, *const a = circle + 2 * n, *const chirp = a + length, *const roots = chirp + length;
  t_fft_roots(2 * n, 2 * n, sign, circle);
  for (int64_t i = 0; i < length; i++) a[i] = chirp[i] = 0;
  for (int64_t k = 0; k < n; k++) {
    const double _Complex c = circle[(int64_t)((unsigned __int128)k * k % (uint64_t)(2 * n))];
    a[k] = t_fft_product(x[k], c);
    chirp[k] = chirp[(length - k) % length] = __builtin_complex(__real__ c, -__imag__ c);
  }
  t_fft_power_of_2(a, length, -1, roots);
  t_fft_power_of_2(chirp, length, -1, roots);
  for (int64_t i = 0; i < length; i++) a[i] = t_fft_product(a[i], chirp[i]);
  t_fft_power_of_2(a, length, 1, roots);
  for (int64_t k = 0; k < n; k++) {
    const double _Complex c = circle[(int64_t)((unsigned __int128)k * k % (uint64_t)(2 * n))];
    const double _Complex v = t_fft_product(a[k], c);
    x[k] = __builtin_complex(__real__ v / (double)length, __imag__ v / (double)length);
  }
}
static void t_fft_along(double _Complex *x, int64_t outer, int64_t n, int64_t stride, int inverse, double _Complex *line, double _Complex *work) {
  const double by = inverse ? (double)n : 1.0;
  for (int64_t o = 0; o < outer; o++)
    for (int64_t s = 0; s < stride; s++) {
      double _Complex *const at = x + o * n * stride + s;
      for (int64_t k = 0; k < n; k++) line[k] = at[k * stride];
      t_fft(line, n, inverse ? 1.0 : -1.0, work);
      for (int64_t k = 0; k < n; k++) at[k * stride] = __builtin_complex(__real__ line[k] / by, __imag__ line[k] / by);
    }
}`;
