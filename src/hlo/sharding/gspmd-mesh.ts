// Conversion between GSPMD's tiles and named axes.
//
//   mesh data = 2, tensor = 4      <@mesh, [{}, {"tensor"}]>   ⇄   {devices=[1,4,2]<=[2,4]T(1,0) last_tile_dim_replicate}
//
// Tiles have no names, so a mesh that is created from them has axes axis_0, axis_1, …, in device order.
import { elementCount } from '../types.ts';
import { type GspmdSharding, type TileDevices, type TileKind, tileDevices } from './gspmd.ts';
import { axisRefSize, deviceAt, digitOf, digitsOf, type Mesh } from './mesh.ts';
import { type DimSharding, partsOf, type Sharding } from './sharding.ts';

/**
 * Converts a sharding over named axes to tiles. Axes that do not split a dim hold copies, or partial results if unreduced.
 * @throws {INVALID_SHARDING} for an axis that the mesh lacks
 * @example
 * const mesh = { axes: [{ name: 'data', size: 2 }, { name: 'tensor', size: 4 }] };
 * const sharding = hlo.sharding.shardingOf(mesh, [['data'], []]);
 * hlo.sharding.printGspmd(hlo.sharding.toGspmd(sharding, mesh)) // '{devices=[2,1,4]<=[8] last_tile_dim_replicate}'
 */
export function toGspmd(sharding: Sharding, mesh: Mesh): GspmdSharding {
  if (mesh.axes.length === 0) {
    return mesh.deviceIds === undefined ? { kind: 'replicated' } : { kind: 'maximal', device: mesh.deviceIds[0]! };
  }
  const used = [...sharding.dims.flatMap(dim => dim.axes), ...sharding.unreduced];
  if (used.every(axis => axisRefSize(mesh, axis) === 1)) return { kind: 'replicated' };
  const digits = digitsOf(mesh, used);
  const divided = sharding.dims.flatMap(dim => dim.axes.map(axis => digitOf(digits, axis)));
  const terms = sharding.unreduced.map(axis => digitOf(digits, axis));
  const copies = digits.filter(d => !divided.includes(d) && !terms.includes(d));
  const last = [
    { kind: 'replicated' as const, size: elementCount(copies.map(d => d.size)) },
    { kind: 'unreduced' as const, size: elementCount(terms.map(d => d.size)) },
  ].filter(tile => tile.size > 1);
  const shape = digits.map(d => d.size);
  const permutation = [...divided, ...copies, ...terms].map(d => digits.indexOf(d));
  const iota = simplified(shape, permutation);
  const devices: TileDevices =
    mesh.deviceIds === undefined ? iota : { kind: 'list', ids: tileDevices(iota).map(p => deviceAt(mesh, p)) };
  return {
    kind: 'tiled',
    tiles: [...sharding.dims.map(dim => partsOf(dim, mesh)), ...last.map(tile => tile.size)],
    devices,
    lastTileDims: last.map(tile => tile.kind),
  };
}

/** Merges dims that remain adjacent, as XLA writes them. */
function simplified(shape: readonly number[], permutation: readonly number[]): TileDevices {
  const kept = permutation.filter(dim => shape[dim] !== 1);
  const runs: number[][] = [];
  const all = shape.flatMap((size, dim) => (size === 1 ? [] : [dim]));
  for (const dim of kept) {
    const before = runs.at(-1);
    if (before !== undefined && all.indexOf(before.at(-1)!) + 1 === all.indexOf(dim)) before.push(dim);
    else runs.push([dim]);
  }
  if (runs.length === 0) return { kind: 'iota', shape: [1], permutation: [0] };
  const sorted = [...runs].sort((a, b) => a[0]! - b[0]!);
  return {
    kind: 'iota',
    shape: sorted.map(run => elementCount(run.map(dim => shape[dim]!))),
    permutation: runs.map(run => sorted.indexOf(run)),
  };
}

/** A GSPMD sharding along the named axes of a mesh. */
export interface NamedSharding {
  /** The mesh. */
  readonly mesh: Mesh;
  /** The sharding. */
  readonly sharding: Sharding;
  /** The axes along which the program is written for each device. */
  readonly manualAxes: readonly string[];
}

/**
 * Tiles as a sharding over a mesh of `devices` devices, of a tensor with `rank` dims. Undefined for a tuple, which has a
 * sharding per element instead.
 * @example
 * const gspmd = hlo.sharding.readGspmd('{devices=[2,1]0,1}');
 * hlo.sharding.printSharding(hlo.sharding.fromGspmd(gspmd, 2, 2)!.sharding) // '<mesh<["axis_0"=2]>, [{"axis_0"}, {}]>'
 */
export function fromGspmd(gspmd: GspmdSharding, devices: number, rank: number): NamedSharding | undefined {
  const line: Mesh = { axes: [{ name: 'axis_0', size: devices }] };
  const plain = (mesh: Mesh, dims: readonly DimSharding[]): Sharding => ({
    mesh,
    dims,
    replicated: [],
    unreduced: [],
    reduction: 'sum',
  });
  const whole = (isOpen: boolean): readonly DimSharding[] => Array.from({ length: rank }, () => ({ axes: [], isOpen }));
  switch (gspmd.kind) {
    case 'replicated':
      return { mesh: line, sharding: plain(line, whole(false)), manualAxes: [] };
    case 'unknown':
      return { mesh: line, sharding: plain(line, whole(true)), manualAxes: [] };
    case 'manual':
      return { mesh: line, sharding: plain(line, whole(false)), manualAxes: ['axis_0'] };
    case 'maximal': {
      const mesh: Mesh = { axes: [], deviceIds: [gspmd.device] };
      return { mesh, sharding: plain(mesh, []), manualAxes: [] };
    }
    case 'tuple':
      return undefined;
    case 'tiled': {
      const { mesh, names } = meshOfTiles(gspmd.tiles, gspmd.devices);
      const tensorDims = gspmd.tiles.length - gspmd.lastTileDims.length;
      const axesOf = (tile: number): DimSharding['axes'] => names[tile]!.map(name => ({ name }));
      const last = (kind: TileKind): DimSharding['axes'] =>
        gspmd.lastTileDims.flatMap((k, i) => (k === kind ? axesOf(tensorDims + i) : []));
      const dims = Array.from({ length: tensorDims }, (_, d) => ({ axes: axesOf(d), isOpen: false }));
      const inOrder = (axes: DimSharding['axes']): DimSharding['axes'] =>
        mesh.axes.flatMap(({ name }) => axes.filter(axis => axis.name === name));
      const sharding = { ...plain(mesh, dims), unreduced: inOrder(last('unreduced')) };
      return { mesh, sharding, manualAxes: inOrder(last('manual')).map(axis => axis.name) };
    }
  }
}

/** A mesh whose axes are fine enough to compose every tile dim, and the names of those axes. */
function meshOfTiles(
  tiles: readonly number[],
  devices: TileDevices,
): {
  /** The mesh. */
  readonly mesh: Mesh;
  readonly names: readonly (readonly string[])[];
} {
  const cut = devices.kind === 'iota' ? cutTogether(tiles, devices) : undefined;
  if (cut !== undefined) return cut;
  // The tiles themselves are the axes.
  const ids = tileDevices(devices);
  const named = tiles.flatMap((size, tile) => (size === 1 ? [] : [{ tile, size }]));
  const axes = named.map(({ size }, i) => ({ name: `axis_${i}`, size }));
  const isIota = ids.every((id, i) => id === i);
  const names = tiles.map((_, tile) => named.flatMap((n, i) => (n.tile === tile ? [`axis_${i}`] : [])));
  return { mesh: isIota ? { axes } : { axes, deviceIds: ids }, names };
}

/** Splits tiles and numbered dims into the same factors; undefined if their boundaries are incompatible. */
function cutTogether(
  tiles: readonly number[],
  { shape, permutation }: TileDevices & { kind: 'iota' },
): ReturnType<typeof meshOfTiles> | undefined {
  const moved = permutation.map(dim => shape[dim]!);
  const bounds = (sizes: readonly number[]): readonly number[] =>
    sizes.map((_, i) => elementCount(sizes.slice(0, i + 1)));
  const chain = [...new Set([1, ...bounds(tiles), ...bounds(moved)])].sort((a, b) => a - b);
  if (chain.some((bound, i) => i > 0 && bound % chain[i - 1]! !== 0)) return undefined;
  // A factor is between two neighbors of the chain; it belongs to the first dim whose boundary is not before its end.
  const factors = chain.slice(1).map((end, i) => ({
    size: end / chain[i]!,
    tile: bounds(tiles).findIndex(bound => bound >= end),
    from: permutation[bounds(moved).findIndex(bound => bound >= end)]!,
  }));
  const numbered = shape.flatMap((_, dim) => factors.filter(f => f.from === dim));
  const nameOf = (f: (typeof factors)[number]): string => `axis_${numbered.indexOf(f)}`;
  return {
    mesh: { axes: numbered.map(f => ({ name: nameOf(f), size: f.size })) },
    names: tiles.map((_, tile) => factors.filter(f => f.tile === tile).map(nameOf)),
  };
}
