// Edge semantics, compared with PyTorch (scripts/golden/semantics.py): values, data types, shapes and gradients at kinks, ties,
// bounds and empty sizes, and errors; interpreted eagerly and compiled.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { isTrenioError } from '../base/errors.ts';
import { numberAt } from '../hlo/literal.ts';
import { InterpreterBackend } from '../runtime/backends/interpreter/interpreter-backend.ts';
import { EagerMode } from '../tensor/debugging/eager.ts';
import * as tensors from '../tensor/index.ts';
import { Device, type DType, device, setDefaultDevice, Tensor, tensor } from '../tensor/index.ts';
import { elementTypeOf } from '../tensor/types/dtype.ts';
import * as nn from './index.ts';

interface Packed {
  readonly dtype: DType;
  readonly shape: readonly number[];
  readonly data: readonly (number | boolean | string)[];
}
interface Case {
  readonly js: string;
  readonly inputs: readonly (Packed & { readonly grad: boolean })[];
  readonly raises?: string;
  readonly outputs?: readonly Packed[];
  readonly gradients?: readonly (Packed | null)[];
}
const cases = JSON.parse(
  readFileSync(new URL('../../test/golden/semantics.json', import.meta.url), 'utf8'),
) as readonly Case[];

const { var: _, ...functions } = tensors;
const scope = { ...functions, nn, clone: (x: Tensor) => x.clone() };
const names = Object.keys(scope);
const run = (one: Case, inputs: readonly Tensor[]): unknown =>
  new Function(...names, ...inputs.map((_, i) => `x${i}`), `return ${one.js}`)(...Object.values(scope), ...inputs);

interface Pending {
  readonly one: Case;
  readonly compared: readonly { readonly what: string; readonly got: Tensor | undefined; readonly want: Packed }[];
  readonly raised?: string;
  readonly broken?: string;
}
function record(one: Case, on: Device): Pending {
  const inputs = one.inputs.map(({ dtype, shape, data, grad }) =>
    tensor(Float64Array.from(data, Number), { dtype, shape, device: on, requiresGrad: grad }),
  );
  try {
    const result = run(one, inputs);
    const outputs = (result instanceof Tensor ? [result] : [...(result as Tensor[])]).map(x => x.keep());
    const flowing = outputs.filter(x => x.requiresGrad);
    if (flowing.length > 0)
      tensors.autograd.backward(
        flowing,
        flowing.map(x =>
          tensor(
            Float64Array.from({ length: x.numel() }, (_, i) => i + 1),
            { shape: x.shape, dtype: x.dtype, device: on },
          ),
        ),
      );
    const compared = (one.outputs ?? []).map((want, i) => ({ what: `result ${i}`, got: outputs[i], want }));
    const gradients = (one.gradients ?? []).flatMap((want, i) =>
      want === null ? [] : [{ what: `gradient of x${i}`, got: inputs[i]!.grad?.keep() as Tensor | undefined, want }],
    );
    return { one, compared: [...compared, ...gradients] };
  } catch (error) {
    if (!isTrenioError(error)) return { one, compared: [], broken: `${one.js}: ${error}` };
    return { one, compared: [], raised: error.message };
  }
}

const tolerances: Partial<Record<string, number>> = { float64: 1e-9, float32: 2e-6, float16: 1e-3, bfloat16: 8e-3 };
function differences({ one, compared, raised, broken }: Pending): string[] {
  if (broken !== undefined) return [broken];
  if (one.raises !== undefined) return raised === undefined ? [`${one.js} must raise: ${one.raises}`] : [];
  const title = `${one.js} of ${one.inputs.map(x => `${x.dtype} [${x.shape}]`).join(', ')}`;
  if (raised !== undefined) return [`${title} raises ${raised}`];
  return compared.flatMap(({ what, got, want }) => {
    if (got === undefined) return [`${title}: ${what} is missing`];
    const literal = got.literal();
    const data = Array.from({ length: got.numel() }, (_, i) => numberAt(literal, i));
    const isSame =
      got.type.elementType === elementTypeOf(want.dtype) &&
      String(got.shape) === String(want.shape) &&
      want.data.every((x, i) => isNear(Number(x), data[i]!, tolerances[want.dtype] ?? 0));
    return isSame
      ? []
      : [
          `${title}: ${what} is ${got.dtype} [${got.shape}] ${data}; PyTorch: ${want.dtype} [${want.shape}] ${want.data}`,
        ];
  });
}
const isNear = (x: number, y: number, tolerance: number): boolean =>
  Object.is(x, y) || x === y || Math.abs(x - y) <= tolerance * (1 + Math.abs(x));

describe('edge semantics', () => {
  test('eager', () => {
    const eager = new Device(new InterpreterBackend(), { seed: 1, eager: new EagerMode('never'), log: () => {} });
    setDefaultDevice(eager);
    expect(cases.flatMap(one => differences(record(one, eager))).join('\n')).toBe('');
  });
  test('compiled', () => {
    const cpu = device('cpu');
    setDefaultDevice(cpu);
    const recorded = cases.map(one => record(one, cpu));
    cpu.markStep();
    expect(recorded.flatMap(differences).join('\n')).toBe('');
  });
  test('the item of a tensor of booleans is a boolean', () => {
    setDefaultDevice(device('cpu'));
    expect(tensor([1, 2]).gt(0).all().item()).toBe(true);
    expect(tensor([true]).item<boolean>()).toBe(true);
    expect(tensor([1]).item()).toBe(1);
  });
  test('batch normalization under autocast: in the type of its input, with statistics in f32', () => {
    setDefaultDevice(device('cpu'));
    const linear = new nn.Linear(4, 3);
    const norm = new nn.BatchNorm1d(3);
    const x = tensor(
      Float64Array.from({ length: 20 }, (_, i) => Math.sin(i)),
      { shape: [5, 4], dtype: 'f32' },
    );
    const y = tensors.autocast(() => norm.forward(linear.forward(x)));
    expect(y.type.elementType).toBe('bf16');
    y.float().square().sum().backward();
    expect(norm.getBuffer('running_mean').type.elementType).toBe('f32');
    expect(linear.weight.grad!.type.elementType).toBe('f32');
    expect(y.float().mean(0).abs().max().item()).toBeLessThan(0.02);
    expect(norm.getBuffer('running_mean').abs().max().item()).toBeGreaterThan(0);
  });
});
