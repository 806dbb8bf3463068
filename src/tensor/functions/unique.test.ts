// unique and uniqueConsecutive compared with PyTorch: scripts/golden/unique.py writes the values.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { literal } from '../../hlo/literal.ts';
import type { ElementType } from '../../hlo/types.ts';
import { InterpreterBackend } from '../../runtime/backends/interpreter/interpreter-backend.ts';
import { EagerMode } from '../debugging/eager.ts';
import { Device } from '../device.ts';
import type { Tensor } from '../tensor.ts';
import { tensor } from './create.ts';
import { unique, uniqueConsecutive } from './unique.ts';

type Element = number | boolean | 'NaN';
interface Part {
  readonly shape: readonly number[];
  readonly data: readonly Element[];
}
interface Case {
  readonly function: 'unique' | 'unique_consecutive';
  readonly dtype: ElementType;
  readonly shape: readonly number[];
  readonly dim: number | null;
  readonly data: readonly Element[];
  readonly results?: readonly Part[];
  readonly raises?: string;
}
const golden = JSON.parse(
  // integers of more than 53 bits are exact
  readFileSync(new URL('../../../test/golden/pytorch-unique.json', import.meta.url), 'utf8').replace(
    /\b\d{16,}\b/g,
    '"$&"',
  ),
) as readonly Case[];
const device = new Device(new InterpreterBackend(), { seed: 1, eager: new EagerMode('never'), log: () => {} });

const made = ({ dtype, shape, data }: Case): Tensor =>
  tensor(
    literal(
      dtype,
      shape,
      data.map(x => (dtype === 'i64' ? BigInt(x) : Number(x))),
    ),
    { device },
  );
const texts = (x: Tensor): { readonly shape: readonly number[]; readonly data: readonly string[] } => ({
  shape: x.shape,
  data: Array.from(x.data as ArrayLike<number | bigint>, String),
});
const wanted = ({ shape, data }: Part): ReturnType<typeof texts> => ({
  shape,
  data: data.map(x => String(typeof x === 'boolean' ? Number(x) : x)),
});

describe.each(['unique', 'unique_consecutive'] as const)('%s', name => {
  const run = name === 'unique' ? unique : uniqueConsecutive;
  const cases = golden.filter(one => one.function === name);
  test.each(cases.map(one => [JSON.stringify([one.dtype, one.shape, one.dim]), one] as const))('%s', (_, one) => {
    const dim = one.dim ?? undefined;
    const given = (): readonly Tensor[] => run(made(one), { returnInverse: true, returnCounts: true, dim });
    if (one.raises !== undefined) return expect(given).toThrow();
    const results = given();
    expect(results.map(texts)).toEqual(one.results!.map(wanted));
    expect(results.map(x => x.type.elementType)).toEqual([one.dtype, 'i64', 'i64']);
    const [output, inverse, counts] = results as [Tensor, Tensor, Tensor];
    expect(texts(run(made(one), { dim }))).toEqual(texts(output));
    expect(run(made(one), { returnInverse: true, dim }).map(texts)).toEqual([output, inverse].map(texts));
    expect(run(made(one), { returnCounts: true, dim }).map(texts)).toEqual([output, counts].map(texts));
  });
});

test('pending ops are run first, and the result can be used in ops', () => {
  const x = tensor([3, 1, 3], { device }).add(1);
  expect(unique(x).mul(2).toArray()).toEqual([4, 8]);
});
test('invalid arguments are rejected', () => {
  const x = tensor([1, 2], { device });
  expect(() => unique(x, { returnInvers: true } as never)).toThrow(/returnInverse/);
  expect(() => unique(x, { returnCounts: 1 } as never)).toThrow(/true or false/);
  expect(() => unique(x, { dim: 1 })).toThrow(/dim/);
  expect(() => unique([1, 2] as never)).toThrow(/tensor\(data\)/);
  expect(() => uniqueConsecutive(x, { sorted: true } as never)).toThrow(/sorted/);
  expect(() => unique(tensor(literal('complex<f32>', [1], [1, 0]), { device }))).toThrow(/real numbers/);
});
