// Random shardings of the arguments, results and some ops of a program.
import type { OpSample } from '../../hlo/op-sample.testing.ts';
import type { Module, Op, Value } from '../../hlo/program.ts';
import { mainOf } from '../../hlo/program.ts';
import type { AxisRef, Mesh } from '../../hlo/sharding/mesh.ts';
import { type DimSharding, type Sharding, shardingOf } from '../../hlo/sharding/sharding.ts';
import { cloneRegion } from '../../hlo/walk.ts';

const meshes: readonly Mesh[] = [
  { axes: [{ name: 'x', size: 2 }] },
  { axes: [{ name: 'x', size: 3 }] },
  { axes: [{ name: 'x', size: 4 }] },
  {
    axes: [
      { name: 'x', size: 2 },
      { name: 'y', size: 2 },
    ],
  },
  {
    axes: [
      { name: 'x', size: 2 },
      { name: 'y', size: 4 },
    ],
  },
];

/** Ops whose groups, devices or meshes are those of the sample. */
const ofOneDevice: ReadonlySet<string> = new Set([
  'send',
  'outfeed',
  'partition_id',
  'collective_permute',
  'all_reduce',
]);
/** Whether the shardings of a sample can be chosen. */
export const isDividable = ({ func, name }: OpSample): boolean =>
  !ofOneDevice.has(name) &&
  !name.startsWith('sdy.') &&
  [...func.body.args, ...func.body.results].every(({ type }) => type.kind === 'tensor' && !type.shape.includes(-1));

/** Over one of the meshes, if none is given. */
export function withRandomShardings(module: Module, seed: number, given?: Mesh): Module {
  let state = (seed * 2654435761) >>> 0;
  const below = (limit: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state >>> 8) % limit;
  };
  const chosen = meshes[below(meshes.length)]!;
  const mesh = given ?? chosen;
  const sharding = ({ type }: Value, isEven: boolean): Sharding | undefined => {
    if (type.kind !== 'tensor') return undefined;
    const free = mesh.axes.filter(() => below(3) > 0);
    const dims = type.shape.map((size): DimSharding => {
      const axes: AxisRef[] = [];
      let parts = 1;
      while (free.length > 0 && below(2) === 0) {
        const [axis] = free.splice(below(free.length), 1);
        if (isEven && size % (parts * axis!.size) !== 0) continue;
        axes.push({ name: axis!.name });
        parts *= axis!.size;
      }
      const isOpen = below(2) === 0;
      return { axes, isOpen, ...(below(8) === 0 && (isOpen || axes.length > 0) ? { priority: below(3) } : {}) };
    });
    return { mesh: 'mesh', dims, replicated: [], unreduced: [], reduction: 'sum' };
  };
  const original = mainOf(module);
  const main = { ...original, body: cloneRegion(original.body, new Map(), { next: 0 }) };
  const stated = (value: Value): { readonly sharding: { readonly named: readonly [Sharding] } } | undefined => {
    const random = below(3) === 0 ? undefined : sharding(value, true);
    return random && { sharding: { named: [random] } };
  };
  const argAttributes = main.body.args.map(stated);
  const resultAttributes = main.body.results.map(stated);
  for (const op of main.body.ops as readonly Op[])
    if (below(6) === 0 && op.results.length === 1) {
      const random = sharding(op.results[0]!, false);
      if (random !== undefined) Object.assign(op, { sharding: { named: [random] } });
    }
  return {
    ...module,
    numPartitions: mesh.axes.reduce((count, axis) => count * axis.size, 1),
    meshes: [{ name: 'mesh', mesh }],
    functions: module.functions.map(func => (func === original ? { ...main, argAttributes, resultAttributes } : func)),
  };
}

/** All ways to divide some dims along the axes of a mesh. */
export function allLayouts(rank: number, { axes }: Mesh): readonly (readonly (readonly string[])[])[] {
  let layouts: string[][][] = [Array.from({ length: rank }, () => [])];
  for (const { name } of axes)
    layouts = layouts.flatMap(layout => [
      layout,
      // In each dim, at each position among its axes.
      ...layout.flatMap((used, d) =>
        Array.from({ length: used.length + 1 }, (_, at) => layout.with(d, used.toSpliced(at, 0, name))),
      ),
    ]);
  return layouts;
}

/** With one argument, or else one result, divided in this way; the others as they are. */
export function withLayout(
  module: Module,
  value: { readonly kind: 'argument' | 'result'; readonly index: number },
  layout: readonly (readonly string[])[],
): Module {
  const main = mainOf(module);
  const key = value.kind === 'argument' ? 'argAttributes' : 'resultAttributes';
  const count = (value.kind === 'argument' ? main.body.args : main.body.results).length;
  const stated = { sharding: { named: [shardingOf('mesh', layout)] as const } };
  const attributes = Array.from({ length: count }, (_, i) => (i === value.index ? stated : main[key]?.[i]));
  return {
    ...module,
    functions: module.functions.map(func => (func === main ? { ...main, [key]: attributes } : func)),
  };
}
