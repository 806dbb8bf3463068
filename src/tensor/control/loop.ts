// A loop over positions in a program: carries are passed between iterations; each iteration reads a slice of the inputs and
// writes one of the outputs. Its gradient is such a loop in reverse: the forward pass keeps the carries before each iteration,
// the gradient of the body is recorded once, and the gradients of captured values are accumulated in additional carries.
import type { SourceLocation } from '../../base/errors.ts';
import type { Builder } from '../../hlo/builder.ts';
import { shapeOf, tensorTypeOf, type Value } from '../../hlo/program.ts';
import { isFloat } from '../../hlo/types.ts';
import type { Device } from '../device.ts';
import { firstExample } from '../func/batcher.ts';
import { recordExample } from '../func/example.ts';
import { isGradEnabled } from '../gradients/grad-mode.ts';
import { cotangentsIn, gradientGraph, isAttached } from '../gradients/gradient-graph.ts';
import { inlineTurn, loopBody } from './body.ts';
import { checksOf, noteBodyChecks, nothingWrong, worst } from './body-checks.ts';

/** A loop whose body was recorded with placeholders. */
export interface Loop {
  readonly name: string;
  readonly device: Device;
  readonly location: SourceLocation | undefined;
  readonly turns: number;
  readonly isReverse: boolean;
  /** Ops recorded from here on belong to the body. */
  readonly start: number;
  /** Before the first iteration. */
  readonly inits: readonly Value[];
  /** Stacked along dim 0. */
  readonly inputs: readonly Value[];
  /** In the body, the placeholders for the carries before an iteration and for a slice of each input. */
  readonly carryPlaceholders: readonly Value[];
  readonly slicePlaceholders: readonly Value[];
  /** In the body, the carries after an iteration and a slice of each output. */
  readonly carries: readonly Value[];
  readonly outputs: readonly Value[];
}
export interface LoopResult {
  readonly carries: readonly Value[];
  readonly outputs: readonly Value[];
}

const hasGradient = (value: Value): boolean => isFloat(tensorTypeOf(value).elementType);

function sliceAt(b: Builder, x: Value, position: Value): Value {
  const [, ...shape] = shapeOf(x) as [number, ...number[]];
  const nought = b.fill('i32', [], 0);
  const slice = b.emit1('dynamic_slice', [x, position, ...shape.map(() => nought)], { sliceSizes: [1, ...shape] });
  return b.reshape(slice, shape);
}
function putAt(b: Builder, into: Value, slice: Value, position: Value): Value {
  const nought = b.fill('i32', [], 0);
  const shape = shapeOf(slice);
  const row = b.reshape(slice, [1, ...shape]);
  return b.emit1('dynamic_update_slice', [into, row, position, ...shape.map(() => nought)], {});
}

/** Appends a loop to the open trace. */
export function emitLoop(given: Loop): LoopResult {
  const { device, turns, inits, inputs, isReverse } = given;
  const { trace } = device;
  const b: Builder = trace.builder;
  b.location = given.location;
  const placeholders = [...given.carryPlaceholders, ...given.slicePlaceholders];
  const plain = loopBody(trace, given.start, [...given.carries, ...given.outputs], placeholders);
  const checks = checksOf(trace, plain);
  const body =
    checks.length === 0
      ? plain
      : loopBody(
          trace,
          given.start,
          [...given.carries, ...given.outputs, ...checks.map(({ wrong }) => wrong)],
          placeholders,
        );
  const around = [...inits, ...inputs, ...body.captured];
  const isDifferentiated = isGradEnabled() && around.some(value => hasGradient(value) && isAttached(trace, value));

  // The carries before each iteration are also outputs, through which gradients of gradients flow.
  const kept = isDifferentiated ? given.carryPlaceholders : [];
  const loop: Loop = { ...given, outputs: [...given.outputs, ...kept] };
  const stacks = loop.outputs.map(slice => {
    const { elementType, shape } = tensorTypeOf(slice);
    return b.fill(elementType, [turns, ...shape], 0);
  });
  const state = [b.fill('i32', [], 0), ...inits, ...stacks, ...checks.map(check => nothingWrong(b, check))];
  const types = state.map(value => value.type);
  const goesOn = b.region(types, (inner, [turn]) => [inner.compare('LT', turn!, inner.fill('i32', [], turns))]);
  const next = b.region(types, (inner, [turn, ...rest]) => {
    const before = rest.slice(0, inits.length);
    const position = isReverse ? inner.subtract(inner.fill('i32', [], turns - 1), turn!) : turn!;
    const map = new Map<Value, Value>();
    loop.carryPlaceholders.forEach((value, i) => {
      map.set(value, before[i]!);
    });
    loop.slicePlaceholders.forEach((value, i) => {
      map.set(value, sliceAt(inner, inputs[i]!, position));
    });
    inlineTurn(inner, body, map, position);
    const after = (values: readonly Value[]): Value[] => values.map(value => map.get(value) ?? value);
    const written = after(loop.outputs);
    const wrong = after(checks.map(check => check.wrong));
    const checked = inits.length + stacks.length;
    return [
      inner.add(turn!, inner.fill('i32', [], 1)),
      ...after(loop.carries),
      ...rest.slice(inits.length, checked).map((into, i) => putAt(inner, into, written[i]!, position)),
      ...rest.slice(checked).map((earlier, i) => worst(inner, earlier, wrong[i]!)),
    ];
  });
  const all = b.emit('while', state, {}, [goesOn, next]).slice(1);
  const results = all.slice(0, inits.length + stacks.length);
  noteBodyChecks(trace, checks, all.slice(results.length));
  const carries = results.slice(0, inits.length);
  const outputs = results.slice(inits.length, inits.length + given.outputs.length);
  const before = results.slice(inits.length + given.outputs.length);
  const ends = results;
  if (isDifferentiated) {
    const node = {
      name: loop.name,
      location: loop.location,
      inputs: around,
      outputs: ends,
      gradient: ({ cotangents, needs }: Parameters<typeof gradientOf>[4]) =>
        gradientOf(loop, body.captured, body.varies, before, { cotangents, needs }),
    };
    for (const value of ends) trace.nodes.set(value, node);
  } else for (const value of ends) trace.stopped.add(value);
  return { carries, outputs };
}

function gradientOf(
  loop: Loop,
  captured: readonly Value[],
  varies: (value: Value) => boolean,
  before: readonly Value[],
  request: { readonly cotangents: readonly (Value | undefined)[]; readonly needs: (value: Value) => boolean },
): readonly (Value | undefined)[] {
  const { device, inits, inputs } = loop;
  const { trace } = device;
  const b: Builder = trace.builder;
  b.location = loop.location;
  const { cotangents, needs } = request;
  const positions = (values: readonly Value[], wanted: (value: Value) => boolean): number[] =>
    values.flatMap((value, i) => (wanted(value) ? [i] : []));
  const carried = positions(loop.carryPlaceholders, hasGradient);
  const sliced = positions(inputs, value => hasGradient(value) && needs(value));
  const added = positions(captured, value => hasGradient(value) && needs(value));
  const given = positions(loop.outputs, hasGradient).filter(i => cotangents[inits.length + i] !== undefined);

  const finals = carried.map(i => cotangents[i] ?? b.like(inits[i]!, 0));
  const sums = added.map(i => b.like(captured[i]!, 0));
  const stacked = given.map(i => cotangents[inits.length + i]!);
  // Placeholders for cotangents in the body.
  const copy = (value: Value): Value => b.reshape(value, shapeOf(value));
  const ofCarries = finals.map(copy);
  const ofSums = sums.map(copy);
  const ofOutputs = stacked.map(value => firstExample(trace, value));
  const targets = [
    ...carried.map(i => loop.carryPlaceholders[i]!),
    ...sliced.map(i => loop.slicePlaceholders[i]!),
    ...added.map(i => captured[i]!),
  ];
  const opened = isGradEnabled() ? [...ofCarries, ...ofSums, ...ofOutputs] : [];
  for (const value of opened) trace.active.add(value);
  const isTarget = new Set(targets);
  const found = recordExample(loop.name, device, [...ofCarries, ...ofOutputs], () => {
    const seeds = [
      ...carried.map((i, k) => [loop.carries[i]!, ofCarries[k]!] as const),
      ...given.map((i, k) => [loop.outputs[i]!, ofOutputs[k]!] as const),
    ];
    const graph = gradientGraph(
      trace,
      seeds.map(([value]) => value),
      value => isTarget.has(value) || !varies(value),
    );
    const gradients = cotangentsIn(device, trace, graph, seeds, targets).map((g, i) => g ?? b.like(targets[i]!, 0));
    const ofAdded = gradients.slice(carried.length + sliced.length);
    return {
      carries: [...gradients.slice(0, carried.length), ...ofAdded.map((g, i) => b.add(ofSums[i]!, g))],
      outputs: gradients.slice(carried.length, carried.length + sliced.length),
    };
  });
  for (const value of opened) trace.active.delete(value);
  const back = emitLoop({
    ...loop,
    isReverse: !loop.isReverse,
    inits: [...finals, ...sums],
    inputs: [...inputs, ...before, ...stacked],
    carryPlaceholders: [...ofCarries, ...ofSums],
    slicePlaceholders: [...loop.slicePlaceholders, ...loop.carryPlaceholders, ...ofOutputs],
    ...found,
  });
  const gradients: (Value | undefined)[] = [...inits, ...inputs, ...captured].map(() => undefined);
  carried.forEach((at, i) => {
    gradients[at] = back.carries[i];
  });
  sliced.forEach((at, i) => {
    gradients[inits.length + at] = back.outputs[i];
  });
  added.forEach((at, i) => {
    gradients[inits.length + inputs.length + at] = back.carries[carried.length + i];
  });
  return gradients;
}
