// The programs of all devices as one program of one device, which has the bits of a layout without its ranks: ops are computed
// for each device, or once where operands are the same, and collectives become ops on the devices' values:
//
//   %1 = all_reduce(%0), 4 devices     ─▶     (%0₀ + %0₁) + (%0₂ + %0₃)          in the order in which ranks add
import { TrenioError } from '../../base/errors.ts';
import type { BinaryName, OpName } from '../../hlo/attributes.ts';
import { Builder } from '../../hlo/builder.ts';
import { inline } from '../../hlo/inline.ts';
import { literal, splat } from '../../hlo/literal.ts';
import { type Func, type Module, mainOf, type Op, shapeOf, tensorTypeOf, type Value } from '../../hlo/program.ts';
import { coordinateOf, deviceCount, type Mesh } from '../../hlo/sharding/mesh.ts';
import { partsOf, type Sharding, shardIndex, shardShape } from '../../hlo/sharding/sharding.ts';
import { elementBytes, isFloat, tensorType } from '../../hlo/types.ts';
import { capturesOf, reducerOf, regionsHold } from '../../hlo/walk.ts';
import type { InParts } from './index.ts';

/** @throws {UNSUPPORTED} for collectives within loops and branches, and results that are not reduced */
export function together({ module, whole, inputs, results }: InParts, mesh: Mesh): Module {
  const [main, local] = [mainOf(whole), mainOf(module)];
  const b = new Builder();
  const args = main.body.args.map((arg, i) => b.argument(arg.type, i));
  const devices = new Devices(b, deviceCount(mesh));
  for (const [i, arg] of local.body.args.entries()) devices.set(arg, partsIn(b, args[i]!, inputs[i], mesh));
  for (const op of local.body.ops) devices.compute(op);
  const wholes = local.body.results.map((value, i) => {
    const sharding = results[i];
    const parts = devices.valuesOf(value);
    return sharding === undefined ? parts[0]! : wholeOf(b, parts, shapeOf(main.body.results[i]!), sharding, mesh);
  });
  const { argAttributes: _args, resultAttributes: _results, ...rest } = main;
  const func: Func = { ...rest, body: { args, ops: b.ops, results: wholes } };
  const called = module.functions.filter(other => other !== local);
  return { ...module, meshes: [], numReplicas: 1, numPartitions: 1, functions: [func, ...called] };
}

/** The part of each device of a whole value. */
function partsIn(b: Builder, value: Value, sharding: Sharding | undefined, mesh: Mesh): readonly Value[] {
  const devices = Array.from({ length: deviceCount(mesh) }, (_, device) => device);
  if (sharding === undefined) return devices.map(() => value);
  const { shape } = tensorTypeOf(value);
  const local = shardShape(shape, sharding, mesh);
  const missing = local.map((size, d) => size * partsOf(sharding.dims[d]!, mesh) - shape[d]!);
  const zero = b.fill(tensorTypeOf(value).elementType, [], 0);
  const none = shape.map(() => 0);
  const padded = missing.some(count => count > 0) ? b.pad(value, zero, none, missing) : value;
  const known = new Map<string, Value>();
  return devices.map(device => {
    const starts = shardIndex(sharding, mesh, coordinateOf(mesh, device)!).map((at, d) => at * local[d]!);
    const part =
      known.get(starts.join()) ??
      b.slice(
        padded,
        starts,
        starts.map((at, d) => at + local[d]!),
      );
    known.set(starts.join(), part);
    return part;
  });
}
function wholeOf(b: Builder, parts: readonly Value[], shape: readonly number[], sharding: Sharding, mesh: Mesh): Value {
  if (sharding.unreduced.length > 0) throw unsupported('results that are not reduced');
  const byIndex = new Map(
    parts.map((part, device) => [shardIndex(sharding, mesh, coordinateOf(mesh, device)!).join(), part]),
  );
  const joined = (index: readonly number[]): Value => {
    const d = index.length;
    if (d === shape.length) return byIndex.get(index.join())!;
    const along = Array.from({ length: partsOf(sharding.dims[d]!, mesh) }, (_, i) => joined([...index, i]));
    return along.length === 1 ? along[0]! : b.concatenate(along, d);
  };
  const value = joined([]);
  const isPadded = shapeOf(value).some((size, d) => size !== shape[d]);
  return isPadded
    ? b.slice(
        value,
        shape.map(() => 0),
        shape,
      )
    : value;
}

/** How the values of the members of a group, in its order, become those of each of them. */
type Exchange = (values: readonly Value[], b: Builder) => readonly Value[];
function exchangeOf(op: Op): Exchange | undefined {
  switch (op.name) {
    case 'all_reduce': {
      const combine = combinerOf(op);
      return (values, b) => values.map(once(() => treeOf(b, combine, values)));
    }
    case 'reduce_scatter': {
      const combine = combinerOf(op);
      const { scatterDimension } = op.attributes;
      return (values, b) => cutInto(b, treeOf(b, combine, values), scatterDimension, values.length);
    }
    case 'all_gather': {
      const { allGatherDim } = op.attributes;
      return (values, b) => values.map(once(() => b.concatenate(values, allGatherDim)));
    }
    case 'all_to_all': {
      const { splitDimension, concatDimension } = op.attributes;
      return (values, b) => {
        const cut = values.map(value => cutInto(b, value, splitDimension, values.length));
        return values.map((_, k) =>
          b.concatenate(
            cut.map(pieces => pieces[k]!),
            concatDimension,
          ),
        );
      };
    }
    case 'collective_broadcast':
      return values => values.map(() => values[0]!);
    default:
      return undefined;
  }
}
const once = (make: () => Value): (() => Value) => {
  let made: Value | undefined;
  return () => (made ??= make());
};
function combinerOf(op: Op<'all_reduce' | 'reduce_scatter'>): BinaryName {
  const name = reducerOf(op.regions[0]);
  if (name === undefined) throw unsupported('a collective with another function than a sum or an extremum');
  return name;
}
/** Narrow floats are added in f32, as ranks do. */
function treeOf(b: Builder, combine: BinaryName, given: readonly Value[]): Value {
  const { elementType } = tensorTypeOf(given[0]!);
  const isNarrow = isFloat(elementType) && elementBytes(elementType) < 4;
  let level: readonly Value[] = isNarrow ? given.map(value => b.convert(value, 'f32')) : given;
  while (level.length > 1)
    level = level.flatMap((value, i) =>
      i % 2 === 1 ? [] : [i + 1 < level.length ? b.binary(combine, value, level[i + 1]!) : value],
    );
  return b.convert(level[0]!, elementType);
}
function cutInto(b: Builder, value: Value, dim: number, count: number): readonly Value[] {
  const shape = shapeOf(value);
  const size = shape[dim]! / count;
  return Array.from({ length: count }, (_, k) =>
    b.slice(
      value,
      shape.map((_, d) => (d === dim ? k * size : 0)),
      shape.map((whole, d) => (d === dim ? (k + 1) * size : whole)),
    ),
  );
}

const perDevice: ReadonlySet<OpName> = new Set(['partition_id', 'collective_permute']);
const needsDevices = (op: Op): boolean => perDevice.has(op.name) || exchangeOf(op) !== undefined;

class Devices {
  readonly #b: Builder;
  /** The values of each device, by those of the local program. */
  readonly #maps: readonly Map<Value, Value>[];

  constructor(b: Builder, count: number) {
    this.#b = b;
    this.#maps = Array.from({ length: count }, () => new Map());
  }
  set(value: Value, values: readonly Value[]): void {
    for (const [device, map] of this.#maps.entries()) map.set(value, values[device]!);
  }
  valuesOf(value: Value): readonly Value[] {
    return this.#maps.map(map => map.get(value)!);
  }
  compute(op: Op): void {
    const b = this.#b;
    b.location = op.location;
    if (regionsHold(op, needsDevices)) throw unsupported(`collectives within ${op.name}`);
    if (op.name === 'partition_id') {
      this.set(
        op.results[0],
        this.#maps.map((_, device) => b.constant(literal('ui32', [], [device]))),
      );
      return;
    }
    if (op.name === 'collective_permute') {
      const values = this.valuesOf(op.operands[0]);
      const { elementType } = tensorTypeOf(op.operands[0]);
      const none = b.broadcastInDim(b.constant(splat(tensorType(elementType, []), 0)), [], shapeOf(values[0]!));
      const from = new Map(op.attributes.sourceTargetPairs.map(([source, target]) => [target, source]));
      this.set(
        op.results[0],
        values.map((_, device) => values[from.get(device) ?? -1] ?? none),
      );
      return;
    }
    const exchange = exchangeOf(op);
    if (exchange === undefined) this.#copy(op);
    else
      for (const [i, result] of (op.results as readonly Value[]).entries()) {
        const values = this.valuesOf(op.operands[i]!);
        const made = [...values];
        for (const group of (op as Op<'all_reduce'>).attributes.replicaGroups) {
          const members = group.filter(device => device >= 0);
          const exchanged = exchange(
            members.map(device => values[device]!),
            b,
          );
          members.forEach((device, k) => {
            made[device] = exchanged[k]!;
          });
        }
        this.set(result, made);
      }
  }
  /** An op for each device, and once for devices with the same operands. */
  #copy(op: Op): void {
    const used = [...op.operands, ...capturesOf(op)];
    const ids = new Map<Value, number>();
    const known = new Map<string, readonly Value[]>();
    for (const map of this.#maps) {
      const key = used
        .map(value => {
          const mine = map.get(value) ?? value;
          if (!ids.has(mine)) ids.set(mine, ids.size);
          return ids.get(mine)!;
        })
        .join();
      const same = known.get(key);
      if (same === undefined) {
        inline(this.#b, [op], map);
        known.set(
          key,
          op.results.map(result => map.get(result)!),
        );
      } else for (const [i, result] of (op.results as readonly Value[]).entries()) map.set(result, same[i]!);
    }
  }
}

const unsupported = (what: string): TrenioError =>
  new TrenioError('UNSUPPORTED', { what, where: 'splitContractions', instead: 'run the layout on as many ranks' });
