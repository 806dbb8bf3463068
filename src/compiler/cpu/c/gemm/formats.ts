// Conversions of elements to the type that a kernel multiplies, and of sums to elements of C: small C
// functions over vectors of `lanes` elements. They are portable, except for f16 where the hardware converts it.

import type { GemmElementType } from '../../../ir/multiply.ts';
import type { Load } from '../../ir/multiply-tiling.ts';
import { scalarType, vectorType } from './gemm-types.ts';

/** The conversion of a vector, or of one element (`lanes` 1), read at `pointer`. */
export function loadText(load: Load, type: 'f32' | 'f64', lanes: number, pointer: string): string {
  if (load !== 'copy') return `${loadName(load, lanes)}(${pointer})`;
  return lanes === 1 ? `*(${pointer})` : `GEMM_LOAD(${vectorType(type, lanes)}, ${pointer})`;
}

/** Adds the functions that `loadText` calls. `hardware`: the processor converts f16. */
export function shareLoad(helpers: Map<string, string>, load: Load, lanes: number, hardware: boolean): void {
  if (load === 'copy') return;
  helpers.set(loadName(load, lanes), loadFunction(load, lanes, hardware));
}

/** The C type of an element before the conversion. */
export function loadType(load: Load, type: 'f32' | 'f64'): string {
  return load === 'bf16' || load === 'f16' ? 'uint16_t' : scalarType(type);
}

function loadName(load: Exclude<Load, 'copy'>, lanes: number): string {
  return `gemm_from_${load}${lanes === 1 ? '' : `x${lanes}`}`;
}

function loadFunction(load: Exclude<Load, 'copy'>, lanes: number, hardware: boolean): string {
  const F = lanes === 1 ? 'float' : vectorType('f32', lanes);
  const U = lanes === 1 ? 'uint32_t' : `gemm_u32x${lanes}`;
  const from = load === 'tf32' ? 'float' : 'uint16_t';
  const head = `static inline __attribute__((always_inline)) ${F} ${loadName(load, lanes)}(const ${from} *p) {`;
  const bits = lanes === 1 ? '*p' : `__builtin_convertvector(GEMM_LOAD(gemm_u16x${lanes}, p), ${U})`;
  const asFloat = (value: string): string => (lanes === 1 ? `gemm_float_of(${value})` : `(${F})(${value})`);
  const asBits = (value: string): string => (lanes === 1 ? `gemm_bits_of(${value})` : `(${U})(${value})`);
  const when = (condition: string, value: string): string =>
    lanes === 1 ? `(${condition} ? ${value} : 0)` : `((${U})(${condition}) & ${value})`;
  switch (load) {
    case 'bf16':
      return [head, `  const ${U} bits = ${bits};`, `  return ${asFloat('bits << 16')};`, '}'].join('\n');
    case 'f16':
      if (hardware && lanes >= 4) {
        return [
          head,
          `  ${F} x;`,
          lanes === 4
            ? '  const uint64_t h = *(const gemm_u64_u *)p;\n  __asm__("vmovq %1, %0\\n\\tvcvtph2ps %0, %0" : "=x"(x) : "r"(h));'
            : `  const gemm_u16x${lanes} h = GEMM_LOAD(gemm_u16x${lanes}, p);\n  __asm__("vcvtph2ps %1, %0" : "=${lanes === 16 ? 'v' : 'x'}"(x) : "${lanes === 16 ? 'v' : 'x'}"(h));`,
          '  return x;',
          '}',
        ].join('\n');
      }
      // The exponent moves by a multiplication that is exact, subnormals included; infinities and NaN get all its bits.
      return [
        head,
        `  const ${U} h = ${bits};`,
        `  const ${U} small = ${asBits(`${asFloat('(h & 0x7fff) << 13')} * 0x1p112f`)};`,
        `  return ${asFloat(`small | (h & 0x8000) << 16 | ${when('(h & 0x7c00) == 0x7c00', '0x7f800000u')}`)};`,
        '}',
      ].join('\n');
    case 'tf32':
      // Infinities and NaN are unchanged: rounding could carry a NaN into infinity.
      return [
        head,
        `  const ${U} u = ${asBits(lanes === 1 ? '*p' : `GEMM_LOAD(${F}, p)`)};`,
        `  const ${U} rounded = (u + 0xfff + (u >> 13 & 1)) & ~0x1fffu;`,
        `  const ${U} special = ${lanes === 1 ? '-(uint32_t)((u & 0x7f800000) == 0x7f800000)' : `(${U})((u & 0x7f800000) == 0x7f800000)`};`,
        `  return ${asFloat('(u & special) | (rounded & ~special)')};`,
        '}',
      ].join('\n');
  }
}

export function storeName(type: GemmElementType): string {
  return `gemm_store_${type}`;
}

/** A function that writes a row of sums as elements of C: `(const S *sums, int64_t count, T *c, int64_t step)`. */
export function storeFunction(type: GemmElementType, lanes: number): string {
  const T = scalarType(type);
  const S = type === 'f64' ? 'double' : 'float';
  const head = `static __attribute__((noinline)) void ${storeName(type)}(const ${S} *restrict sums, int64_t count, ${T} *restrict c, int64_t step) {`;
  if (type === 'f32' || type === 'f64') {
    return [head, '  for (int64_t j = 0; j < count; j++) c[j * step] = sums[j];', '}'].join('\n');
  }
  const [U, F] = [`gemm_u32x${lanes}`, vectorType('f32', lanes)];
  const narrow = `__builtin_convertvector(narrow, gemm_u16x${lanes})`;
  const select = (condition: string, yes: string, no: string): string =>
    `(((${U})(${condition}) & (${yes})) | (~(${U})(${condition}) & (${no})))`;
  const body =
    type === 'bf16'
      ? [
          `const ${U} near = (u + 0x7fff + (u >> 16 & 1)) >> 16;`,
          `const ${U} narrow = ${select('(u & 0x7fffffff) > 0x7f800000', 'u >> 16 | 0x40', 'near')};`,
        ]
      : [
          `const ${U} a = u & 0x7fffffff;`,
          // Below the smallest normal number, adding 0.5 leaves the rounded bits at the end of the mantissa.
          `const ${U} tiny = (${U})((${F})a + 0.5f) - 0x3f000000;`,
          `const ${U} normal = (a - 0x38000000 + 0xfff + (a >> 13 & 1)) >> 13;`,
          `const ${U} finite = ${select('a < 0x38800000', 'tiny', 'normal')};`,
          `const ${U} bounded = ${select('a >= 0x477ff000', `((${U}){0} + 0x7c00)`, 'finite')};`,
          `const ${U} narrow = (u >> 16 & 0x8000) | ${select('a > 0x7f800000', `((${U}){0} + 0x7e00)`, 'bounded')};`,
        ];
  return [
    head,
    `  for (int64_t j = 0; j < count; j += ${lanes}) {`,
    `    ${F} x = {0};`,
    `    if (count - j >= ${lanes}) x = GEMM_LOAD(${F}, sums + j);`,
    '    else __builtin_memcpy(&x, sums + j, (count - j) * 4);',
    `    const ${U} u = (${U})x;`,
    ...body.map(line => `    ${line}`),
    `    const gemm_u16x${lanes} result = ${narrow};`,
    `    if (step == 1 && count - j >= ${lanes}) GEMM_STORE(gemm_u16x${lanes}, c + j, result);`,
    `    else for (int64_t i = 0; i < ${lanes} && j + i < count; i++) c[(j + i) * step] = result[i];`,
    '  }',
    '}',
  ].join('\n');
}
