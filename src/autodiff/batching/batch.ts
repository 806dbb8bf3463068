// Turns ops on one example into ops on all examples at once: vmap over programs. An op has a rule, or is decomposed into ops that
// do, or is computed for one example after the other, with the same results.
import type { OpName } from '../../hlo/attributes.ts';
import { Builder } from '../../hlo/builder.ts';
import { inline } from '../../hlo/inline.ts';
import { opTable } from '../../hlo/op-table.ts';
import { type Func, type Op, type OpOf, type Region, shapeOf, tensorTypeOf, type Value } from '../../hlo/program.ts';
import { tensorType } from '../../hlo/types.ts';
import { capturesOf } from '../../hlo/walk.ts';
import { controlRules } from './control.ts';
import { indexedRules } from './indexed.ts';
import { reducingRules } from './reducing.ts';
import { type BatchRule, type BatchTable, batched, type Image, inFull, same } from './rule.ts';
import { simpleRules } from './simple.ts';

const batchTable: BatchTable = { ...simpleRules, ...indexedRules, ...reducingRules, ...controlRules };

export interface BatchOptions {
  /** The number of examples. */
  readonly size: number;
  /** Random bits for each example; otherwise all get the same. */
  readonly randomBits: boolean;
  /** Called for an op that is computed for one example after the other. */
  readonly onLoop: (op: Op) => void;
}

/** The values that an op reads. */
const readsOf = (op: Op): readonly Value[] =>
  op.regions.length === 0 ? op.operands : [...op.operands, ...capturesOf(op)];

/** Whether an op must be computed for each example. */
function differs(op: Op, images: ReadonlyMap<Value, Image>, options: BatchOptions): boolean {
  if (op.name === 'rng_bit_generator' && options.randomBits) return true;
  return (
    readsOf(op).some(v => images.get(v)?.isBatched) ||
    (options.randomBits && op.regions.some(r => r.ops.some(inner => differs(inner, images, options))))
  );
}

/**
 * Appends the op for all examples and records the images of its results; does nothing if the op is the same for all.
 */
export function batchOp(builder: Builder, op: Op, images: Map<Value, Image>, options: BatchOptions): void {
  if (!differs(op, images, options)) return;
  const { location } = builder;
  builder.location = op.location;
  const results = batchedResults(builder, op, images, options);
  builder.location = location;
  op.results.forEach((value, i) => {
    images.set(value, results[i]!);
  });
}

function batchedResults(builder: Builder, op: Op, images: Map<Value, Image>, options: BatchOptions): readonly Image[] {
  const { size } = options;
  const imageOf = (value: Value): Image => images.get(value) ?? same(value);
  if (op.name === 'rng_bit_generator' && !imageOf(op.operands[0]).isBatched) {
    const { shape, elementType } = tensorTypeOf(op.results[1]);
    const type = tensorType(elementType, [size, ...shape]);
    const [state, bits] = builder.emit('rng_bit_generator', [imageOf(op.operands[0]).value], {
      ...op.attributes,
      type,
    });
    return [same(state), batched(bits)];
  }
  const rule = batchTable[op.name] as BatchRule<OpName> | undefined;
  const operands = op.operands.map(imageOf);
  const found = rule?.({
    builder,
    op: op as OpOf<OpName>,
    size,
    operands,
    images,
    inline: (into, region, args) => batchRegion(into, region, args, images, options),
  });
  if (found !== undefined) return found;
  const decompose = opTable[op.name].decompose as
    | ((b: Builder, op: Op, operands: readonly Value[]) => readonly Value[] | undefined)
    | undefined;
  let region: Region | undefined;
  builder.region([], inner => {
    const results = decompose?.(inner, op, op.operands);
    if (results !== undefined) region = { args: [], ops: inner.ops, results };
    return [];
  });
  if (region !== undefined) return batchRegion(builder, region, [], images, options);
  options.onLoop(op);
  return oneByOne(builder, op, images, size);
}

/** Copies the ops of a region, for all examples where they differ. */
function batchRegion(
  builder: Builder,
  region: Region,
  args: readonly Image[],
  around: ReadonlyMap<Value, Image>,
  options: BatchOptions,
): readonly Image[] {
  const images = new Map(around);
  region.args.forEach((arg, i) => {
    images.set(arg, args[i]!);
  });
  for (const op of region.ops) {
    if (differs(op, images, options)) batchOp(builder, op, images, options);
    else {
      const map = new Map([...readsOf(op)].map((v): [Value, Value] => [v, images.get(v)?.value ?? v]));
      inline(builder, [op], map);
      for (const result of op.results) images.set(result, same(map.get(result)!));
    }
  }
  return region.results.map(value => images.get(value) ?? same(value));
}

/** Applies the op once for each example and concatenates the results. */
function oneByOne(builder: Builder, op: Op, images: ReadonlyMap<Value, Image>, size: number): readonly Image[] {
  const parts = op.results.map((): Value[] => []);
  for (let i = 0; i < size; i++) {
    const map = new Map<Value, Value>();
    for (const value of readsOf(op)) {
      const image = images.get(value);
      if (image === undefined) continue;
      const shape = shapeOf(value);
      map.set(
        value,
        image.isBatched
          ? builder.reshape(builder.slice(image.value, [i, ...shape.map(() => 0)], [i + 1, ...shape]), shape)
          : image.value,
      );
    }
    inline(builder, [op], map);
    op.results.forEach((result, r) => {
      parts[r]!.push(builder.reshape(map.get(result)!, [1, ...shapeOf(result)]));
    });
  }
  return parts.map((slices, r) =>
    batched(
      slices.length === 0
        ? builder.fill(tensorTypeOf(op.results[r]!).elementType, [0, ...shapeOf(op.results[r]!)], 0)
        : builder.concatenate(slices, 0),
    ),
  );
}

/**
 * The function for many examples: arguments flagged in `flags` and all results have one more leading dim.
 * @throws {INVALID_OP} if an op is invalid, which cannot happen in a verified function
 */
export function batchFunc(func: Func, flags: readonly boolean[], options: BatchOptions): Func {
  const { size } = options;
  const types = func.body.args.map((arg, i) => {
    const { elementType, shape } = tensorTypeOf(arg);
    return tensorType(elementType, flags[i] ? [size, ...shape] : shape);
  });
  const builder = new Builder();
  const body = builder.region(types, (inner, args) =>
    batchRegion(
      inner,
      func.body,
      args.map((value, i) => ({ value, isBatched: flags[i]! })),
      new Map(),
      options,
    ).map(image => inFull(inner, image, size)),
  );
  return { name: `${func.name}_batched`, body, aliases: types.map(() => undefined) };
}
