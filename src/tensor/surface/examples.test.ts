// The examples of rows run, and give what their comments say. Examples with names that they do not define, such as `x`, show how
// a function is called; they are not run here.
import { expect, test } from 'vitest';
import * as functional from '../generated/functional.ts';
import * as tensors from '../index.ts';
import { rows } from './index.ts';

const environment: Readonly<Record<string, unknown>> = { ...tensors, nn: { functional } };
const reserved = ['var', 'default'];
const names = Object.keys(environment).filter(name => !reserved.includes(name));

function run(code: string): unknown {
  const body = new Function(...names, `return (${code});`) as (...values: readonly unknown[]) => unknown;
  return body(...names.map(name => environment[name]));
}
/** Tensors as nested numbers; shapes and numbers as they are. */
function plain(value: unknown): unknown {
  if (value instanceof tensors.Tensor) return plain(value.ndim === 0 ? value.item() : value.toArray());
  if (Array.isArray(value)) return value.map(plain);
  return typeof value === 'bigint' ? Number(value) : value;
}

const constants = ['NaN', 'Infinity', 'Math.', 'true', 'false', 'null', 'undefined'];
/** Whether all names that the code uses are functions or namespaces of the package. */
function isWhole(code: string): boolean {
  const text = code.replaceAll(/'[^']*'|"[^"]*"/g, "''");
  const used = [...text.matchAll(/(?<![.\w$])[A-Za-z_]\w*(?!\w*\s*:(?!:))/g)].map(([name]) => name);
  return (
    !/=>|^const /.test(code) && used.every(name => name in environment || name === 'Math' || constants.includes(name))
  );
}
/** Numbers of a comment: `0.693…` is cut off, `π/2` and `log 2` are exact. Undefined for words. */
function expected(comment: string): unknown {
  const text = comment
    .replaceAll(/-?\d+\.?\d*…/g, digits => `{ "cut": "${digits.slice(0, -1)}" }`)
    .replaceAll('π', String(Math.PI))
    .replaceAll('log 2', String(Math.LN2));
  if (
    !/^[[\]{}\s\d.,e+\-/":a-z]*$/i.test(text) ||
    /[a-z]{2}/i.test(text.replaceAll(/cut|true|false|NaN|Infinity/g, ''))
  )
    return undefined;
  try {
    return new Function(`return (${text});`)();
  } catch {
    return undefined;
  }
}
function expectEqual(got: unknown, wanted: unknown): void {
  if (Array.isArray(wanted)) {
    expect(Array.isArray(got) && got.length).toBe(wanted.length);
    wanted.forEach((each, i) => {
      expectEqual((got as readonly unknown[])[i], each);
    });
  } else if (typeof wanted === 'number') {
    expect(typeof got).toBe('number');
    if (Number.isFinite(wanted)) expect(got).toBeCloseTo(wanted, 5);
    else expect(got).toBe(wanted);
  } else if (typeof wanted === 'object' && wanted !== null) {
    const { cut } = wanted as { readonly cut: string };
    const digits = cut.split('.')[1]?.length ?? 0;
    // cut off, or rounded
    expect(Math.abs((got as number) - Number(cut))).toBeLessThan(1.01 * 10 ** -digits);
  } else expect(got).toBe(wanted);
}

const examples = rows.flatMap(({ name, example }) => {
  const [code = '', comment] = example.split(' // ');
  const wanted = comment === undefined ? undefined : expected(comment);
  return wanted !== undefined && isWhole(code) ? [{ name, code, wanted, comment }] : [];
});

test('most examples state their results', () => {
  expect(examples.length).toBeGreaterThan(200);
});
// Recorded together and read together: one program, where reading each would compile one for each.
const results = examples.map(({ code }): { readonly value?: unknown; readonly error?: unknown } => {
  try {
    return { value: run(code) };
  } catch (error) {
    return { error };
  }
});
test.each(examples.map((example, i) => ({ ...example, ...results[i]! })))(
  '$name: $code',
  ({ value, error, wanted }) => {
    expect(error).toBeUndefined();
    expectEqual(plain(value), wanted);
  },
);
