// Tiles (GSPMD) as shardings along the axes of one mesh: that of all devices in their order, cut where any of the tiles is.
//
//   {devices=[2,4]<=[8]} and {devices=[4,2]<=[2,4]T(1,0)}   ─▶   mesh axis_0 = 2, axis_1 = 4    [{"axis_0"}, {"axis_1"}] …
import { type SourceLocation, TrenioError } from '../../base/errors.ts';
import type { Op, OpOf, Value } from '../../hlo/program.ts';
import type { GspmdSharding } from '../../hlo/sharding/gspmd.ts';
import { fromGspmd, type NamedSharding } from '../../hlo/sharding/gspmd-mesh.ts';
import { axisSizes, deviceAt, deviceCount, type Mesh } from '../../hlo/sharding/mesh.ts';
import type { DimSharding, Sharding } from '../../hlo/sharding/sharding.ts';
import type { StatedSharding } from '../../hlo/sharding/stated.ts';
import { stridesOf } from '../../hlo/types.ts';
import type { Axes } from './axes.ts';
import type { Shardings } from './shardings.ts';

interface Tiled {
  readonly named: NamedSharding;
  readonly set: (sharding: Sharding) => void;
}

/** Gives the values that only have tiles shardings along named axes; calls of @Sharding become constraints. */
export function importTiles(shardings: Shardings): void {
  const found: Tiled[] = [];
  const devices = shardings.graph.module.numPartitions;
  const add = (tiles: GspmdSharding | undefined, { type }: Value, set: Tiled['set']): void => {
    if (tiles === undefined || tiles.kind === 'unknown' || type.kind !== 'tensor') return;
    const named = fromGspmd(tiles, devices, type.shape.length);
    if (named !== undefined) found.push({ named, set });
  };
  for (const { func, body } of shardings.graph.roots) {
    body.args.forEach((arg, i) => {
      add(tilesOf(func.argAttributes?.[i]?.sharding, 0), arg, sharding => shardings.set(arg, sharding));
    });
    body.results.forEach((result, i) => {
      const tiles = tilesOf(func.resultAttributes?.[i]?.sharding, 0);
      add(tiles, result, sharding => shardings.setResult(body, i, sharding));
    });
  }
  for (const node of shardings.graph.nodes()) {
    const { op } = node;
    const open = op.name === 'custom_call' ? openDims(op as OpOf<'custom_call'>) : undefined;
    node.results.forEach((result, i) => {
      add(tilesOf(op.sharding, i), result, sharding => {
        if (open === undefined) shardings.set(result, sharding);
        else {
          const dims = sharding.dims.map((dim, d): DimSharding => ({ ...dim, isOpen: open.includes(d) }));
          node.op = constraintOf(op as OpOf<'custom_call'>, { ...sharding, dims });
          shardings.set(result, { ...sharding, dims });
        }
      });
    });
  }
  if (found.length === 0) return;
  const mesh = commonMesh(
    found.map(({ named }) => named.mesh),
    devices,
  );
  for (const { named, set } of found) set(along(named, mesh));
}

function tilesOf(stated: StatedSharding | undefined, i: number): GspmdSharding | undefined {
  const tiles = stated?.named === undefined ? stated?.tiled : undefined;
  if (tiles === undefined || tiles.kind === 'opaque') return undefined;
  return tiles.kind === 'tuple' ? tiles.elements[i] : tiles;
}

/** The dims that a call of @Sharding leaves open; undefined for other calls. */
function openDims({
  attributes: { callTargetName, backendConfig },
}: OpOf<'custom_call'>): readonly number[] | undefined {
  if (callTargetName !== 'Sharding') return undefined;
  const dims = /unspecified_dims=\[([\d,]*)\]/.exec(backendConfig)?.[1] ?? '';
  return dims.split(',').flatMap(dim => (dim === '' ? [] : [Number(dim)]));
}

const constraintOf = ({ operands, results, location }: OpOf<'custom_call'>, sharding: Sharding): Op =>
  ({
    name: 'sdy.sharding_constraint',
    operands,
    attributes: { sharding },
    regions: [],
    results,
    location,
  }) as unknown as Op;

/** Neighbors along an axis: `size` devices, each `stride` from the next. */
interface Run {
  readonly stride: number;
  readonly size: number;
}

/** All devices in their order, cut where an axis of any of the meshes begins or ends. */
function commonMesh(meshes: readonly Mesh[], devices: number): Mesh {
  const cuts = new Set([1, devices]);
  for (const mesh of meshes) for (const { stride, size } of runsOf(mesh)) cuts.add(stride).add(stride * size);
  const chain = [...cuts].sort((a, b) => b - a);
  if (chain.some((cut, i) => i > 0 && chain[i - 1]! % cut !== 0))
    throw unsupported('tiles that cut the devices in different ways', 'use shardings along the axes of one mesh');
  const axes = chain.slice(1).map((cut, i) => ({ name: `axis_${i}`, size: chain[i]! / cut }));
  return { axes: axes.length === 0 ? [{ name: 'axis_0', size: 1 }] : axes };
}

/** The axes of a mesh whose device ids, if any, are a transposed order. */
function runsOf(mesh: Mesh): readonly Run[] {
  const strides = stridesOf(axisSizes(mesh));
  const runs = mesh.axes.map(({ size }, i) => ({ size, stride: size === 1 ? 1 : deviceAt(mesh, strides[i]!) }));
  const count = deviceCount(mesh);
  const isTransposed = Array.from({ length: count }, (_, p) => p).every(
    p =>
      deviceAt(mesh, p) === runs.reduce((id, run, i) => id + (Math.floor(p / strides[i]!) % run.size) * run.stride, 0),
  );
  if (!isTransposed && mesh.axes.length > 0)
    throw unsupported('tiles in an irregular order of devices', 'use shardings along the axes of one mesh');
  return runs;
}

function along({ sharding, mesh: from }: NamedSharding, mesh: Mesh): Sharding {
  const strides = stridesOf(axisSizes(mesh));
  const runs = runsOf(from);
  const within = (name: string): Axes => {
    const { stride, size } = runs[from.axes.findIndex(axis => axis.name === name)]!;
    return mesh.axes
      .filter((_, i) => strides[i]! >= stride && strides[i]! < stride * size)
      .map(axis => ({ name: axis.name }));
  };
  const all = (axes: Axes): Axes => axes.flatMap(axis => within(axis.name));
  return {
    ...sharding,
    mesh,
    dims: sharding.dims.map(dim => ({ ...dim, axes: all(dim.axes) })),
    unreduced: all(sharding.unreduced),
  };
}

const unsupported = (what: string, instead: string, location?: SourceLocation): TrenioError =>
  new TrenioError('UNSUPPORTED', { what, where: 'the partitioner', instead }, { location });
