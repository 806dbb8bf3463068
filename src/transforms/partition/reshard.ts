// Moves a value from one layout to another, with collectives:
//
//   slice                a dim that is divided further         no communication; before others if its axes are free
//   reduce_scatter       the same, along axes with terms
//   all_reduce           terms that no dim takes
//   collective_permute   parts of the same size, of other devices
//   all_to_all           axes that move from one dim to another
//   all_gather           axes that no dim keeps
//
// Dims that do not divide evenly are padded when they are divided, and cut when they are gathered.
import { assertNever } from '../../base/errors.ts';
import type { BinaryName } from '../../hlo/attributes.ts';
import { Builder } from '../../hlo/builder.ts';
import { zeros } from '../../hlo/literal.ts';
import { type Region, shapeOf, type Value } from '../../hlo/program.ts';
import { deviceCount, groupsAlong, type Mesh } from '../../hlo/sharding/mesh.ts';
import { type ElementType, type TensorType, tensorType } from '../../hlo/types.ts';
import { type Axes, overlaps, primeParts, sameAxis, sizeOfAxes } from './axes.ts';
import { DeviceIndex } from './device-index.ts';
import { cutAxes, indexTable, type Layout, sameLayout, type Terms, whole } from './layout.ts';
import { movedBytes } from './moved-bytes.ts';
import { cheapestMoves } from './moves.ts';

/** A value of each device: its part, or its term of it. */
export interface Version {
  readonly value: Value;
  readonly layout: Layout;
  readonly terms?: Terms | undefined;
}
/** Where ops are added, and for which devices. */
export interface Site {
  readonly b: Builder;
  readonly devices: DeviceIndex;
  readonly mesh: Mesh;
}

/** The groups of a collective along some axes. */
const along = (axes: Axes, mesh: Mesh) => ({
  replicaGroups: groupsAlong(mesh, axes),
  channelId: 1,
  channelType: 1,
});
/** The same, for collectives that number devices instead of replicas when told to. */
const devicesAlong = (axes: Axes, mesh: Mesh) => ({ ...along(axes, mesh), useGlobalDeviceIds: true });

/** A part of a value of this type in another layout; terms are combined. */
export function reshard(site: Site, version: Version, type: TensorType, to: Layout): Value {
  const { layout, terms } = version;
  if (terms === undefined && sameLayout(layout, to)) return version.value;
  const padded = paddedShape(type.shape, layout, to, site.mesh);
  if (padded !== undefined) return reshardPadded(site, version, type, to, padded);
  const all = [...layout.flat(), ...to.flat(), ...(terms?.axes ?? [])];
  const cut = (axesOfDims: Layout): readonly (Axes | undefined)[] =>
    axesOfDims.map(axes => cutAxes(axes, all, site.mesh));
  const [now, wanted, [summed]] = [cut(layout), cut(to), cut([terms?.axes ?? []])];
  if ([...now, ...wanted, summed].every(axes => axes !== undefined)) {
    // Axes that are cut further give more ways, of which not all are tried.
    const cuts = [(axes: Axes) => axes, (axes: Axes) => axes.flatMap(axis => primeParts(axis, site.mesh))];
    const ways = cuts.map(
      finer => (at: Site, value: Value) =>
        new Resharding(
          at,
          { ...version, value, layout: (now as Axes[]).map(finer) },
          finer(summed!),
          type,
          (wanted as Axes[]).map(finer),
        ).run(),
    );
    const isCut = all.some(axis => primeParts(axis, site.mesh).length > 1);
    return (isCut ? cheapest(ways, version.value, site.mesh) : ways[0]!)(site, version.value);
  }
  const undivided = whole(type);
  const reduced = terms === undefined ? version.value : allReduce(site, version.value, terms);
  const gathered = reshard(site, { value: reduced, layout }, type, undivided);
  return reshard(site, { value: gathered, layout: undivided }, type, to);
}

/** A shape that both layouts divide evenly, with parts as they are; undefined if there is none, or it is the shape itself. */
function paddedShape(shape: readonly number[], from: Layout, to: Layout, mesh: Mesh): readonly number[] | undefined {
  const sizes = shape.map((size, d) => {
    const [now, later] = [from[d]!, to[d]!].map(axes => sizeOfAxes(axes, mesh)) as [number, number];
    const padded = (parts: number): number => Math.ceil(size / parts) * parts;
    return now === 1 ? padded(later) : later === 1 || padded(now) === padded(later) ? padded(now) : undefined;
  });
  return sizes.every(size => size !== undefined) && sizes.some((size, d) => size !== shape[d]) ? sizes : undefined;
}
/** Undivided dims are padded first, and cut at the end. */
function reshardPadded(site: Site, version: Version, type: TensorType, to: Layout, padded: readonly number[]): Value {
  const { b, mesh } = site;
  const shape = shapeOf(version.value);
  const missing = shape.map((size, d) => padded[d]! / sizeOfAxes(version.layout[d]!, mesh) - size);
  const zero = b.constant(zeros(tensorType(type.elementType, [])));
  const none = shape.map(() => 0);
  const value = missing.some(count => count > 0) ? b.pad(version.value, zero, none, missing) : version.value;
  const moved = reshard(site, { ...version, value }, { ...type, shape: padded }, to);
  const parts = shapeOf(moved).map((size, d) => (to[d]!.length === 0 ? type.shape[d]! : size));
  return parts.some((size, d) => size !== shapeOf(moved)[d]) ? b.slice(moved, none, parts) : moved;
}

type Way = (site: Site, value: Value) => Value;
/** The way that sends least, tried on a program that is not used. */
function cheapest(ways: readonly Way[], { type }: Value, mesh: Mesh): Way {
  const bytes = ways.map(way => {
    const b = new Builder();
    way({ b, devices: new DeviceIndex(b, mesh), mesh }, b.argument(type, 0));
    return movedBytes(b.ops);
  });
  return ways[bytes.indexOf(Math.min(...bytes))]!;
}

function allReduce({ b, mesh }: Site, value: Value, { axes, combiner }: Terms): Value {
  return b.emit1('all_reduce', [value], devicesAlong(axes, mesh), [combining(b, combiner, elementTypeOf(value))]);
}
function combining(b: Builder, name: BinaryName, elementType: ElementType): Region {
  const scalar = tensorType(elementType, []);
  return b.region([scalar, scalar], (inner, [x, y]) => [inner.binary(name, x!, y!)]);
}
const elementTypeOf = ({ type }: Value): ElementType => (type as TensorType).elementType;

class Resharding {
  readonly #site: Site;
  readonly #b: Builder;
  readonly #type: TensorType;
  readonly #mesh: Mesh;
  #value: Value;
  /** The axes of each dim now. */
  #now: Axes[];
  readonly #to: Layout;
  /** The axes along which there are still terms. */
  #terms: Axes;
  readonly #combiner: BinaryName;

  constructor(site: Site, { value, layout, terms }: Version, summed: Axes, type: TensorType, to: Layout) {
    this.#site = site;
    this.#b = site.b;
    this.#type = type;
    this.#mesh = site.mesh;
    this.#value = value;
    this.#now = [...layout];
    this.#to = to;
    this.#terms = summed;
    this.#combiner = terms?.combiner ?? 'add';
  }

  run(): Value {
    this.#sliceFree();
    this.#scatter();
    if (this.#terms.length > 0) {
      this.#value = allReduce(this.#site, this.#value, { axes: this.#terms, combiner: this.#combiner });
      this.#terms = [];
      this.#sliceFree();
    }
    if (this.#now.every((axes, d) => this.#isEven(d, axes) && this.#isEven(d, this.#to[d]!))) this.#rearrange();
    for (let d = 0; d < this.#now.length; d++)
      if (this.#removed(d).length > 0) this.#gather(d, this.#removed(d).length);
    this.#sliceFree();
    return this.#value;
  }

  /** Moves axes to where they are needed, by the moves that send least. */
  #rearrange(): void {
    if (this.#now.every((_, d) => this.#removed(d).length === 0)) return;
    const moves = cheapestMoves(this.#now, this.#to, this.#type.shape, this.#mesh) ?? [];
    for (const [i, move] of moves.entries()) {
      switch (move.kind) {
        case 'slice':
          // Several in a row are one.
          if (moves[i + 1]?.kind !== 'slice') this.#divide(move.to.map((axes, d) => axes.slice(this.#now[d]!.length)));
          break;
        case 'permute':
          this.#permute(move.to);
          break;
        case 'exchange':
          this.#exchange(move.from, move.to);
          break;
        case 'gather':
          this.#gather(move.from, move.count);
          break;
        default:
          assertNever(move);
      }
    }
  }

  /** The number of leading axes that the dim keeps; none if it is not divided evenly. */
  #kept(d: number): number {
    const [now, to] = [this.#now[d]!, this.#to[d]!];
    if (!this.#isEven(d, now) || !this.#isEven(d, to)) return this.#isSame(d) ? now.length : 0;
    const end = now.findIndex((axis, i) => to[i] === undefined || !sameAxis(axis, to[i]!));
    return end < 0 ? now.length : end;
  }
  #isSame(d: number): boolean {
    const [now, to] = [this.#now[d]!, this.#to[d]!];
    return now.length === to.length && now.every((axis, i) => sameAxis(axis, to[i]!));
  }
  #isEven(d: number, axes: Axes): boolean {
    return this.#type.shape[d]! % sizeOfAxes(axes, this.#mesh) === 0;
  }
  #removed(d: number): Axes {
    return this.#now[d]!.slice(this.#kept(d));
  }
  #added(d: number): Axes {
    return this.#to[d]!.slice(this.#kept(d));
  }

  /** Dims that are divided along axes with terms only: each device gets the combined terms of its part. */
  #scatter(): void {
    const isTerm = (axis: Axes[number]): boolean => this.#terms.some(other => sameAxis(axis, other));
    for (let d = 0; d < this.#now.length; d++) {
      const added = this.#added(d);
      if (this.#removed(d).length > 0 || added.length === 0) continue;
      const end = added.findIndex(axis => !isTerm(axis));
      const axes = end < 0 ? added : added.slice(0, end);
      if (axes.length === 0 || (axes.length < added.length && !this.#isEven(d, this.#to[d]!))) continue;
      this.#pad(this.#now.map((_, k) => (k === d ? axes : [])));
      const region = combining(this.#b, this.#combiner, elementTypeOf(this.#value));
      const groups = devicesAlong(axes, this.#mesh);
      this.#value = this.#b.emit1('reduce_scatter', [this.#value], { ...groups, scatterDimension: d }, [region]);
      this.#now[d] = [...this.#now[d]!, ...axes];
      this.#terms = this.#terms.filter(axis => !axes.some(other => sameAxis(axis, other)));
      this.#sliceFree();
    }
  }

  /** Each device gets a part of the same size as it has, from another device. */
  #permute(to: Layout): void {
    this.#value = this.#b.emit1('collective_permute', [this.#value], {
      sourceTargetPairs: this.#pairs(to),
      channelId: 1,
      channelType: 1,
    });
    this.#now = [...to];
  }
  /** For each device one that has what it needs, itself if possible. */
  #pairs(to: Layout): readonly (readonly [number, number])[] {
    const blocks = (layout: Layout): readonly string[] => {
      const tables = layout.map(axes => indexTable(axes, this.#mesh));
      return Array.from({ length: deviceCount(this.#mesh) }, (_, device) => tables.map(t => t[device]).join());
    };
    const [has, needs] = [blocks(this.#now), blocks(to)];
    const stays = has.map((block, device) => block === needs[device]);
    const free = has.map((_, device) => device).filter(device => !stays[device]);
    return needs.map((block, target) => {
      if (stays[target]!) return [target, target];
      const at = free.findIndex(source => has[source] === block);
      return [free.splice(at, 1)[0]!, target];
    });
  }

  /** The last axes of a dim become the last ones of another. */
  #exchange(from: number, layout: Layout): void {
    const to = layout.findIndex((axes, d) => axes.length > this.#now[d]!.length);
    const axes = layout[to]!.slice(this.#now[to]!.length);
    this.#value = this.#b.emit1('all_to_all', [this.#value], {
      ...along(axes, this.#mesh),
      splitDimension: to,
      concatDimension: from,
      splitCount: sizeOfAxes(axes, this.#mesh),
    });
    this.#now = [...layout];
  }

  /** Gives up the last axes of a dim. */
  #gather(d: number, count: number): void {
    const kept = this.#now[d]!.slice(0, -count);
    const axes = this.#now[d]!.slice(-count);
    const groups = devicesAlong(axes, this.#mesh);
    this.#value = this.#b.emit1('all_gather', [this.#value], { ...groups, allGatherDim: d });
    this.#now[d] = kept;
    const size = this.#type.shape[d]! / sizeOfAxes(kept, this.#mesh);
    const shape = shapeOf(this.#value);
    if (shape[d] !== size)
      this.#value = this.#b.slice(
        this.#value,
        shape.map(() => 0),
        shape.with(d, size),
      );
  }

  /** Divides dims further, along axes that no dim and no term has. */
  #sliceFree(): void {
    const taken = [...this.#now.flat(), ...this.#terms];
    this.#divide(
      this.#now.map((_, d) => {
        const added = this.#added(d);
        const isFree = added.every(axis => !taken.some(other => overlaps(axis, other)));
        return isFree && this.#removed(d).length === 0 ? added : [];
      }),
    );
  }
  /** Each device keeps its part of the dims. */
  #divide(added: readonly Axes[]): void {
    if (added.every(axes => axes.length === 0)) return;
    this.#pad(added);
    const sliceSizes = shapeOf(this.#value).map((size, d) => size / sizeOfAxes(added[d]!, this.#mesh));
    const { devices } = this.#site;
    const starts = sliceSizes.map((size, d) => (added[d]!.length > 0 ? devices.start(added[d]!, size) : devices.zero));
    this.#value = this.#b.emit1('dynamic_slice', [this.#value, ...starts], { sliceSizes });
    this.#now = this.#now.map((axes, d) => [...axes, ...added[d]!]);
  }
  /** Pads dims such that they can be divided along some axes. */
  #pad(added: readonly Axes[]): void {
    const shape = shapeOf(this.#value);
    const missing = shape.map((size, d) => {
      const parts = sizeOfAxes(added[d]!, this.#mesh);
      return Math.ceil(size / parts) * parts - size;
    });
    if (missing.every(count => count === 0)) return;
    const zero = this.#b.constant(zeros(tensorType(this.#type.elementType, [])));
    const none = shape.map(() => 0);
    this.#value = this.#b.pad(this.#value, zero, none, missing);
  }
}
