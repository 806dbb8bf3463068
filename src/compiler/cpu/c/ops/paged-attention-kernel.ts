// The kernel of paged attention (hlo/ops/paged-attention.ts). For each row, a query head of a token: 16 positions at a time, in
// order, the largest score and the sum of weights so far are kept, and the sums of values are scaled when the largest grows. What
// is added to a sum, and when, depends on the position alone: a row has the same bits whatever runs with it.
//
//   keys of a block      position 0 1 … 15        a lane is a position: scores are sums along e in order
//                  e = 0    [k k … k]
//                  e = 1    [k k … k]
import { optionalOperands, pagedAttentionOptions, pagedAttentionSizes } from '../../../../hlo/ops/paged-attention.ts';
import type { ElementType } from '../../../../hlo/types.ts';
import type { KernelOperand } from '../../../ir/operands.ts';
import type { OpKernelOf } from '../../ir/op-kernel.ts';
import type { KernelText } from '../kernel-text.ts';
import { floatText, loaded, stored } from '../scalar/c-types.ts';
import { PlainKernel } from './plain-kernel.ts';

const group = 16;
const mostRows = 8;

export function printPagedAttention(
  kernel: OpKernelOf<'paged-attention'>,
  operands: readonly KernelOperand[],
): KernelText {
  const { op, together, cut, scratchBytes } = kernel;
  const options = pagedAttentionOptions(op);
  const { tokens, heads, keyHeads, headDim, block, blocks, table, sequences } = pagedAttentionSizes(op);
  const share = heads / keyHeads;
  const rows = together * share;
  const k = new PlainKernel(kernel, operands);
  const { out } = k;
  const [query, keys, values, tables, ids, lengths] = k.inputs as readonly [Of, Of, Of, Of, Of, Of];
  const { bias, sinks } = optionalOperands(k.inputs, options);
  const slot = (view: Of): string => `p${view.slot}`;
  k.openTask();
  out.line(`float *const q = call->rt->scratch(call->rt, worker, ${scratchBytes});`);
  out.line(`float *const sums = q + ${rows * headDim}, *const w = sums + ${rows * headDim};`);
  out.line(`float *const most = w + ${rows * group}, *const total = most + ${rows}, *const alpha = total + ${rows};`);
  k.openUnits(cut, 'u');
  out.line(`const int64_t first = u / ${keyHeads} * ${together}, g = u % ${keyHeads};`);
  out.line(`const int64_t last = first + ${together} < ${tokens} ? first + ${together} : ${tokens};`);
  out.open('for (int64_t n0 = first, n1; n0 < last; n0 = n1)');
  out.line(`const int64_t id = ${slot(ids)}[n0];`);
  out.line(`int64_t longest = 0, start = ${table * block};`);
  out.open(`for (n1 = n0; n1 < last && ${slot(ids)}[n1] == id; n1++)`);
  out.line(`const int64_t length = ${slot(lengths)}[n1] < ${table * block} ? ${slot(lengths)}[n1] : ${table * block};`);
  const from = options.window === undefined ? '0' : `(length > ${options.window} ? length - ${options.window} : 0)`;
  out.line(`const int64_t from = ${from};`);
  out.line('if (length > longest) longest = length;');
  out.line('if (from < start) start = from;');
  out.close();
  out.line(`const int64_t rows = (n1 - n0) * ${share};`);
  out.open('for (int64_t r = 0; r < rows; r++)');
  out.line(`const int64_t at = ((n0 + r / ${share}) * ${heads} + g * ${share} + r % ${share}) * ${headDim};`);
  out.line(
    `for (int64_t e = 0; e < ${headDim}; e++) q[r * ${headDim} + e] = ${loaded(query.type, `${slot(query)}[at + e]`)} * ${float(options.scale)};`,
  );
  out.line(`for (int64_t e = 0; e < ${headDim}; e++) sums[r * ${headDim} + e] = 0;`);
  const sink = sinks && `${slot(sinks)}[g * ${share} + r % ${share}]`;
  out.line(`most[r] = ${sink ?? '-__builtin_inff()'};`);
  out.line(`total[r] = ${sink === undefined ? '0' : '1'};`);
  out.close();
  out.line(
    `const int32_t *const blocks = ${slot(tables)} + (id < 0 ? 0 : id < ${sequences} ? id : ${sequences - 1}) * ${table};`,
  );
  out.open(`for (int64_t c0 = start / ${group} * ${group}; c0 < longest; c0 += ${group})`);
  out.line(`int64_t b = blocks[c0 / ${block}];`);
  out.line(`b = ((b < 0 ? 0 : b < ${blocks} ? b : ${blocks - 1}) * ${keyHeads} + g) * ${headDim * block};`);
  out.line(`const int64_t count = longest - c0 < ${group} ? longest - c0 : ${group};`);
  const tile = (name: string, count: string): string =>
    `${name}_${count}(q + r * ${headDim}, ${slot(keys)} + b + c0 % ${block}, w + r * ${group})`;
  forTiles(out, rows, size => `${tile(scoresName(keys.type, headDim, block), size)};`);
  out.open('for (int64_t r = 0; r < rows; r++)');
  out.line(`const int64_t n = n0 + r / ${share};`);
  out.line(`const int64_t length = ${slot(lengths)}[n] < ${table * block} ? ${slot(lengths)}[n] : ${table * block};`);
  out.line(`const int64_t from = ${from};`);
  out.line(`float *const s = w + r * ${group};`);
  const biasAt = bias === undefined ? '0' : `${slot(bias)} + (g * ${share} + r % ${share}) * ${bias.sizes[1]} + c0`;
  out.line(
    `t_paged_weights(s, from - c0, length - c0, ${float(options.softCap ?? 0)}, ${biasAt}, most + r, total + r, alpha + r);`,
  );
  out.close();
  forTiles(
    out,
    rows,
    size =>
      `${sumsName(values.type, headDim)}_${size}(w + r * ${group}, alpha + r, ${slot(values)} + b + c0 % ${block} * ${headDim}, count, sums + r * ${headDim});`,
  );
  out.close();
  out.open('for (int64_t r = 0; r < rows; r++)');
  out.line(`const int64_t at = ((n0 + r / ${share}) * ${heads} + g * ${share} + r % ${share}) * ${headDim};`);
  out.line('const float scale = total[r] > 0 || total[r] != total[r] ? 1 / total[r] : 0;');
  const result = k.result(0);
  out.line(
    `for (int64_t e = 0; e < ${headDim}; e++) p${result.slot}[at + e] = ${stored(result.type, `sums[r * ${headDim} + e] * scale`)};`,
  );
  out.close();
  out.close();
  out.close();
  out.close();
  const sizes = Array.from({ length: Math.min(rows, mostRows) }, (_, i) => i + 1);
  return {
    code: k.text(cut),
    usesGemm: true,
    helpers: new Map([
      ['t_paged_weights', weightsText],
      ...sizes.map(
        size =>
          [`${scoresName(keys.type, headDim, block)}_${size}`, scoresText(keys.type, headDim, block, size)] as const,
      ),
      ...sizes.map(
        size => [`${sumsName(values.type, headDim)}_${size}`, sumsText(values.type, headDim, size)] as const,
      ),
    ]),
  };
}
type Of = PlainKernel['inputs'][number];
const float = (x: number): string => floatText(Math.fround(x), 'f');

/** A statement for each tile of rows; the last may have fewer. */
function forTiles(out: PlainKernel['out'], rows: number, statement: (size: string) => string): void {
  const most = Math.min(rows, mostRows);
  out.open(`for (int64_t r = 0; r < rows; r += ${most})`);
  out.open(`switch (rows - r < ${most} ? rows - r : ${most})`);
  for (let size = 1; size <= most; size++) out.line(`case ${size}: ${statement(String(size))} break;`);
  out.close();
  out.close();
}

const scoresName = (type: ElementType, headDim: number, block: number): string =>
  `t_paged_scores_${type}_${headDim}_${block}`;
const sumsName = (type: ElementType, headDim: number): string => `t_paged_sums_${type}_${headDim}`;
const memory = (type: ElementType): string => (type === 'f32' ? 'float' : 'uint16_t');

const typesText = `typedef float t_vector __attribute__((vector_size(64)));
  typedef float t_vector_u __attribute__((vector_size(64), aligned(4), may_alias));
  typedef uint32_t t_bits __attribute__((vector_size(64)));
  typedef uint16_t t_halves __attribute__((vector_size(32), aligned(2), may_alias));`;

/** 16 elements in memory as floats, declared as `name`. */
function vectorText(type: ElementType, name: string, at: string): string {
  if (type === 'f32') return `const t_vector ${name} = *(const t_vector_u *)(${at});`;
  if (type === 'bf16')
    return `const t_vector ${name} = (t_vector)(__builtin_convertvector(*(const t_halves *)(${at}), t_bits) << 16);`;
  return `t_vector ${name}; for (int l = 0; l < ${group}; l++) ${name}[l] = ${loaded(type, `(${at})[l]`)};`;
}
const upTo = (count: number): readonly number[] => [...Array(count).keys()];

/** The scores of 16 positions for `size` rows: sums along e, in order. */
function scoresText(type: ElementType, headDim: number, block: number, size: number): string {
  const each = (text: (r: number) => string): string => upTo(size).map(text).join(' ');
  return `GEMM_CONTRACTED static __attribute__((noinline)) void ${scoresName(type, headDim, block)}_${size}(
    const float *restrict q, const ${memory(type)} *restrict keys, float *restrict scores) { GEMM_CONTRACT
  ${typesText}
  t_vector ${upTo(size)
    .map(r => `s${r} = {0}`)
    .join(', ')};
  for (int64_t e = 0; e < ${headDim}; e++) {
    ${vectorText(type, 'key', `keys + e * ${block}`)}
    ${each(r => `s${r} += key * q[${r * headDim} + e];`)}
  }
  ${each(r => `*(t_vector_u *)(scores + ${r * group}) = s${r};`)}
}
`;
}

/** Scales the sums of values of \`size\` rows, and adds the values of the first \`count\` positions. */
function sumsText(type: ElementType, headDim: number, size: number): string {
  const each = (text: (r: number) => string): string => upTo(size).map(text).join(' ');
  const whole = headDim - (headDim % group);
  return `GEMM_CONTRACTED static __attribute__((noinline)) void ${sumsName(type, headDim)}_${size}(const float *restrict weights,
    const float *restrict alpha, const ${memory(type)} *restrict values, int64_t count, float *restrict sums) { GEMM_CONTRACT
  ${typesText}
  for (int64_t e = 0; e < ${whole}; e += ${group}) {
    t_vector ${upTo(size)
      .map(r => `s${r} = *(t_vector_u *)(sums + ${r * headDim} + e) * alpha[${r}]`)
      .join(', ')};
    for (int64_t c = 0; c < count; c++) {
      ${vectorText(type, 'value', `values + c * ${headDim} + e`)}
      ${each(r => `s${r} += value * weights[${r * group} + c];`)}
    }
    ${each(r => `*(t_vector_u *)(sums + ${r * headDim} + e) = s${r};`)}
  }
  for (int64_t r = 0; r < ${size}; r++) for (int64_t e = ${whole}; e < ${headDim}; e++) {
    float s = sums[r * ${headDim} + e] * alpha[r];
    for (int64_t c = 0; c < count; c++) s = GEMM_FUSED_f32(weights[r * ${group} + c], ${loaded(type, `values[c * ${headDim} + e]`)}, s);
    sums[r * ${headDim} + e] = s;
  }
}
`;
}

/** Scores of 16 positions, of which the row attends to from … end - 1, become weights; the factor of the sums so far is alpha. */
const weightsText = `static __attribute__((noinline)) void t_paged_weights(float *restrict s, int64_t from, int64_t end, float cap,
    const float *bias, float *most, float *total, float *alpha) {
  const float lowest = -__builtin_inff();
  float top = *most, sum[16];
  if (cap > 0) {
    #pragma omp simd
    for (int l = 0; l < 16; l++) s[l] = cap * t_tanh_f32(s[l] / cap);
  }
  if (bias) for (int64_t l = 0; l < 16 && l < end; l++) s[l] += bias[l];
  for (int64_t l = 0; l < 16; l++) {
    s[l] = l >= from && l < end ? s[l] : lowest;
    top = s[l] > top ? s[l] : top;
  }
  *alpha = 1;
  if (end <= 0 || from >= 16) {
    for (int l = 0; l < 16; l++) s[l] = 0;
    return;
  }
  // Scores that are all -infinity weigh the same as none.
  const float zero = top == lowest ? 0 : top;
  #pragma omp simd
  for (int l = 0; l < 16; l++) s[l] = t_exp_f32(s[l] - zero);
  for (int l = 0; l < 16; l++) sum[l] = s[l];
  for (int width = 8; width > 0; width /= 2)
    for (int l = 0; l < width; l++) sum[l] += sum[l + width];
  *alpha = t_exp_f32(*most - zero);
  *total = *total * *alpha + sum[0];
  *most = top;
}
`;
