// Only the selected parts are ignored: a change of the computation is never treated as a rename.
import { describe, expect, test } from 'vitest';
import { canonicalC, type Ignorable, ignorable } from './canonical-c.ts';

const text = `// k0: add at line 1
#define LANES 16
static inline float t_twice(float x) { return x + x; }
static void k_0123456789abcdef(const float *in, float *out) {
  // all of them
  for (int64_t i = 0; i < LANES; i++) {
    float sum = t_twice(in[i]);
    out[i] = expf(sum); // once
  }
}
static void k_fedcba9876543210(float *out) { out[0] = sqrtf(out[1]); }
void step(float *a) { k_0123456789abcdef(a, a); k_fedcba9876543210(a); }
`;
const isSame = (other: string, ...ignored: readonly Ignorable[]): boolean =>
  other !== text && canonicalC(other, new Set(ignored)) === canonicalC(text, new Set(ignored));

describe('ignored', () => {
  test.each<[string, Ignorable, (c: string) => string]>([
    ['a comment on its own line', 'comments', c => c.replace('  // all of them\n', '')],
    ['a comment behind code', 'comments', c => c.replace(' // once', '')],
    ['indentation', 'whitespace', c => c.replaceAll('\n  ', '\n\t')],
    ['a space between tokens', 'whitespace', c => c.replace('x + x', 'x+x')],
    ['a local variable', 'names', c => c.replaceAll('sum', 'total')],
    ['a parameter', 'names', c => c.replaceAll(/\bin\b/g, 'from')],
    ['a function and its calls', 'names', c => c.replaceAll('t_twice', 't_double')],
    ['a macro', 'names', c => c.replaceAll('LANES', 'WIDTH')],
  ])('%s', (_, what, change) => {
    expect(isSame(change(text), what)).toBe(true);
    expect(isSame(change(text), ...ignorable)).toBe(true);
    expect(isSame(change(text), ...ignorable.filter(each => each !== what))).toBe(false);
  });
});

test.each(ignorable)('without %s, text hashes in names are ignored', what => {
  expect(isSame(text.replaceAll('0123456789abcdef', '00000000aaaaaaaa'), what)).toBe(true);
});

test.each<[string, (c: string) => string]>([
  ['a library function', c => c.replace('expf', 'sinf')],
  ['a type', c => c.replace('float sum', 'double sum')],
  ['a constant', c => c.replace('i = 0', 'i = 1')],
  ['a macro’s value', c => c.replace('LANES 16', 'LANES 8')],
  ['an operator', c => c.replace('x + x', 'x * x')],
  ['which of two variables is read', c => c.replace('= t_twice(in[i])', '= t_twice(out[i])')],
  ['the order of calls', c => c.replace(/(k_0\w+\(a, a\);) (k_f\w+\(a\);)/, '$2 $1')],
  ['which function is called', c => c.replace('t_twice(in[i])', 'fabsf(in[i])')],
])('never ignored: %s', (_, change) => {
  expect(change(text)).not.toBe(text);
  expect(isSame(change(text), ...ignorable)).toBe(false);
});
