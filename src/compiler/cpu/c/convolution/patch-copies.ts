// C shared by the convolutions of a unit: copying patches to the operand of a multiply's kernel, and sums to the
// result. The functions are general (a `t_conv` has the sizes); only types and the step between neighbors are
// fixed. Each copied element is used in one product per output feature, so copying need not be tuned to a shape.
//
// Copies overrun by less than a vector, from left to right, so that the next copy overwrites the excess; targets have room for
// the last one. Where an overrun would read beyond x's memory, elements are copied one by one.

import { dimCount } from '../../convolution/convolution-problem.ts';
import type { KernelType, Load } from '../../ir/multiply-tiling.ts';
import { loadText, loadType, shareLoad } from '../gemm/formats.ts';
import { scalarType, vectorType } from '../gemm/gemm-types.ts';
import { comment } from '../outside-text.ts';

export interface CopySpec {
  readonly type: Exclude<KernelType, 'bf16'>;
  readonly load: Load;
  readonly lanes: number;
  /** The processor converts f16. */
  readonly f16: boolean;
  /** The distance in x between copied elements: with 2, every second element is extracted from vectors. */
  readonly step: 1 | 2 | 'any';
  /** Consecutive rows of x become columns (or taps): a run continues from row to row, and padding is cleared. */
  readonly flat: boolean;
}

export const extentCount = 5;

/** The sizes of one phase, as arguments of its functions. */
export const shapeStruct = `${comment(`A convolution's phase as a multiply. Along each of the last ${dimCount} dims, position q and tap t meet element`)}
// q * step + t * dilation + first of x, padding where that is not in [0, size).
typedef struct {
  int64_t columns, depth, inputs, x_in;
  int64_t q[${dimCount}], taps[${dimCount}], step[${dimCount}], dilation[${dimCount}], first[${dimCount}], size[${dimCount}], xs[${dimCount}];
  int64_t w_size[${extentCount}], w_stride[${extentCount}], w_base;  // weights along k
  int64_t y_size[${dimCount}], y_stride[${dimCount}], y_out, y_base;  // the result along the columns
  int64_t packed;  // where the packed weights begin
} t_conv;
// Columns that are contiguous in x and in the target.
typedef struct { int64_t base, at[${dimCount}]; int32_t to, count; } t_conv_run;
static int64_t t_conv_runs(const t_conv *c, int64_t j0, int64_t j1, int64_t width, int64_t panel, t_conv_run *runs) {
  int64_t q[4], rest = j0, n = 0;
  for (int d = 3; d >= 0; d--) q[d] = rest % c->q[d], rest /= c->q[d];
  for (int64_t j = j0; j < j1; n++) {
    const int64_t within = (j - j0) % width;
    int64_t count = c->q[3] - q[3];
    if (count > width - within) count = width - within;
    if (count > j1 - j) count = j1 - j;
    t_conv_run *const run = &runs[n];
    run->base = 0;
    for (int d = 0; d < 4; d++) run->at[d] = q[d] * c->step[d], run->base += run->at[d] * c->xs[d];
    run->to = (int32_t)((j - j0) / width * panel + within);
    run->count = (int32_t)count;
    j += count;
    q[3] += count;
    for (int d = 3; d > 0 && q[d] == c->q[d]; d--) q[d] = 0, q[d - 1]++;
  }
  return n;
}
// Positions i of [0, count) with 0 <= at + i * step < size: [*from, *to).
static inline void t_conv_inside(int64_t at, int64_t step, int64_t size, int64_t count, int64_t *from, int64_t *to) {
  *from = at >= 0 ? 0 : (step - 1 - at) / step;
  *to = at >= size ? 0 : (size - 1 - at) / step + 1;
  if (*from > count) *from = count;
  if (*to > count) *to = count;
  if (*to < *from) *to = *from;
}
`;

/** Names and texts of the functions that copy: pieces, panels (`across`), rows (`along`). */
export interface CopyFunctions {
  readonly pieces: string;
  readonly panel: string;
  readonly rows: string;
  readonly rowsOfFeatures: string;
}

function suffix(s: CopySpec): string {
  return `${s.load === 'copy' ? s.type : s.load}_${s.flat ? 'flat' : s.step}`;
}

export function copyFunctions(s: CopySpec): CopyFunctions {
  const end = suffix(s);
  return {
    pieces: `t_conv_pieces_${end}`,
    panel: `t_conv_panel_row_${end}`,
    rows: `t_conv_rows_${end}`,
    rowsOfFeatures: `t_conv_rows_of_features_${end}`,
  };
}

/** Adds the functions that `across` needs. */
export function sharePanels(helpers: Map<string, string>, s: CopySpec): void {
  const names = copyFunctions(s);
  shareCommon(helpers, s);
  const X = loadType(s.load, s.type);
  const T = scalarType(s.type);
  const step = stepText(s, 'c->step[3] * c->xs[3]');
  helpers.set(
    names.pieces,
    `// The pieces that tap \`tap\` reads for some runs of columns: elements of x of feature 0, or zeros.
static int64_t ${names.pieces}(const t_conv *c, const ${X} *x, const ${X} *end, const t_conv_run *runs, int64_t count,
    int64_t tap, ${piece(s)} *to) {
  ${piece(s)} *const first = to;
  int64_t at[4], offset = 0;
  for (int d = 3; d >= 0; d--) {
    at[d] = c->first[d] + tap % c->taps[d] * c->dilation[d];
    tap /= c->taps[d];
    offset += at[d] * c->xs[d];
  }
  for (int64_t r = 0; r < count; r++) {
    const t_conv_run *const run = &runs[r];
    int64_t from = run->count, stop = run->count;
    int inside = 1;
    for (int d = 0; d < 3; d++) inside &= (uint64_t)(run->at[d] + at[d]) < (uint64_t)c->size[d];
    if (inside) t_conv_inside(run->at[3] + at[3], c->step[3], c->size[3], run->count, &from, &stop);
    if (from > 0) *to++ = (${piece(s)}){${zeros(s)}, 0, run->to, (int32_t)from, (int32_t)(from + ${s.lanes - 1}) / ${s.lanes}};
    if (stop > from) {
      const ${X} *const source = x + run->base + offset + from * c->step[3] * c->xs[3];
      const int64_t vectors = (stop - from + ${s.lanes - 1}) / ${s.lanes};
      const int whole = ${s.step === 'any' ? '0' : `(end - source) >= (c->inputs - 1) * c->x_in + vectors * ${s.lanes * s.step}`};
      *to++ = (${piece(s)}){source, c->x_in, run->to + (int32_t)from, (int32_t)(stop - from), whole ? (int32_t)vectors : 0};
    }
    if (run->count > stop) *to++ = (${piece(s)}){${zeros(s)}, 0, run->to + (int32_t)stop, (int32_t)(run->count - stop), (int32_t)(run->count - stop + ${s.lanes - 1}) / ${s.lanes}};
  }
  return to - first;
}`,
  );
  helpers.set(
    names.panel,
    `// One k of all panels: the elements of one feature at one tap.
static inline void ${names.panel}(const t_conv *c, const ${piece(s)} *p, const ${piece(s)} *end, int64_t feature, ${T} *row) {
  for (; p < end; p++) {
    const ${X} *const from = p->from + feature * p->step;
    ${T} *const to = row + p->to;
    if (p->vectors > 0) {
      for (int64_t v = 0; v < p->vectors; v++) ${copyVector(s, 'to', 'from', 'v')}
    } else {
      for (int64_t i = 0; i < p->count; i++) to[i] = ${loadText(s.load, s.type, 1, `from + i * (${step})`)};
    }
  }
}`,
  );
}

/** Adds the functions that `along` needs. */
export function shareRows(helpers: Map<string, string>, s: CopySpec, featureInner: boolean): void {
  const names = copyFunctions(s);
  shareCommon(helpers, s);
  const X = loadType(s.load, s.type);
  const T = scalarType(s.type);
  const V = vectorType(s.type, s.lanes);
  const clear = (to: string, count: string): string =>
    `for (int64_t i = 0; i < ${count}; i += ${s.lanes}) GEMM_STORE(${V}, ${to} + i, (${V}){0});`;
  const copy = (to: string, from: string, count: string, step: string): string =>
    `${
      s.step === 'any'
        ? ''
        : `if (end - (${from}) >= (${count} + ${s.lanes - 1}) / ${s.lanes} * ${s.lanes * s.step}) {
        for (int64_t v = 0; v * ${s.lanes} < ${count}; v++) ${copyVector(s, to, from, 'v')}
      } else `
    }for (int64_t i = 0; i < ${count}; i++) (${to})[i] = ${loadText(s.load, s.type, 1, `${from} + i * (${step})`)};`;
  const head = (name: string): string =>
    `static void ${name}(const t_conv *c, const ${X} *x, const ${X} *begin, const ${X} *end, int64_t j0, int64_t j1, int64_t k0, int64_t k1, ${T} *target, int64_t row) {
  for (int64_t j = j0; j < j1; j++, target += row) {
    int64_t at[4], rest = j;
    for (int d = 3; d >= 0; d--) at[d] = rest % c->q[d] * c->step[d] + c->first[d], rest /= c->q[d];`;
  const decode = `int64_t t[4];
    for (int d = 3; d >= 0; d--) t[d] = rest % c->taps[d], rest /= c->taps[d];`;
  if (featureInner) {
    helpers.set(
      names.rowsOfFeatures,
      `// Patches as rows, k = (tap, feature): runs of features.
${head(names.rowsOfFeatures)}
    int64_t feature = k0 % c->inputs;
    rest = k0 / c->inputs;
    ${decode}
    ${T} *to = target;
    for (int64_t k = k0; k < k1;) {
      int64_t count = c->inputs - feature, base = 0;
      if (count > k1 - k) count = k1 - k;
      int inside = 1;
      for (int d = 0; d < 4; d++) {
        const int64_t p = at[d] + t[d] * c->dilation[d];
        inside &= (uint64_t)p < (uint64_t)c->size[d];
        base += p * c->xs[d];
      }
      if (inside) {
        const ${X} *const from = x + base + feature * c->x_in;
        ${copy('to', 'from', 'count', stepText(s, 'c->x_in'))}
      } else ${clear('to', 'count')}
      to += count, k += count, feature = 0, t[3]++;
      for (int d = 3; d > 0 && t[d] == c->taps[d]; d--) t[d] = 0, t[d - 1]++;
    }
  }
}`,
    );
    return;
  }
  if (s.flat) {
    helpers.set(
      names.rows,
      `// Patches as rows, k = (feature, tap), where taps along the last two dims are contiguous in x: copied as if there were
// no padding; then the padding is set to zero.
${head(names.rows)}
    int64_t top, bottom, left, right;
    t_conv_inside(at[2], c->dilation[2], c->size[2], c->taps[2], &top, &bottom);
    t_conv_inside(at[3], c->dilation[3], c->size[3], c->taps[3], &left, &right);
    const int64_t width = c->taps[3], area = c->taps[2] * width;
    if (left >= right) bottom = top;
    rest = k0 / area;
    int64_t t1 = rest % c->taps[1], t0 = rest / c->taps[1] % c->taps[0], feature = rest / c->taps[1] / c->taps[0];
    int64_t flat = k0 % area;
    for (int64_t k = k0; k < k1;) {
      const int64_t count = area - flat < k1 - k ? area - flat : k1 - k;
      const int64_t p0 = at[0] + t0 * c->dilation[0], p1 = at[1] + t1 * c->dilation[1];
      const int inside = (uint64_t)p0 < (uint64_t)c->size[0] && (uint64_t)p1 < (uint64_t)c->size[1];
      int64_t lo = top * width - flat, hi = bottom * width - flat;
      if (lo < 0) lo = 0;
      if (hi > count) hi = count;
      if (!inside || lo >= hi) lo = hi = count;
      ${T} *const to = target + (k - k0);
      ${clear('to', 'lo')}
      if (hi > lo) {
        const ${X} *const from = x + p0 * c->xs[0] + p1 * c->xs[1] + at[2] * c->xs[2] + at[3] * c->xs[3] + feature * c->x_in + flat;
        if (from + lo >= begin && end - from >= hi + ${s.lanes}) {
          for (int64_t i = lo; i < hi; i += ${s.lanes}) GEMM_STORE(${V}, to + i, ${loadText(s.load, s.type, s.lanes, 'from + i')});
        } else {
          for (int64_t i = lo; i < hi; i++) to[i] = (uint64_t)((flat + i) % width - left) < (uint64_t)(right - left) ? ${loadText(s.load, s.type, 1, 'from + i')} : 0;
        }
        if (left > 0 || right < width) {
          for (int64_t row = (flat + lo) / width * width - flat; row < hi; row += width) {
            for (int64_t i = row < lo ? lo : row; i < row + left && i < hi; i++) to[i] = 0;
            for (int64_t i = row + right < lo ? lo : row + right; i < row + width && i < hi; i++) to[i] = 0;
          }
        }
      }
      ${clear('(to + hi)', '(count - hi)')}
      k += count, flat = 0;
      if (++t1 == c->taps[1]) {
        t1 = 0;
        if (++t0 == c->taps[0]) t0 = 0, feature++;
      }
    }
  }
}`,
    );
    return;
  }
  helpers.set(
    names.rows,
    `// Patches as rows, k = (feature, tap): runs of taps along the innermost dim.
${head(names.rows)}
    int64_t from, stop;
    t_conv_inside(at[3], c->dilation[3], c->size[3], c->taps[3], &from, &stop);
    rest = k0;
    ${decode}
    int64_t feature = rest;
    ${T} *to = target;
    for (int64_t k = k0; k < k1;) {
      int64_t count = c->taps[3] - t[3], base = 0;
      if (count > k1 - k) count = k1 - k;
      int inside = 1;
      for (int d = 0; d < 3; d++) {
        const int64_t p = at[d] + t[d] * c->dilation[d];
        inside &= (uint64_t)p < (uint64_t)c->size[d];
        base += p * c->xs[d];
      }
      int64_t lo = from > t[3] ? from - t[3] : 0, hi = stop - t[3] < count ? stop - t[3] : count;
      if (!inside || lo >= hi) lo = hi = count;
      ${clear('to', 'lo')}
      if (hi > lo) {
        const ${X} *const source = x + base + (at[3] + (t[3] + lo) * c->dilation[3]) * c->xs[3] + feature * c->x_in;
        const int64_t copied = hi - lo;
        ${copy('(to + lo)', 'source', 'copied', stepText(s, 'c->dilation[3] * c->xs[3]'))}
      }
      ${clear('(to + hi)', '(count - hi)')}
      to += count, k += count, t[3] += count;
      for (int d = 3; d > 0 && t[d] == c->taps[d]; d--) t[d] = 0, t[d - 1]++;
      if (t[0] == c->taps[0]) t[0] = 0, feature++;
    }
  }
}`,
  );
}

function shareCommon(helpers: Map<string, string>, s: CopySpec): void {
  const X = loadType(s.load, s.type);
  for (const lanes of [1, s.lanes]) shareLoad(helpers, s.load, lanes, s.f16);
  // Elements under the padding. A piece is at most a panel, 8 vectors; every second element of it, twice that.
  helpers.set(
    zeros(s),
    `static const ${X} ${zeros(s)}[${18 * s.lanes}];
typedef struct { const ${X} *from; int64_t step; int32_t to, count, vectors; } ${piece(s)};`,
  );
}

const zeros = (s: CopySpec): string => `t_conv_zeros_${s.load === 'copy' ? s.type : s.load}`;
/** The C type of a piece of a panel's row. */
export const piece = (s: CopySpec): string => `t_conv_piece_${s.load === 'copy' ? s.type : s.load}`;
const stepText = (s: CopySpec, text: string): string => (s.step === 'any' ? text : String(s.step));

/** Stores vector `v` of a run. */
function copyVector(s: CopySpec, to: string, from: string, v: string): string {
  const V = vectorType(s.type, s.lanes);
  const at = (offset: number): string => `${from} + ${v} * ${2 * s.lanes}${offset === 0 ? '' : ` + ${offset}`}`;
  const value =
    s.step === 2
      ? `GEMM_SHUFFLE(${V}, ${loadText(s.load, s.type, s.lanes, at(0))}, ${loadText(s.load, s.type, s.lanes, at(s.lanes))}, ${Array.from({ length: s.lanes }, (_, i) => 2 * i).join(', ')})`
      : loadText(s.load, s.type, s.lanes, `${from} + ${v} * ${s.lanes}`);
  return `GEMM_STORE(${V}, ${to} + ${v} * ${s.lanes}, ${value});`;
}
