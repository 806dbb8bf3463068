// Cases recorded with PyTorch (scripts/golden), run here with the same expressions, parameters, inputs and cotangents.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { goldenPath } from '../../test/golden.testing.ts';
import type { NestedNumbers } from '../tensor/index.ts';
import { type Device, type DType, setDefaultDevice, Tensor, tensor, tensorsIn } from '../tensor/index.ts';
import * as nn from './index.ts';

interface Packed {
  readonly dtype: DType;
  readonly shape: readonly number[];
  readonly data: readonly (number | boolean | string)[];
}
export interface Case {
  /** Creates the module; empty for a function. */
  readonly js: string;
  /** Computes the result from the module m and the inputs x0, x1 … */
  readonly call: string;
  readonly training: boolean;
  /** The module as PyTorch prints it. */
  readonly text?: string;
  readonly inputs: readonly Packed[];
  readonly state?: Readonly<Record<string, Packed>>;
  readonly outputs: readonly Packed[];
  readonly inputGradients?: readonly (Packed | null)[];
  readonly gradients?: Readonly<Record<string, Packed>>;
  readonly buffers?: Readonly<Record<string, Packed>>;
}

const folder = goldenPath('pytorch-nn');
/** Those of src/nn; the group `contrib` is of contrib/nn. */
export const groups = (): readonly string[] =>
  readdirSync(folder)
    .filter(file => file.endsWith('.json') && file !== 'contrib.json')
    .map(file => file.slice(0, -'.json'.length));
/** `nn`, or contrib's. */
type Layers = { readonly functional: object };
export const casesOf = (group: string): readonly (Case & { readonly title: string })[] =>
  (JSON.parse(readFileSync(join(folder, `${group}.json`), 'utf8')) as Case[]).map((one, i) => ({
    ...one,
    title: `${i} ${one.js} ${one.call}`,
  }));

/** A line for each case of a group that differs, all in one program. */
export function differencesOf(group: string, device: Device, layers: Layers = nn): string {
  setDefaultDevice(device);
  const recorded = casesOf(group).map(one => ({ title: one.title, compared: record(one, device, layers) }));
  device.markStep();
  return recorded
    .flatMap(({ title, compared }) => {
      const problem = difference(compared);
      return problem === undefined ? [] : [`${title}: ${problem}`];
    })
    .join('\n');
}

const numbersOf = (data: Packed['data']): number[] => data.map(Number);
const unpack = (p: Packed, device: Device): Tensor =>
  tensor(Float64Array.from(numbersOf(p.data)), { shape: p.shape, dtype: p.dtype, device });

/** A Trenio tensor and PyTorch's value for it. */
interface Comparison {
  readonly what: string;
  readonly got: Tensor | undefined;
  readonly want: Packed;
}

/** Records a case: returns the tensors to compare, which are not read yet. */
export function record(one: Case, device: Device, layers: Layers = nn): readonly Comparison[] {
  const names = one.inputs.map((_, i) => `x${i}`);
  const build = new Function('nn', 'F', `return ${one.js === '' ? 'undefined' : one.js}`) as (
    ...args: unknown[]
  ) => unknown;
  const module = build(layers, layers.functional) as nn.Module | undefined;
  if (module !== undefined) {
    module.loadStateDict(
      new Map(Object.entries(one.state ?? {}).map(([name, p]) => [name, unpack(p, device).literal()])),
    );
    module.train(one.training);
  }
  const inputs = one.inputs.map((p, i) => {
    const x = unpack(p, device);
    return one.inputGradients?.[i] ? x.requiresGrad_() : x;
  });
  const run = new Function('nn', 'F', 'm', ...names, `return ${one.call}`) as (...args: unknown[]) => unknown;
  const result = run(layers, layers.functional, module, ...inputs);
  const outputs = tensorsIn(
    result instanceof Tensor || Array.isArray(result) ? result : Object.values(result as object),
  );
  const compared: Comparison[] = one.outputs.map((want, i) => ({ what: `output ${i}`, got: outputs[i], want }));
  if (one.inputGradients !== undefined) {
    const terms = outputs
      .filter(y => y.requiresGrad)
      .map(y =>
        y
          .float()
          .mul(
            tensor(
              Float32Array.from({ length: y.numel() }, (_, i) => Math.cos(i)),
              { shape: y.shape, device },
            ),
          )
          .sum(),
      );
    const loss = terms.reduce((sum, term) => sum.add(term));
    loss.backward();
    one.inputGradients.forEach((want, i) => {
      if (want) compared.push({ what: `gradient of x${i}`, got: inputs[i]!.grad, want });
    });
    for (const [name, want] of Object.entries(one.gradients ?? {}))
      compared.push({ what: `gradient of ${name}`, got: module?.getParameter(name).grad, want });
  }
  for (const [name, want] of Object.entries(one.buffers ?? {}))
    compared.push({ what: name, got: module?.getBuffer(name), want });
  if (module !== undefined && one.text !== undefined && String(module) !== one.text)
    throw new Error(`prints as\n${String(module)}\nPyTorch prints\n${one.text}`);
  for (const { got } of compared) got?.keep();
  return compared;
}

const flat = (x: NestedNumbers): number[] => (Array.isArray(x) ? (x as NestedNumbers[]).flatMap(flat) : [Number(x)]);

/** The differences of a recorded case; undefined if there are none. Relative to the largest element. */
export function difference(compared: readonly Comparison[], tolerance = 2e-5): string | undefined {
  for (const { what, got, want } of compared) {
    if (got === undefined) return `${what} is missing`;
    if (String(got.shape) !== String(want.shape)) return `${what} is [${got.shape}], expected [${want.shape}]`;
    const [a, b] = [flat(got.toArray()), numbersOf(want.data)];
    const top = Math.max(1e-3, ...b.filter(Number.isFinite).map(Math.abs));
    const at = b.findIndex(
      (v, i) =>
        !(
          Object.is(a[i], v) ||
          a[i] === v ||
          (Number.isNaN(a[i]) && Number.isNaN(v)) ||
          Math.abs(a[i]! - v) <= tolerance * top
        ),
    );
    if (at >= 0) return `${what}: element ${at} is ${a[at]}, expected ${b[at]}`;
  }
  return undefined;
}
