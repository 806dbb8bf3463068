// The collectives of a training step of two residual layers, in the layouts that models are trained in. Megatron's count for
// tensor and sequence parallelism is one all-gather and one reduce-scatter for each layer, forward and again backward.
import { expect, test } from 'vitest';
import { gradients } from '../../autodiff/gradient.ts';
import { type Builder, buildFunc } from '../../hlo/builder.ts';
import { interpret } from '../../hlo/interpreter.ts';
import { toNumbers } from '../../hlo/literal.ts';
import { sampleLiteral } from '../../hlo/op-samples.testing.ts';
import { type Module, mainOf, moduleOf, tensorTypeOf, type Value } from '../../hlo/program.ts';
import { type Sharding, shardingOf } from '../../hlo/sharding/sharding.ts';
import { tensorType } from '../../hlo/types.ts';
import { forEachOp } from '../../hlo/walk.ts';
import { importShardings } from './import.ts';
import { interpretInParts } from './in-parts.testing.ts';
import { localize } from './localize.ts';
import { propagate } from './propagate.ts';

type Axes = readonly (readonly string[])[];
const [B, S, D, F] = [4, 8, 6, 16];
const data = ['data'];
const model = ['model'];

interface Step {
  /** The layouts of the two weights of a layer as arguments and results, and where they are used. */
  readonly stored: readonly [Axes, Axes];
  readonly used: readonly [Axes, Axes];
  /** The layout of activations between layers, at the start of a layer, and within it. */
  readonly stream: Axes;
  readonly input: Axes;
  readonly hidden: Axes;
}

/** (x, weights…) → (loss, new weights…) */
function stepOf({ stored, used, stream, input, hidden }: Step): Module {
  const sharding = (axes: Axes): Sharding => shardingOf('mesh', axes);
  const constrain = (b: Builder, x: Value, axes: Axes): Value =>
    b.emit1('sdy.sharding_constraint', [x], { sharding: sharding(axes) });
  const types = [tensorType('f32', [F, D]), tensorType('f32', [D, F])];
  const product = (b: Builder, x: Value, w: Value): Value =>
    b.dotGeneral(x, w, {
      lhsBatchingDimensions: [],
      rhsBatchingDimensions: [],
      lhsContractingDimensions: [2],
      rhsContractingDimensions: [1],
    });
  const func = buildFunc('main', [tensorType('f32', [B, S, D]), ...types, ...types], (b, [x, ...weights]) => {
    let y = constrain(b, x!, stream);
    for (let layer = 0; layer < 2; layer++) {
      const [up, down] = [0, 1].map(i => constrain(b, weights[2 * layer + i]!, used[i]!)) as [Value, Value];
      const inner = b.unary('tanh', constrain(b, product(b, constrain(b, y, input), up), hidden));
      y = b.add(y, constrain(b, product(b, inner, down), stream));
    }
    const loss = b.sum(b.multiply(y, y));
    const updated = gradients(b, loss, weights).map((gradient, i) =>
      b.subtract(weights[i]!, b.multiply(gradient, b.like(gradient, 0.125))),
    );
    return [loss, ...updated];
  });
  const named = (axes: Axes) => ({ sharding: { named: [sharding(axes)] as const } });
  const weights = [...stored, ...stored].map(named);
  const main = {
    ...func,
    argAttributes: [named([data, [], []]), ...weights],
    resultAttributes: [named([]), ...weights],
  };
  const axes = [
    { name: 'data', size: 2 },
    { name: 'model', size: 2 },
  ];
  return { ...moduleOf(main, { numPartitions: 4 }), meshes: [{ name: 'mesh', mesh: { axes } }] };
}

/** How often each kind of collective occurs, by its groups. */
function countsOf(module: Module): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  forEachOp(mainOf(localize(propagate(importShardings(module)))).body, ({ name, attributes }) => {
    if (!('replicaGroups' in attributes)) return;
    const [first] = attributes.replicaGroups as readonly (readonly number[])[];
    const axes = first!.length === 4 ? 'both' : first![1] === 2 ? 'data' : 'model';
    counts[`${name} ${axes}`] = (counts[`${name} ${axes}`] ?? 0) + 1;
  });
  return counts;
}

const whole = [[], []];
const batch = [data, [], []];
const steps: readonly (readonly [string, Step, Readonly<Record<string, number>>])[] = [
  [
    'data parallel',
    { stored: [whole, whole], used: [whole, whole], stream: batch, input: batch, hidden: batch },
    { 'all_reduce data': 5 },
  ],
  [
    'fully sharded',
    {
      stored: [
        [data, []],
        [[], data],
      ],
      used: [whole, whole],
      stream: batch,
      input: batch,
      hidden: batch,
    },
    { 'all_gather data': 4, 'reduce_scatter data': 4, 'all_reduce data': 1 },
  ],
  [
    'tensor parallel',
    {
      stored: [
        [model, []],
        [[], model],
      ],
      used: [
        [model, []],
        [[], model],
      ],
      stream: batch,
      input: batch,
      hidden: [data, [], model],
    },
    // Two forward, one backward: the first input is whole on all devices, and has no gradient.
    { 'all_reduce model': 3, 'all_reduce data': 5 },
  ],
  [
    'tensor and sequence parallel',
    {
      stored: [
        [model, []],
        [[], model],
      ],
      used: [
        [model, []],
        [[], model],
      ],
      stream: [data, model, []],
      input: batch,
      hidden: [data, [], model],
    },
    { 'all_gather model': 3, 'reduce_scatter model': 3, 'all_reduce data': 4, 'all_reduce both': 1 },
  ],
  [
    'tensor and sequence parallel, fully sharded',
    {
      stored: [
        [model, data],
        [data, model],
      ],
      used: [
        [model, []],
        [[], model],
      ],
      stream: [data, model, []],
      input: batch,
      hidden: [data, [], model],
    },
    {
      'all_gather model': 3,
      'reduce_scatter model': 3,
      'all_gather data': 4,
      'reduce_scatter data': 4,
      'all_reduce both': 1,
    },
  ],
];

test.each(steps)('%s', (_name, step, expected) => {
  const module = stepOf(step);
  expect(countsOf(module)).toEqual(expected);
  const inputs = mainOf(module).body.args.map((arg, i) => sampleLiteral('f32', tensorTypeOf(arg).shape, i + 1));
  const parts = interpretInParts(module, inputs).map(toNumbers);
  for (const [i, result] of interpret(module, inputs).entries())
    for (const [k, value] of toNumbers(result).entries())
      expect(Math.abs(parts[i]![k]! - value)).toBeLessThanOrEqual(1e-4 * (1 + Math.abs(value)));
});
