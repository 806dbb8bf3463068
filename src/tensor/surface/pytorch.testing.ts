// Runs the golden cases of rows, and reports differences from PyTorch.
import { beforeAll, expect, test } from 'vitest';
import { isTrenioError } from '../../base/errors.ts';
import { literal, numberAt } from '../../hlo/literal.ts';
import type { ElementType } from '../../hlo/types.ts';
import type { Backend } from '../../runtime/backends/backend.ts';
import type { EagerMode } from '../debugging/eager.ts';
import { Device } from '../device.ts';
import { tensor } from '../functions/create.ts';
import { Tensor } from '../tensor.ts';
import { call } from './call.ts';
import { type GoldenCase, type GoldenOutcome, goldenOf } from './golden.testing.ts';
import type { Row } from './row.ts';
import { complexRows } from './rows/complex.ts';
import { type ArgumentJson, jsonNumber, type TensorJson } from './samples.testing.ts';

/** Tests that all golden cases of the rows agree, on a device of this backend. */
export function agreesWithPyTorch(
  rows: Readonly<Record<string, Row>>,
  backend: () => Backend,
  eager?: EagerMode,
): void {
  // One program for the group: compiling one for each case would take minutes.
  const pending = new Map<string, readonly Pending[]>();
  beforeAll(() => {
    const device = new Device(backend(), { seed: 1, eager, log: () => {} });
    for (const row of Object.values(rows))
      pending.set(
        row.name,
        (goldenOf(row.name)?.cases ?? []).map(golden => startCase(device, row, golden)),
      );
    device.markStep();
  });
  test.each(Object.values(rows))('$name', row => {
    const differences = pending.get(row.name)!.flatMap(one => differenceOf(one.golden, finished(one)));
    expect(differences.join('\n')).toBe('');
  });
}

/** A case whose results are recorded. */
export interface Pending {
  readonly golden: GoldenCase;
  readonly results: readonly Tensor[];
  readonly leaves: ReadonlyMap<string, readonly Tensor[]>;
  readonly hasGradients: boolean;
  readonly raised: string | undefined;
}

const isTensor = (value: ArgumentJson): value is TensorJson =>
  typeof value === 'object' && value !== null && 'dtype' in value;

export function startCase(device: Device, row: Row, golden: GoldenCase): Pending {
  const leaves = new Map<string, Tensor[]>();
  const track =
    (name: string) =>
    (made: Tensor): void => {
      if (row.gradient === 'none' || row.uncompared.includes(name) || !/^(f|bf|c)/.test(made.dtype)) return;
      made.requiresGrad_();
      leaves.set(name, [...(leaves.get(name) ?? []), made]);
    };
  const values = Object.fromEntries(
    Object.entries(golden.arguments).map(([name, value]) => [name, build(device, value, track(name))]),
  );
  const none = { golden, results: [], leaves, hasGradients: false };
  try {
    const given = call(row, undefined, argumentList(row, golden.variant, values), Tensor.prototype);
    const results = withSigns(row, (Array.isArray(given) ? given : [given]) as readonly Tensor[]);
    for (const result of results) result.keep();
    const flowing = results.filter(result => result.requiresGrad && leaves.size > 0);
    if (flowing.length > 0) backward(device, flowing);
    return { golden, results, leaves, hasGradients: flowing.length > 0, raised: undefined };
  } catch (error) {
    if (!isTrenioError(error)) throw error;
    return { ...none, raised: error.message };
  }
}
/** Each vector divided by the sign (phase) of its first element, because that of eigenvectors is arbitrary. */
function withSigns(row: Row, results: readonly Tensor[]): readonly Tensor[] {
  const [first] = row.freeSigns;
  if (first === undefined) return results;
  const across = (dim: -1 | -2): -1 | -2 => (dim === -2 ? -1 : -2);
  const sign = results[first[0]]!.detach().select(across(first[1]), 0).sgn().conj();
  return results.map((result, i) => {
    const free = row.freeSigns.find(([number]) => number === i);
    return free === undefined ? result : result.mul(sign.unsqueeze(across(free[1])));
  });
}
/** An argument with its tensors; `made` is called with each of them. */
export function build(device: Device, value: ArgumentJson, made: (tensor: Tensor) => void = () => {}): unknown {
  if (isTensor(value)) {
    const x = tensorOf(device, value);
    made(x);
    return x;
  }
  return Array.isArray(value) ? value.map((entry: ArgumentJson) => build(device, entry, made)) : value;
}
/** Leading arguments that are required by place, the others by name: as callers do. */
export function argumentList(row: Row, variant: number, values: Readonly<Record<string, unknown>>): unknown[] {
  const params = Object.entries(row.variants[variant]!.params);
  const optional = params.findIndex(([, param]) => param.isOptional);
  const lead = optional < 0 ? params.length : optional;
  const required = params.slice(0, lead).map(([name]) => values[name]);
  const named = params.slice(lead).flatMap(([name]) => (name in values ? [[name, values[name]]] : []));
  return named.length === 0 ? required : [...required, Object.fromEntries(named)];
}
function backward(device: Device, results: readonly Tensor[]): void {
  const weights = (result: Tensor): Tensor => {
    const count = result.numel() * (result.dtype.startsWith('complex') ? 2 : 1);
    const data = Array.from({ length: count }, (_, i) => ((7 * i + 3) % 11) / 8 - 0.5);
    return tensor(literal(result.type.elementType, result.shape, data), { device });
  };
  const [first, ...rest] = results;
  if (rest.length === 0) first!.backward(weights(first!));
  else {
    const totals = results.map(result =>
      parts(result)
        .mul(weights(parts(result)))
        .sum(),
    );
    totals.reduce((sum, total) => sum.add(total)).backward();
  }
}
/** Complex numbers as pairs. */
const parts = (x: Tensor): Tensor =>
  x.dtype.startsWith('complex') ? (call(complexRows.viewAsReal, undefined, [x]) as Tensor) : x;
const complexTypes: Readonly<Record<string, ElementType>> = { c64: 'complex<f32>', c128: 'complex<f64>' };
function tensorOf(device: Device, { dtype, shape, data }: TensorJson): Tensor {
  const type = complexTypes[dtype] ?? (dtype as ElementType);
  const numbers = data.map(x => (typeof x === 'string' ? Number(x) : x));
  if (dtype in complexTypes) return tensor(literal(type, shape, numbers), { device });
  return tensor(numbers, { device, dtype: type, shape });
}

/** The outcome as PyTorch's is written down. */
export function finished({ results, leaves, hasGradients, raised }: Pending): GoldenOutcome {
  if (raised !== undefined) return { raises: raised };
  const outcome = { results: results.map(jsonOf) };
  if (!hasGradients) return outcome;
  const gradients = [...leaves].map(([name, list]) => [
    name,
    list.map(leaf => (leaf.grad === undefined ? zerosLike(leaf) : jsonOf(leaf.grad))),
  ]);
  return { ...outcome, gradients: Object.fromEntries(gradients) };
}
function jsonOf(x: Tensor): TensorJson {
  const elements = x.literal();
  const data = Array.from({ length: elements.data.length }, (_, i) =>
    x.type.elementType === 'i1' ? elements.data[i] !== 0 : jsonNumber(numberAt(elements, i)),
  );
  return { dtype: jsonType(x.type.elementType), shape: x.shape, data };
}
const jsonType = (type: ElementType): string =>
  Object.keys(complexTypes).find(name => complexTypes[name] === type) ?? type;
const zerosLike = (x: Tensor): TensorJson => ({
  dtype: jsonType(x.type.elementType),
  shape: x.shape,
  data: new Array(x.numel() * (x.dtype.startsWith('complex') ? 2 : 1)).fill(0),
});

/** Relative to 1 + |expected|: functions are accurate to a few units in the last place. */
const tolerances: Partial<Record<string, number>> = {
  f64: 1e-10,
  c128: 1e-10,
  f32: 1e-5,
  c64: 1e-5,
  f16: 2e-3,
  bf16: 1.6e-2,
};

/** How an outcome differs from PyTorch's, a line a difference. */
export function differenceOf(golden: GoldenCase, got: GoldenOutcome): readonly string[] {
  const where = JSON.stringify(golden.arguments).slice(0, 300);
  const expected = golden.outcome;
  if ('raises' in expected || 'raises' in got) {
    if ('raises' in expected && 'raises' in got) return [];
    return [
      'raises' in expected
        ? `${where}: PyTorch raises ${expected.raises}, Trenio gives ${JSON.stringify(got)}`
        : `${where}: Trenio raises ${(got as { readonly raises: string }).raises}`,
    ];
  }
  // a result is as exact as the least exact of its operands
  const tolerance = Math.max(
    ...tensorsIn(Object.values(golden.arguments)).map(({ dtype }) => tolerances[dtype] ?? 0),
    0,
  );
  const compare = (what: string, wanted: readonly TensorJson[], actual: readonly TensorJson[]): string[] =>
    compareTensors(`${where}: ${what}`, wanted, actual, tolerance);
  const differences = compare('results', expected.results, got.results);
  for (const [name, gradients] of Object.entries(expected.gradients ?? {}))
    differences.push(...compare(`the gradient of ${name}`, gradients, got.gradients?.[name] ?? []));
  if (expected.gradients === undefined && got.gradients !== undefined)
    differences.push(`${where}: a gradient flows, which is not so in PyTorch`);
  return differences;
}
const tensorsIn = (values: readonly ArgumentJson[]): readonly TensorJson[] =>
  values.flatMap(value => (isTensor(value) ? [value] : Array.isArray(value) ? tensorsIn(value) : []));
function compareTensors(
  where: string,
  expected: readonly TensorJson[],
  got: readonly TensorJson[],
  tolerance: number,
): string[] {
  if (expected.length !== got.length) return [`${where}: ${expected.length} expected, got ${got.length}`];
  return expected.flatMap((tensor, i) => {
    const other = got[i]!;
    const text = `${where}: expected ${JSON.stringify(tensor)}, got ${JSON.stringify(other)}`;
    if (tensor.dtype !== other.dtype || JSON.stringify(tensor.shape) !== JSON.stringify(other.shape)) return [text];
    return tensor.data.every((x, j) => isNear(x, other.data[j]!, Math.max(tolerance, tolerances[tensor.dtype] ?? 0)))
      ? []
      : [text];
  });
}
function isNear(expected: number | string | boolean, got: number | string | boolean, tolerance: number): boolean {
  if (typeof expected === 'boolean' || typeof got === 'boolean') return expected === got;
  const [x, y] = [Number(expected), Number(got)];
  if (Number.isNaN(x) || Number.isNaN(y)) return Number.isNaN(x) && Number.isNaN(y);
  if (x === y) return true;
  return Math.abs(x - y) <= tolerance * (1 + Math.abs(x));
}
