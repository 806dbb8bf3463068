// The helper functions of emitted C, other than the f32 functions: conversions, integer ops with StableHLO's semantics in
// edge cases (division by zero, wide shifts), ordered comparisons. A unit gets those that its text uses.
import { mathComplex } from './scalar/math-complex.ts';
import { mathPieces } from './scalar/math-functions.ts';
import { mathTables } from './scalar/math-tables.ts';
import { inlinePiece as fn, type PreludePiece } from './scalar/prelude-piece.ts';
import { smallFloatPieces } from './scalar/small-floats.ts';

const halves: PreludePiece[] = [
  fn('t_from_bf16', 'float t_from_bf16(uint16_t h) { return t_from_bits_f32((uint32_t)h << 16); }'),
  fn(
    't_to_bf16',
    `uint16_t t_to_bf16(float x) {
  const uint32_t u = t_bits_f32(x), r = (u + 0x7fffu + ((u >> 16) & 1u)) >> 16;
  return (uint16_t)(x != x ? (u >> 16) | 0x40u : r);
}`,
  ),
  fn('t_truncate_bf16', 'uint16_t t_truncate_bf16(float x) { return (uint16_t)(t_bits_f32(x) >> 16); }'),
  fn('t_round_bf16', 'float t_round_bf16(float x) { return t_from_bf16(t_to_bf16(x)); }'),
  // f16 by integer arithmetic: exact, subnormals included, on every processor
  fn(
    't_from_f16',
    `float t_from_f16(uint16_t h) {
  const uint32_t m = (uint32_t)(h & 0x7fffu) << 13, s = (uint32_t)(h & 0x8000u) << 16;
  const float tiny = t_from_bits_f32(m + 0x38800000u) - t_from_bits_f32(0x38800000u);
  const uint32_t normal = m + 0x38000000u + (m >= 0x0f800000u ? 0x38000000u : 0u);
  return t_from_bits_f32(s | (m < 0x00800000u ? t_bits_f32(tiny) : normal));
}`,
  ),
  fn(
    't_to_f16',
    `uint16_t t_to_f16(float x) {
  const uint32_t u = t_bits_f32(x), s = (u >> 16) & 0x8000u, a = u & 0x7fffffffu;
  const uint32_t tiny = t_bits_f32(t_from_bits_f32(a) + 0.5f) - 0x3f000000u;
  const uint32_t normal = (a - 0x38000000u + 0xfffu + ((a >> 13) & 1u)) >> 13;
  const uint32_t r = a > 0x7f800000u ? 0x7e00u : a >= 0x477ff000u ? 0x7c00u : a < 0x38800000u ? tiny : normal;
  return (uint16_t)(s | r);
}`,
  ),
  fn('t_round_f16', 'float t_round_f16(float x) { return t_from_f16(t_to_f16(x)); }'),
  fn(
    't_round_tf32',
    `float t_round_tf32(float x) {
  const uint32_t u = t_bits_f32(x);
  return x - x == 0.0f ? t_from_bits_f32((u + 0xfffu + ((u >> 13) & 1u)) & ~0x1fffu) : x;
}`,
  ),
  // to f32 by rounding to odd, so that a following rounding to a narrower float gives the same result as a single rounding
  fn(
    't_odd_f32',
    `float t_odd_f32(double x) {
  const float near = (float)x;
  const uint32_t u = t_bits_f32(near) - (__builtin_fabs((double)near) > __builtin_fabs(x) ? 1u : 0u);
  return (double)near == x || x != x || near - near != 0.0f ? near : t_from_bits_f32(u | 1u);
}`,
  ),
  // 64-bit integers to f64 with the bits that do not fit kept as one sticky bit, for t_odd_f32
  ...(['i', 'ui'] as const).map(prefix =>
    fn(
      `t_sticky_${prefix}64`,
      `double t_sticky_${prefix}64(${prefix === 'i' ? '' : 'u'}int64_t x) {
  const uint64_t a = ${prefix === 'i' ? 'x < 0 ? 0 - (uint64_t)x : (uint64_t)x' : 'x'};
  const uint64_t m = a >> 53 && (a & 0x7ff) ? (a & ~(uint64_t)0x7ff) | 0x800 : a;
  return ${prefix === 'i' ? 'x < 0 ? -(double)m : ' : ''}(double)m;
}`,
    ),
  ),
];

/** Integers under a byte, wrapped to their width. */
const wraps: PreludePiece[] = ([2, 4] as const).flatMap(bits => [
  fn(
    `t_wrap_i${bits}`,
    `int8_t t_wrap_i${bits}(int32_t x) { return (int8_t)((int32_t)((uint32_t)x << ${32 - bits}) >> ${32 - bits}); }`,
  ),
  fn(`t_wrap_ui${bits}`, `uint8_t t_wrap_ui${bits}(uint32_t x) { return (uint8_t)(x & ${2 ** bits - 1}u); }`),
]);

function floatPieces(t: 'f32' | 'f64', c: string, i: string, width: number): PreludePiece[] {
  return [
    // NaN wins; -0 is below +0
    fn(
      `t_max_${t}`,
      `${c} t_max_${t}(${c} a, ${c} b) { const ${c} m = a > b ? a : a == b ? t_from_bits_${t}(t_bits_${t}(a) & t_bits_${t}(b)) : b; return a != a ? a : m; }`,
    ),
    fn(
      `t_min_${t}`,
      `${c} t_min_${t}(${c} a, ${c} b) { const ${c} m = a < b ? a : a == b ? t_from_bits_${t}(t_bits_${t}(a) | t_bits_${t}(b)) : b; return a != a ? a : m; }`,
    ),
    // from the largest signed, and the smallest and largest unsigned integer of the bits: see extremeLanes
    fn(
      `t_max_of_${t}`,
      `${c} t_max_of_${t}(${i} top, u${i} least, u${i} most) {
  const u${i} inf = (u${i})${t === 'f32' ? '0xff800000u' : '0xfffull << 52'};
  return t_from_bits_${t}(most > inf ? most : top >= 0 ? (u${i})top : least);
}`,
    ),
    fn(
      `t_min_of_${t}`,
      `${c} t_min_of_${t}(${i} top, u${i} least, u${i} most) {
  const ${i} inf = (${i})${t === 'f32' ? '0x7f800000' : '0x7ffll << 52'};
  return t_from_bits_${t}(top > inf ? (u${i})top : most >> ${width - 1} ? most : least);
}`,
    ),
    fn(`t_sign_${t}`, `${c} t_sign_${t}(${c} x) { return x > 0 ? 1 : x < 0 ? -1 : x; }`),
    fn(
      `t_total_order_${t}`,
      `${i} t_total_order_${t}(${c} x) { ${i} b; __builtin_memcpy(&b, &x, sizeof b); return b < 0 ? b ^ (${i})(((u${i})-1) >> 1) : b; }`,
    ),
    // rounds the mantissa to nearest even, then overflow to infinity and underflow to zero; a NaN needs a mantissa
    fn(
      `t_reduce_precision_${t}`,
      `${c} t_reduce_precision_${t}(${c} x, int e, int m) {
  enum { M = ${t === 'f32' ? 23 : 52}, BIAS = ${t === 'f32' ? 127 : 1023} };
  u${i} u; __builtin_memcpy(&u, &x, sizeof u);
  const u${i} sign = u & ((u${i})1 << ${width - 1});
  u${i} a = u ^ sign;
  if (m < M) a = (a + (((u${i})1 << (M - m - 1)) - 1) + ((a >> (M - m)) & 1)) >> (M - m) << (M - m);
  const u${i} inf = (u${i})(2 * BIAS + 1) << M;
  const int bias = (1 << (e - 1)) - 1;
  if (bias < BIAS) a = a >= (u${i})(BIAS + bias + 1) << M ? inf : a < (u${i})(BIAS - bias + 1) << M ? 0 : a;
  a |= sign;
  ${c} r; __builtin_memcpy(&r, &a, sizeof r);
  return x - x == 0 ? r : x != x && m == 0 ? ${t === 'f32' ? '__builtin_copysignf((float)' : '__builtin_copysign('}__builtin_inf(), x) : x;
}`,
    ),
  ];
}

const f64: PreludePiece[] = [
  fn('t_bits_f64', 'uint64_t t_bits_f64(double x) { uint64_t u; __builtin_memcpy(&u, &x, 8); return u; }'),
  fn('t_from_bits_f64', 'double t_from_bits_f64(uint64_t u) { double x; __builtin_memcpy(&x, &u, 8); return x; }'),
  fn(
    't_logistic_f64',
    `double t_logistic_f64(double x) {
  const double e = __builtin_exp(-__builtin_fabs(x)), r = 1.0 / (1.0 + e);
  return x >= 0.0 ? r : x != x ? x : e * r;
}`,
  ),
];

/** Out of range saturates and NaN becomes 0: `low` and `high` are the first floats out of range on each side. */
function saturate(
  from: 'f32' | 'f64',
  c: string,
  to: string,
  target: string,
  bits: number,
  signed: boolean,
): PreludePiece {
  const suffix = from === 'f32' ? 'f' : '';
  const high = `${2 ** (signed ? bits - 1 : bits)}.0${suffix}`;
  const low = signed ? `-${2 ** (bits - 1)}.0${suffix}` : `0.0${suffix}`;
  const unsigned64 = `(uint64_t)-1`;
  const max =
    signed || bits < 8 ? `(${target})(${unsigned64} >> ${(signed ? 65 : 64) - bits})` : `(${target})${unsigned64}`;
  const min = signed ? `(${target})(-(int64_t)(${unsigned64} >> ${65 - bits}) - 1)` : '0';
  return fn(
    `t_${from}_to_${to}`,
    `${target} t_${from}_to_${to}(${c} x) {
  return x >= ${high} ? ${max} : x <= ${low} ? ${min} : x != x ? 0 : (${target})x;
}`,
  );
}

const integers: PreludePiece[] = ([2, 4, 8, 16, 32, 64] as const).flatMap(bits => {
  const storage = Math.max(8, bits);
  const u = `uint${storage}_t`;
  const wrap = bits === 64 ? 'uint64_t' : 'uint32_t';
  const count = bits === 64 ? 'll' : '';
  /** The bits of an integer under a byte, without those of its sign extension. */
  const low = bits < 8 ? ` & ${2 ** bits - 1}` : '';
  return [
    ...(['i', 'ui'] as const).flatMap(prefix => {
      const t = `${prefix}${bits}`;
      const c = prefix === 'i' ? `int${storage}_t` : u;
      const signed = prefix === 'i';
      return [
        fn(
          `t_div_${t}`,
          signed
            ? `${c} t_div_${t}(${c} a, ${c} b) { return b == 0 || b == -1 ? (b == 0 ? (${c})-1 : (${c})(0 - (${wrap})a)) : (${c})(a / b); }`
            : `${c} t_div_${t}(${c} a, ${c} b) { return b == 0 ? (${c})-1 : (${c})(a / b); }`,
        ),
        fn(
          `t_rem_${t}`,
          signed
            ? `${c} t_rem_${t}(${c} a, ${c} b) { return b == 0 ? a : b == -1 ? 0 : (${c})(a % b); }`
            : `${c} t_rem_${t}(${c} a, ${c} b) { return b == 0 ? a : (${c})(a % b); }`,
        ),
        fn(
          `t_pow_${t}`,
          `${c} t_pow_${t}(${c} a, ${c} b) {
  ${signed ? 'if (b < 0) return a == 1 ? 1 : a == -1 ? (b & 1 ? -1 : 1) : 0;' : ''}
  ${wrap} r = 1, x = (${wrap})a;
  for (${wrap} n = (${wrap})b; n; n >>= 1, x *= x) if (n & 1) r *= x;
  return (${c})r;
}`,
        ),
        fn(
          `t_shl_${t}`,
          `${c} t_shl_${t}(${c} a, ${c} b) { return (${u})b < ${bits} ? (${c})((${wrap})a << (${u})b) : 0; }`,
        ),
        fn(
          `t_shrl_${t}`,
          `${c} t_shrl_${t}(${c} a, ${c} b) { return (${u})b < ${bits} ? (${c})(${low === '' ? `(${u})a` : `((${u})a${low})`} >> (${u})b) : 0; }`,
        ),
        fn(
          `t_shra_${t}`,
          `${c} t_shra_${t}(${c} a, ${c} b) { return (${c})((int${storage}_t)${bits < 8 ? `t_wrap_i${bits}(a)` : 'a'} >> ((${u})b < ${bits} ? (${u})b : ${bits - 1})); }`,
        ),
        fn(`t_popcnt_${t}`, `${c} t_popcnt_${t}(${c} a) { return (${c})__builtin_popcount${count}((${u})a${low}); }`),
        fn(
          `t_clz_${t}`,
          `${c} t_clz_${t}(${c} a) { return a == 0 ? ${bits} : (${c})(__builtin_clz${count}((${u})a${low}) - ${bits === 64 ? 0 : 32 - bits}); }`,
        ),
        saturate('f32', 'float', t, c, bits, signed),
        saturate('f64', 'double', t, c, bits, signed),
      ];
    }),
  ];
});

const pieces: readonly PreludePiece[] = [
  ...mathPieces,
  ...mathTables,
  ...halves,
  ...wraps,
  ...f64,
  ...floatPieces('f32', 'float', 'int32_t', 32),
  ...floatPieces('f64', 'double', 'int64_t', 64),
  ...integers,
  ...mathComplex,
];
const position = new Map(pieces.map((p, i) => [p.name, i]));

const namesIn = (text: string): string[] => text.match(/\bt_[A-Za-z0-9_]+/g) ?? [];
const needs = pieces.map((p, i) =>
  [...new Set(namesIn(p.text))].flatMap(n => position.get(n) ?? []).filter(j => j !== i),
);

/** The helpers that `text` calls, with those that they call, in an order in which each is defined before its use. */
export function preludeFor(text: string, extra: readonly PreludePiece[] = []): string {
  const wanted = new Set<number>();
  const ordered: number[] = [];
  const visit = (i: number): void => {
    if (wanted.has(i)) return;
    wanted.add(i);
    for (const j of needs[i]!) visit(j);
    ordered.push(i);
  };
  const names = new Set(namesIn(text));
  const used = [...smallFloatPieces(names), ...extra].filter(p => names.has(p.name) || p.also?.some(n => names.has(n)));
  for (const p of used) for (const n of namesIn(p.text)) names.add(n);
  for (const n of [...names].sort()) {
    const i = position.get(n);
    if (i !== undefined) visit(i);
  }
  return [...ordered.map(i => pieces[i]!.text), ...used.map(p => p.text)].join('\n');
}
