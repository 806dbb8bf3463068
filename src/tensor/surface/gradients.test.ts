// The gradients of smooth rows compared with central finite differences in f64, on one sample of each: an oracle that does not
// depend on PyTorch.
//
//   f(x) = Σ w · results, with fixed weights w; for a direction v, ∇f · v = (f(x + h v) − f(x − h v)) / 2h.
import { describe, expect, test } from 'vitest';
import { isTrenioError } from '../../base/errors.ts';
import { InterpreterBackend } from '../../runtime/backends/interpreter/interpreter-backend.ts';
import { EagerMode } from '../debugging/eager.ts';
import { Device } from '../device.ts';
import { tensor } from '../functions/create.ts';
import { Tensor } from '../tensor.ts';
import { call } from './call.ts';
import { groups } from './index.ts';
import { argumentList, build } from './pytorch.testing.ts';
import type { Row } from './row.ts';
import { type ArgumentJson, argumentsOf, samplesOf, type TensorJson } from './samples.testing.ts';

const device = new Device(new InterpreterBackend(), { seed: 1, eager: new EagerMode('never'), log: () => {} });
const h = 1e-5;

const isFloatTensor = (value: ArgumentJson): value is TensorJson =>
  typeof value === 'object' && value !== null && 'dtype' in value && /^(f|bf)/.test(value.dtype);
/** In f64, moved along a direction. */
function moved(value: ArgumentJson, by: number): ArgumentJson {
  if (Array.isArray(value)) return value.map((entry: ArgumentJson) => moved(entry, by));
  if (!isFloatTensor(value)) return value;
  return { ...value, dtype: 'f64', data: value.data.map(x => Number(x) + by * direction(Number(x))) };
}
/** Equal elements move alike, zeros do not: symmetric matrices stay symmetric, triangular ones triangular. */
const direction = (x: number): number => x * Math.cos(3 * x);
const weights = (result: Tensor): Tensor =>
  tensor(
    Array.from({ length: result.numel() }, (_, i) => ((7 * i + 3) % 11) / 8 - 0.5),
    { device, dtype: 'f64', shape: result.shape },
  );

interface Slopes {
  readonly gradient: number;
  readonly differences: number;
}
/** Undefined where a sample has nothing to differentiate, or is refused. */
function slopes(row: Row, variant: number, json: Readonly<Record<string, ArgumentJson>>): Slopes | undefined {
  const evaluate = (by: number): { readonly value: Tensor | undefined; readonly leaves: readonly Tensor[] } => {
    const leaves: Tensor[] = [];
    const values = Object.fromEntries(
      Object.entries(json).map(([name, value]) => [
        name,
        build(device, moved(value, by), x => {
          if (x.dtype === 'float64') leaves.push(x.requiresGrad_());
        }),
      ]),
    );
    const given = call(row, undefined, argumentList(row, variant, values), Tensor.prototype);
    const results = ((Array.isArray(given) ? given : [given]) as readonly Tensor[]).filter(x => x.requiresGrad);
    const totals = results.map(result => result.double().mul(weights(result)).sum());
    return { value: totals.length === 0 ? undefined : totals.reduce((sum, x) => sum.add(x)), leaves };
  };
  try {
    const { value, leaves } = evaluate(0);
    if (value === undefined || !Number.isFinite(value.item())) return undefined;
    value.backward();
    let gradient = 0;
    for (const leaf of leaves)
      for (const [i, g] of Array.from(leaf.grad?.data ?? [], Number).entries())
        gradient += g * direction(Number(leaf.data[i]));
    const differences = (Number(evaluate(h).value!.item()) - Number(evaluate(-h).value!.item())) / (2 * h);
    return leaves.every(leaf => leaf.numel() === 0) ? undefined : { gradient, differences };
  } catch (error) {
    if (isTrenioError(error)) return undefined;
    throw error;
  }
}

const smooth = groups
  .map(({ title, rows }) => ({ title, rows: Object.values(rows).filter(row => row.gradient === 'smooth') }))
  .filter(({ rows }) => rows.length > 0);
describe.each(smooth)('$title', ({ rows }) => {
  test.each(rows)('$name', row => {
    for (const [i, variant] of row.variants.entries())
      for (const sample of samplesOf(row, i)) {
        const found = slopes(row, i, argumentsOf(row, variant, sample));
        if (found === undefined || Number.isNaN(found.differences)) continue;
        const { gradient, differences } = found;
        expect(Math.abs(gradient - differences), JSON.stringify(sample)).toBeLessThan(
          1e-5 * (1 + Math.abs(differences)),
        );
        return;
      }
    // Rows without samples of real numbers that have gradients are left to the comparison with PyTorch.
    const texts = row.variants.flatMap((_, i) => samplesOf(row, i).map(one => JSON.stringify(one)));
    const isTried = texts.some(one => /c(64|128)\[/.test(one)) || !texts.some(one => /"b?f\d/.test(one));
    expect(isTried, 'no sample of this row has a gradient').toBe(true);
  });
});
