// Elements that lie in parts of other devices: along a divided dim, each device gets a window of the same size.
//
//   parts of 4 of x[0:16), windows of 4 from 1 on      0 1 2 3 | 4 5 6 7 | …      ─▶      1 2 3 4 | 5 6 7 8 | …
//                                                                                    its own   └ of the next device
//
// A device sends what others lack of it, and in one permutation to one other device. Where windows reach beyond the elements,
// they have anything.
import { zeros } from '../../hlo/literal.ts';
import { shapeOf, tensorTypeOf, type Value } from '../../hlo/program.ts';
import { groupsAlong } from '../../hlo/sharding/mesh.ts';
import { type TensorType, tensorType } from '../../hlo/types.ts';
import { type Axes, sizeOfAxes } from './axes.ts';
import type { Site } from './reshard.ts';

/** The part of a value, whose dim has `size` elements in all. */
interface Source {
  readonly part: Value;
  readonly size: number;
}
/** The window of a device with index `k` along the axes: `length` elements from `start + k · step` on. */
interface Windows {
  readonly start: number;
  readonly step: number;
  readonly length: number;
  /** The first element that no window needs. */
  readonly end: number;
}
/** For each device along the axes, a position; undefined for those that do not take part. */
type Positions = readonly (number | undefined)[];
/** Elements of parts that become pieces of windows: of each device, at most those of one piece, and as many for all. */
interface Move {
  readonly size: number;
  readonly isOwn: boolean;
  /** Where they start in the part of the device that has them. */
  readonly from: (number | undefined)[];
  /** Where they start in the window of the device that gets them. */
  readonly to: (number | undefined)[];
  readonly pairs: (readonly [from: number, to: number])[];
}

/** The window of each device, of values that are joined along a dim. */
export function windowsOf(site: Site, sources: readonly Source[], dim: number, axes: Axes, windows: Windows): Value {
  const assembly = new Assembly(site, dim, axes);
  const moves = movesOf(
    sources.map(({ part, size }) => ({ part: shapeOf(part)[dim]!, size })),
    windows,
    sizeOfAxes(axes, site.mesh),
  );
  const parts = sources.map(({ part }) => part);
  const own = parts.length === 1 ? parts[0]! : site.b.concatenate(parts, dim);
  const pieces = moves.map(move => ({ ...move, value: assembly.piece(own, move) }));
  return assembly.joined(pieces, windows.length, tensorTypeOf(own));
}

/** The pieces of windows, in as few moves as possible. */
function movesOf(
  sources: readonly { readonly part: number; readonly size: number }[],
  { start, step, length, end }: Windows,
  count: number,
): readonly Move[] {
  const pieces: { owner: number; user: number; from: number; to: number; size: number }[] = [];
  const whole = sources.reduce((sum, { size }) => sum + size, 0);
  for (let user = 0; user < count; user++) {
    const first = start + user * step;
    // Where a source starts, and its part in the joined parts of a device.
    let [begin, offset] = [0, 0];
    for (const [source, { part, size }] of sources.entries()) {
      for (let owner = 0; owner < count; owner++) {
        const low = begin + owner * part;
        // What follows the last element is padding, which may be sent as well.
        const high = source === sources.length - 1 ? low + part : Math.min(low + part, begin + size);
        const [from, to] = [Math.max(low, first), Math.min(high, first + length)];
        if (from < Math.min(to, whole, end))
          pieces.push({ owner, user, from: offset + from - low, to: from - first, size: to - from });
      }
      begin += size;
      offset += part;
    }
  }
  const moves: Move[] = [];
  // Those to the same neighbor together.
  pieces.sort((a, b) => b.size - a.size || a.owner - a.user - (b.owner - b.user));
  for (const { owner, user, from, to, size } of pieces) {
    const isOwn = owner === user;
    let move = moves.find(
      other =>
        other.size === size && other.isOwn === isOwn && other.from[owner] === undefined && other.to[user] === undefined,
    );
    if (move === undefined) {
      const none = new Array<undefined>(count).fill(undefined);
      move = { size, isOwn, from: [...none], to: [...none], pairs: [] };
      moves.push(move);
    }
    move.from[owner] = from;
    move.to[user] = to;
    move.pairs.push([owner, user]);
  }
  return moves;
}

class Assembly {
  readonly #site: Site;
  readonly #dim: number;
  readonly #axes: Axes;

  constructor(site: Site, dim: number, axes: Axes) {
    this.#site = site;
    this.#dim = dim;
    this.#axes = axes;
  }

  /** The elements of a move, on the devices that get them. */
  piece(part: Value, { from, size, isOwn, pairs }: Move): Value {
    const { b, mesh } = this.#site;
    const elements = this.#elements(part, from, size);
    if (isOwn) return elements;
    const sourceTargetPairs = groupsAlong(mesh, this.#axes).flatMap(group =>
      pairs.map(([owner, user]) => [group[owner]!, group[user]!] as const),
    );
    return b.emit1('collective_permute', [elements], { sourceTargetPairs, channelId: 1, channelType: 1 });
  }
  #elements(part: Value, from: Positions, size: number): Value {
    const { b } = this.#site;
    const shape = shapeOf(part);
    const at = commonOf(from);
    if (at === undefined)
      return b.emit1('dynamic_slice', [part, ...this.#starts(from, 0, shape.length)], {
        sliceSizes: shape.with(this.#dim, size),
      });
    return this.#slice(part, at, size);
  }
  #slice(value: Value, at: number, size: number): Value {
    const shape = shapeOf(value);
    if (size === shape[this.#dim]) return value;
    const starts = shape.map((_, d) => (d === this.#dim ? at : 0));
    return this.#site.b.slice(value, starts, shape.with(this.#dim, at + size));
  }
  /** Positions along the dim as scalars. */
  #starts(positions: Positions, otherwise: number, rank: number): readonly Value[] {
    const { devices } = this.#site;
    const at = devices.entry(this.#axes, index => positions[index] ?? otherwise);
    return Array.from({ length: rank }, (_, d) => (d === this.#dim ? at : devices.zero));
  }

  /** The pieces of a window one after the other, or each where its device has it. */
  joined(pieces: readonly (Move & { readonly value: Value })[], length: number, type: TensorType): Value {
    const { b } = this.#site;
    const zero = b.constant(zeros(tensorType(type.elementType, [])));
    const nothing = (size: number): Value => b.broadcastInDim(zero, [], type.shape.with(this.#dim, size));
    const row: Value[] = [];
    let end = 0;
    const inOrder = [...pieces].sort((p, q) => (commonOf(p.to) ?? -1) - (commonOf(q.to) ?? -1));
    for (const { to, size, value } of inOrder) {
      const at = commonOf(to) ?? -1;
      if (at < end) return this.#placed(pieces, length, nothing);
      if (at > end) row.push(nothing(at - end));
      row.push(value);
      end = at + size;
    }
    if (end < length) row.push(nothing(length - end));
    return row.length === 1 ? row[0]! : b.concatenate(row, this.#dim);
  }
  /** Pieces that a device does not get are placed after its window. */
  #placed(
    pieces: readonly (Move & { readonly value: Value })[],
    length: number,
    nothing: (size: number) => Value,
  ): Value {
    const { b } = this.#site;
    const rest = Math.max(...pieces.map(({ size }) => size));
    let window = nothing(length + rest);
    for (const { value, to } of pieces)
      window = b.emit1('dynamic_update_slice', [window, value, ...this.#starts(to, length, shapeOf(value).length)], {});
    return this.#slice(window, 0, length);
  }
}

/** The position of all devices that take part, if it is the same. */
function commonOf(positions: Positions): number | undefined {
  const given = new Set(positions.filter(position => position !== undefined));
  return given.size === 1 ? [...given][0] : undefined;
}
