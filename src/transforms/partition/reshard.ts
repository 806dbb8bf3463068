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
import type { BinaryName } from '../../hlo/attributes.ts';
import type { Builder } from '../../hlo/builder.ts';
import { zeros } from '../../hlo/literal.ts';
import { type Region, shapeOf, type Value } from '../../hlo/program.ts';
import { deviceCount, groupsAlong, type Mesh } from '../../hlo/sharding/mesh.ts';
import { type ElementType, type TensorType, tensorType } from '../../hlo/types.ts';
import { type Axes, overlaps, sameAxis, sizeOfAxes } from './axes.ts';
import type { DeviceIndex } from './device-index.ts';
import { cutAxes, indexTable, type Layout, sameLayout, type Terms, whole } from './layout.ts';

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
  const all = [...layout.flat(), ...to.flat(), ...(terms?.axes ?? [])];
  const cut = (axesOfDims: Layout): readonly (Axes | undefined)[] =>
    axesOfDims.map(axes => cutAxes(axes, all, site.mesh));
  const [now, wanted, [summed]] = [cut(layout), cut(to), cut([terms?.axes ?? []])];
  if ([...now, ...wanted, summed].every(axes => axes !== undefined))
    return new Resharding(site, { ...version, layout: now as Axes[] }, summed!, type, wanted as Axes[]).run();
  const undivided = whole(type);
  const reduced = terms === undefined ? version.value : allReduce(site, version.value, terms);
  const gathered = reshard(site, { value: reduced, layout }, type, undivided);
  return reshard(site, { value: gathered, layout: undivided }, type, to);
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
    this.#permute();
    this.#exchange();
    this.#gather(d => this.#added(d).length === 0);
    this.#permute();
    this.#gather(() => true);
    this.#slice(() => true);
    return this.#value;
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
      this.#padded([d]);
      const region = combining(this.#b, this.#combiner, elementTypeOf(this.#value));
      const groups = devicesAlong(axes, this.#mesh);
      this.#value = this.#b.emit1('reduce_scatter', [this.#value], { ...groups, scatterDimension: d }, [region]);
      this.#now[d] = [...this.#now[d]!, ...axes];
      this.#terms = this.#terms.filter(axis => !axes.some(other => sameAxis(axis, other)));
      this.#sliceFree();
    }
  }

  /** Each device needs a part of the same size as it has, from another device. */
  #permute(): void {
    const isMoved = (d: number): boolean => this.#removed(d).length > 0;
    const hasSameSize = (d: number): boolean =>
      this.#isSame(d) ||
      (this.#isEven(d, this.#now[d]!) &&
        sizeOfAxes(this.#now[d]!, this.#mesh) === sizeOfAxes(this.#to[d]!, this.#mesh));
    if (!this.#now.some((_, d) => isMoved(d)) || !this.#now.every((_, d) => hasSameSize(d))) return;
    this.#value = this.#b.emit1('collective_permute', [this.#value], {
      sourceTargetPairs: this.#pairs(),
      channelId: 1,
      channelType: 1,
    });
    this.#now = [...this.#to];
  }
  /** For each device one that has what it needs, itself if possible. */
  #pairs(): readonly (readonly [number, number])[] {
    const blocks = (layout: Layout): readonly string[] => {
      const tables = layout.map(axes => indexTable(axes, this.#mesh));
      return Array.from({ length: deviceCount(this.#mesh) }, (_, device) => tables.map(t => t[device]).join());
    };
    const [has, needs] = [blocks(this.#now), blocks(this.#to)];
    const stays = has.map((block, device) => block === needs[device]);
    const free = has.map((_, device) => device).filter(device => !stays[device]);
    return needs.map((block, target) => {
      if (stays[target]!) return [target, target];
      const at = free.findIndex(source => has[source] === block);
      return [free.splice(at, 1)[0]!, target];
    });
  }

  /** Axes that one dim has last, and another dim needs next. */
  #exchange(): void {
    for (let from = 0; from < this.#now.length; from++) {
      const axes = this.#removed(from);
      if (axes.length === 0 || this.#added(from).length > 0 || !this.#isEven(from, this.#now[from]!)) continue;
      const to = this.#now.findIndex(
        (_, d) =>
          this.#removed(d).length === 0 &&
          this.#isEven(d, this.#to[d]!) &&
          this.#added(d).length === axes.length &&
          this.#added(d).every((axis, i) => sameAxis(axis, axes[i]!)),
      );
      if (to < 0) continue;
      const splitCount = sizeOfAxes(axes, this.#mesh);
      this.#value = this.#b.emit1('all_to_all', [this.#value], {
        ...along(axes, this.#mesh),
        splitDimension: to,
        concatDimension: from,
        splitCount,
      });
      this.#now[from] = this.#to[from]!;
      this.#now[to] = this.#to[to]!;
    }
  }

  #gather(accepts: (d: number) => boolean): void {
    this.#now.forEach((_, d) => {
      if (this.#removed(d).length > 0 && accepts(d)) this.#gatherDim(d);
    });
  }
  #gatherDim(d: number): void {
    const axes = this.#removed(d);
    const kept = this.#now[d]!.slice(0, this.#kept(d));
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

  /** Slices dims along axes that no dim and no term has. */
  #sliceFree(): void {
    const taken = [...this.#now.flat(), ...this.#terms];
    this.#slice(d => this.#added(d).every(axis => !taken.some(other => overlaps(axis, other))));
  }
  /** Each device keeps its part of the dims that are divided further. */
  #slice(accepts: (d: number) => boolean): void {
    const dims = this.#now.flatMap((_, d) =>
      this.#removed(d).length === 0 && this.#added(d).length > 0 && accepts(d) ? [d] : [],
    );
    if (dims.length === 0) return;
    this.#padded(dims);
    const sliceSizes = shapeOf(this.#value).map((size, d) =>
      dims.includes(d) ? size / sizeOfAxes(this.#added(d), this.#mesh) : size,
    );
    const { devices } = this.#site;
    const starts = sliceSizes.map((size, d) => (dims.includes(d) ? devices.start(this.#added(d), size) : devices.zero));
    this.#value = this.#b.emit1('dynamic_slice', [this.#value, ...starts], { sliceSizes });
    for (const d of dims) this.#now[d] = this.#to[d]!;
  }
  /** Pads dims such that they can be divided along the axes that are added to them. */
  #padded(dims: readonly number[]): void {
    const shape = shapeOf(this.#value);
    const missing = shape.map((size, d) => {
      const parts = dims.includes(d) ? sizeOfAxes(this.#added(d), this.#mesh) : 1;
      return Math.ceil(size / parts) * parts - size;
    });
    if (missing.every(count => count === 0)) return;
    const zero = this.#b.constant(zeros(tensorType(this.#type.elementType, [])));
    const none = shape.map(() => 0);
    this.#value = this.#b.pad(this.#value, zero, none, missing);
  }
}
