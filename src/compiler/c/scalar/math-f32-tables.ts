// Functions of f32 that look their polynomial up: the range is cut into equal segments, and a polynomial in the distance from
// the segment's middle is short. A permutation of a vector's lanes is a look-up of sixteen elements at once, in one
// instruction; scalar C cannot say it, so these functions take sixteen elements, in and out of arrays that the C compiler
// keeps in registers (c/kernels/block-loop.ts makes such blocks). Where vectors are shorter, each element is computed by the
// function of math-f32.ts, whose last bits differ: a kernel uses this file's forms only, of one element or of sixteen, which
// have the same bits; reductions by any region, and programs of unknown sizes, the others.
//
//   |x| ──▶ segment i = round(|x| / width), d = |x| - i · width ──▶ c0[i] + c1[i] d + … + c5[i] d⁵, with the sign of x
import type { ElementType } from '../../../hlo/types.ts';
import { blockFunctionOf } from '../../ir/block-function.ts';
import type { ScalarOp } from '../../ir/scalar-op.ts';
import type { PreludePiece } from './math-f32.ts';

interface Table {
  /** Of the function in math-f32.ts: t_NAME_f32. */
  readonly name: string;
  /** How many segments cover 1, about: it only chooses the segment. */
  readonly perUnit: number;
  /** Of a segment, as an f32. Their middles are its exact multiples. */
  readonly width: number;
  /** Inside the last segment; from here on all results round to ±1. */
  readonly limit: number;
  /** Of each power, one for each segment: minimax. Segment 0 has odd ones only, so that small values have small errors. */
  readonly coefficients: readonly (readonly number[])[];
}

const erf: Table = {
  name: 'erf',
  perUnit: 3.9375,
  width: 0.2539682686,
  limit: 3.93,
  // biome-ignore format: a row for each power
  coefficients: [
    [0, 0.2805286, 0.5274466, 0.7187413, 0.8491858, 0.92747796, 0.96883756, 0.9880683, 0.99593824, 0.9987728, 0.9996714, 0.9999221, 0.99998367, 0.99999696, 0.9999995, 0.99999994],
    [1.1283791, 1.0578964, 0.87178075, 0.6314625, 0.40203512, 0.22498652, 0.11066878, 0.047848664, 0.018184053, 0.0060741804, 0.0017834499, 0.00046026765, 0.00010440864, 2.0818003e-5, 3.648535e-6, 5.620503e-7],
    [0, -0.26866615, -0.44280207, -0.48111063, -0.40841752, -0.28570035, -0.16864085, -0.085065454, -0.036945358, -0.013883402, -0.0045290105, -0.0012856111, -0.00031810635, -6.870142e-5, -1.2963879e-5, -2.1391043e-6],
    [-0.37612247, -0.3071378, -0.14064942, 0.033882324, 0.1425835, 0.16686371, 0.13442694, 0.08486921, 0.043981887, 0.019131733, 0.0070741484, 0.0022411551, 0.00061158725, 0.00014430095, 2.9519437e-5, 5.246733e-6],
    [0, 0.12757297, 0.18212485, 0.14685008, 0.063861854, -0.010189963, -0.04576002, -0.046893805, -0.032369025, -0.017309818, -0.007537208, -0.0027376502, -0.0008410033, -0.00022043339, -4.959169e-5, -9.6172225e-6],
    [0.11219034, 0.078573376, 0.005140727, -0.054509137, -0.06820035, -0.044528723, -0.012328713, 0.007832135, 0.013016498, 0.010006603, 0.005489375, 0.0023668099, 0.00083447114, 0.00024561738, 6.110966e-5, 1.2957212e-5],
  ],
};
const tanh: Table = {
  name: 'tanh',
  perUnit: 3.484375,
  width: 0.2869955301,
  limit: 9.03,
  // biome-ignore format: a row for each power
  coefficients: [
    [0, 0.27936715, 0.51828426, 0.69676566, 0.8170845, 0.89268214, 0.9381002, 0.96465576, 0.9799367, 0.9886492, 0.9935905, 0.9963846, 0.99796194, 0.99885154, 0.99935293, 0.99963546, 0.99979466, 0.9998843, 0.99993485, 0.9999633, 0.9999793, 0.9999884, 0.99999344, 0.9999963, 0.9999979, 0.9999988, 0.99999934, 0.99999964, 0.99999976, 0.9999999, 0.99999994, 0.99999994],
    [1, 0.92195433, 0.7313815, 0.51451766, 0.3323729, 0.20311856, 0.119968034, 0.069439225, 0.03972404, 0.022572828, 0.012777927, 0.00721765, 0.004071933, 0.0022956524, 0.0012937275, 0.00072892767, 0.00041065057, 0.00023132908, 0.00013030798, 7.340104e-5, 4.134548e-5, 2.3288998e-5, 1.3118128e-5, 7.389107e-6, 4.16209e-6, 2.3443947e-6, 1.3205347e-6, 7.438216e-7, 4.1897462e-7, 2.3599706e-7, 1.3293075e-7, 7.487629e-8],
    [0, -0.2575471, -0.37905526, -0.35850102, -0.27158105, -0.18132247, -0.112542614, -0.06698491, -0.038926866, -0.02231645, -0.012695918, -0.007191487, -0.0040635937, -0.0022929923, -0.0012928769, -0.00072865427, -0.0004105619, -0.00023129985, -0.0001302981, -7.339756e-5, -4.1344185e-5, -2.3288478e-5, -1.3117902e-5, -7.389001e-6, -4.1620374e-6, -2.344367e-6, -1.3205197e-6, -7.4381336e-7, -4.1897005e-7, -2.359945e-7, -1.3292934e-7, -7.487549e-8],
    [-0.33332062, -0.23542657, -0.047359888, 0.07827951, 0.11111372, 0.094158016, 0.06558752, 0.041471317, 0.024904711, 0.014538967, 0.008355291, 0.0047596353, 0.0026980184, 0.0015251512, 0.00086080335, 0.00048541583, 0.0002735958, 0.00015416439, 8.685417e-5, 4.8928167e-5, 2.7561677e-5, 1.5525306e-5, 8.745162e-6, 4.925969e-6, 2.774683e-6, 1.5629097e-6, 8.803466e-7, 4.9587567e-7, 2.7931367e-7, 1.5732998e-7, 8.861958e-8, 4.9917297e-8],
    [0, 0.1494221, 0.14981422, 0.06532142, 0.00029646073, -0.02333152, -0.023938404, -0.01768272, -0.011452745, -0.006955724, -0.004083942, -0.0023541052, -0.0013432459, -0.0007621196, -0.00043103442, -0.00024334736, -0.000137248, -7.736428e-5, -4.3595042e-5, -2.4561565e-5, -1.38366595e-5, -7.794385e-6, -4.3905466e-6, -2.4731341e-6, -1.3930675e-6, -7.8468497e-7, -4.4199277e-7, -2.489638e-7, -1.4023468e-7, -7.899069e-8, -4.4492506e-8, -2.506208e-8],
    [0.13168252, 0.058918934, -0.0443932, -0.059505105, -0.029643085, -0.005998917, 0.0032385176, 0.0047460757, 0.003779581, 0.0025158445, 0.0015466979, 0.00091359473, 0.0005282806, 0.00030194747, 0.00017147629, 9.703278e-5, 5.4797354e-5, 3.0910698e-5, 1.7425427e-5, 9.819789e-6, 5.532672e-6, 3.1168627e-6, 1.7558062e-6, 9.890343e-7, 5.570963e-7, 3.1379085e-7, 1.7674549e-7, 9.9567394e-8, 5.6079056e-8, 3.1581806e-8, 1.779689e-8, 1.0010466e-8],
  ],
};

const inline = 'static inline __attribute__((always_inline)) ';
const number = (x: number): string => {
  const text = String(Math.fround(x) === x ? x : Number(x.toPrecision(10)));
  return `${/[.e]/.test(text) ? text : `${text}.0`}f`;
};

/** `t_NAME_16(x, r)` and the same of one element, `t_NAME_one_f32`, of equal bits. */
function pieces({ name, perUnit, width, limit, coefficients }: Table): PreludePiece[] {
  const segments = coefficients[0]!.length;
  const powers = coefficients.map((_, k) => k);
  const table = `t_${name}_table`;
  const horner = (of: (k: number) => string): string =>
    [...powers]
      .reverse()
      .map(k => (k === coefficients.length - 1 ? `  float p = ${of(k)};` : `  p = t_fma_f32(p, d, ${of(k)});`))
      .join('\n');
  const position = `  const float a = __builtin_fabsf(x), c = a > ${number(limit)} ? ${number(limit)} : a;
  const float t = t_fma_f32(c, ${number(perUnit)}, 12582912.0f), d = t_fma_f32(t - 12582912.0f, -${number(width)}, c);`;
  return [
    {
      name: table,
      text: `#ifdef __AVX512F__
_Alignas(64) static const float ${table}[${coefficients.length}][${segments}] = {
${coefficients.map(row => `  {${row.map(number).join(', ')}},`).join('\n')}
};
#endif`,
    },
    {
      name: `t_${name}_one_f32`,
      text: `${inline}float t_${name}_one_f32(float x) {
#ifdef __AVX512F__
${position}
  const uint32_t i = t_bits_f32(t) & ${segments - 1};
${horner(k => `${table}[${k}][i]`)}
  return t_from_bits_f32(t_bits_f32(p) | (t_bits_f32(x) & 0x80000000u));
#else
  return t_${name}_f32(x);
#endif
}`,
    },
    {
      name: `t_${name}_16`,
      text: `${inline}void t_${name}_16(const float *restrict values, float *restrict results) {
#ifdef __AVX512F__
  _Alignas(64) float at[16], from[16], ${powers.map(k => `c${k}[16]`).join(', ')};
#pragma omp simd
  for (int lane = 0; lane < 16; lane++) {
    const float x = values[lane];
${position}
    at[lane] = t;
    from[lane] = d;
  }
${powers.map(k => `  t_look_up_${segments}(${table}[${k}], at, c${k});`).join('\n')}
#pragma omp simd
  for (int lane = 0; lane < 16; lane++) {
    const float d = from[lane];
${horner(k => `c${k}[lane]`)}
    results[lane] = t_from_bits_f32(t_bits_f32(p) | (t_bits_f32(values[lane]) & 0x80000000u));
  }
#else
#pragma omp simd
  for (int lane = 0; lane < 16; lane++) results[lane] = t_${name}_f32(values[lane]);
#endif
}`,
    },
  ];
}

/** The lowest bits of each of sixteen floats pick an entry of a table. */
const lookUps: readonly PreludePiece[] = [
  {
    name: 't_look_up_16',
    text: `#ifdef __AVX512F__
${inline}void t_look_up_16(const float *table, const float *at, float *results) {
  typedef float t_vector __attribute__((vector_size(64), may_alias));
  const t_vector entries = *(const t_vector *)table, index = *(const t_vector *)at;
  t_vector found;
  __asm__("vpermps %1, %2, %0" : "=v"(found) : "v"(entries), "v"(index));
  *(t_vector *)results = found;
}
#endif`,
  },
  {
    name: 't_look_up_32',
    text: `#ifdef __AVX512F__
${inline}void t_look_up_32(const float *table, const float *at, float *results) {
  typedef float t_vector __attribute__((vector_size(64), may_alias));
  const t_vector low = *(const t_vector *)table, high = *(const t_vector *)(table + 16);
  t_vector found = *(const t_vector *)at;
  __asm__("vpermi2ps %2, %1, %0" : "+v"(found) : "v"(low), "v"(high));
  *(t_vector *)results = found;
}
#endif`,
  },
];

export const mathF32Tables: readonly PreludePiece[] = [...lookUps, ...[erf, tanh].flatMap(pieces)];

/** The functions of this file for a scalar op, of one element and of a block of them; undefined where it has none. */
export function lookUpOf(
  op: ScalarOp,
  type: ElementType,
): { readonly one: string; readonly block: string } | undefined {
  const name = blockFunctionOf(op, type);
  return name === undefined ? undefined : { one: `t_${name}_one_f32`, block: `t_${name}_16` };
}
