// Indices out of range in the bodies of loops and branches throw an error with the line of the lookup when the step is read.
import { beforeEach, describe, expect, test } from 'vitest';
import { TrenioError } from '../../base/errors.ts';
import { InterpreterBackend } from '../../runtime/backends/interpreter/interpreter-backend.ts';
import { EagerMode } from '../debugging/eager.ts';
import { Device } from '../device.ts';
import { compile, control, device, func, oneHot, setDefaultDevice, type Tensor, tensor } from '../index.ts';

const ids = (...values: number[]): Tensor => tensor(values, { dtype: 'i64' }).add(0);
const errorOf = (body: () => unknown): string | undefined => {
  try {
    body();
  } catch (error) {
    if (error instanceof TrenioError)
      return `${error.code} ${String((error.data as { readonly index?: unknown }).index)}`;
    throw error;
  }
  return undefined;
};
const table = (): Tensor => tensor([10, 20, 30]);
const overScan = (indices: Tensor): Tensor =>
  control.scan(
    (sum: Tensor, i: Tensor) => [sum.add(table().indexSelect(0, i.reshape(1)).sum()), sum],
    tensor(0),
    indices,
  )[0];
const loops: readonly (readonly [string, (indices: Tensor) => Tensor])[] = [
  ['scan', overScan],
  [
    'scan, of which only the outputs are read',
    indices => control.scan((c: Tensor, i: Tensor) => [c, oneHot(i, 3)], tensor(0), indices)[1],
  ],
  [
    'while',
    indices =>
      control.while(
        (k: Tensor) => k.lt(indices.shape[0]!),
        (k: Tensor, sum: Tensor) => [
          k.add(1),
          sum.add(
            table()
              .gather(0, indices.gather(0, k.reshape(1)))
              .sum(),
          ),
        ],
        [tensor(0, { dtype: 'i64' }), tensor(0)],
      )[1],
  ],
  [
    'while with a lookup in the condition',
    indices =>
      control.while(
        (k: Tensor) =>
          k.lt(indices.shape[0]!).logicalAnd(
            table()
              .gather(0, indices.gather(0, k.clamp(0, 2).reshape(1)))
              .sum()
              .gt(0),
          ),
        (k: Tensor) => [k.add(1)],
        [tensor(0, { dtype: 'i64' })],
      )[0],
  ],
  [
    'while with maxTrips',
    indices =>
      control.while(
        (k: Tensor) => k.lt(indices.shape[0]!),
        (k: Tensor, sum: Tensor) => [
          k.add(1),
          sum.add(
            table()
              .gather(0, indices.gather(0, k.reshape(1)))
              .sum(),
          ),
        ],
        [tensor(0, { dtype: 'i64' }), tensor(0)],
        { maxTrips: 5 },
      )[1],
  ],
  [
    'cond',
    indices =>
      control.cond(
        indices.sum().gt(-99),
        () => table().indexSelect(0, indices),
        () => table(),
      ),
  ],
  [
    'cond in scan in vmap',
    indices =>
      func.vmap(
        (row: Tensor) =>
          control.scan(
            (sum: Tensor, i: Tensor) => [
              control.cond(
                i.ge(-5),
                () => sum.add(table().gather(0, i.reshape(1)).sum()),
                () => sum,
              ),
              undefined,
            ],
            tensor(0),
            row,
          )[0],
      )(indices.reshape([1, -1])) as Tensor,
  ],
];
describe.each([
  ['compiled', () => device('cpu')],
  ['interpreted', () => device('interpreter')],
  ['eager', () => new Device(new InterpreterBackend(), { seed: 1, eager: new EagerMode('never'), log: () => {} })],
] as const)('%s', (_mode, make) => {
  beforeEach(() => setDefaultDevice(make()));

  test.each(loops)('%s', (_name, look) => {
    expect(errorOf(() => look(ids(0, 2, 1)).toArray())).toBeUndefined();
    for (const wrong of [3, -1])
      expect(errorOf(() => look(ids(0, wrong, 1)).toArray())).toBe(`INDEX_OUT_OF_RANGE ${wrong}`);
    // once is enough
    expect(errorOf(() => look(ids(1, 1, 1)).toArray())).toBeUndefined();
  });
  test('a branch that does not run is not checked', () => {
    const look = (indices: Tensor): unknown =>
      control
        .cond(
          indices.sum().lt(-99),
          () => table().indexSelect(0, indices),
          () => table(),
        )
        .toArray();
    expect(errorOf(() => look(ids(7, 8, 9)))).toBeUndefined();
    const either = (i: Tensor): Tensor =>
      control.switch(i.ge(0).to('i32'), [() => i, () => table().gather(0, i.reshape(1)).sum().to('i64')], []);
    expect(either(ids(-7).sum()).item()).toBe(-7);
    expect(errorOf(() => either(ids(4).sum()).item())).toBe('INDEX_OUT_OF_RANGE 4');
  });
  test('are checked in gradients, and in steps that are compiled once', () => {
    const w = tensor([1, 2, 3], { requiresGrad: true });
    const loss = (indices: Tensor): Tensor => {
      w.zeroGrad();
      const [sum] = control.scan(
        (s: Tensor, i: Tensor) => [s.add(w.indexSelect(0, i.reshape(1)).sum().square()), undefined],
        tensor(0),
        indices,
      );
      sum.backward();
      return sum;
    };
    const step = compile(loss);
    step(ids(0, 2, 2));
    expect(w.grad!.toArray()).toEqual([2, 0, 12]);
    expect(errorOf(() => step(ids(0, 2, 5)).item())).toBe('INDEX_OUT_OF_RANGE 5');
    expect(errorOf(() => step(ids(0, 1, 1)).item())).toBeUndefined();
  });
});
