// Moves a value from one layout to another, with collectives:
//
//   slice          a dim that is divided further         no communication; before a gather if its axes are free
//   all_to_all     axes that move from one dim to another
//   all_gather     axes that no dim keeps
//
// Dims that do not divide evenly are padded when they are divided, and cut when they are gathered.
import type { Builder } from '../../hlo/builder.ts';
import { literal, zeros } from '../../hlo/literal.ts';
import { shapeOf, type Value } from '../../hlo/program.ts';
import { groupsAlong, type Mesh } from '../../hlo/sharding/mesh.ts';
import { type TensorType, tensorType } from '../../hlo/types.ts';
import { type Axes, overlaps, sameAxis, sizeOfAxes } from './axes.ts';
import { cutAxes, indexTable, type Layout, sameLayout, whole } from './layout.ts';

/** The groups of a collective along some axes. */
export const along = (axes: Axes, mesh: Mesh) => ({
  replicaGroups: groupsAlong(mesh, axes),
  channelId: 1,
  channelType: 1,
});
/** The same, for collectives that number devices instead of replicas when told to. */
export const devicesAlong = (axes: Axes, mesh: Mesh) => ({ ...along(axes, mesh), useGlobalDeviceIds: true });

export function reshard(b: Builder, part: Value, type: TensorType, from: Layout, to: Layout, mesh: Mesh): Value {
  if (sameLayout(from, to)) return part;
  const all = [...from.flat(), ...to.flat()];
  const cut = (layout: Layout): readonly (Axes | undefined)[] => layout.map(axes => cutAxes(axes, all, mesh));
  const [now, wanted] = [cut(from), cut(to)];
  if ([...now, ...wanted].every(axes => axes !== undefined))
    return new Resharding(b, part, type, now as Axes[], wanted as Axes[], mesh).run();
  const undivided = whole(type);
  return reshard(b, reshard(b, part, type, from, undivided, mesh), type, undivided, to, mesh);
}

class Resharding {
  readonly #b: Builder;
  readonly #type: TensorType;
  readonly #mesh: Mesh;
  #value: Value;
  /** The axes of each dim now. */
  readonly #now: Axes[];
  readonly #to: Layout;

  constructor(b: Builder, part: Value, type: TensorType, now: Axes[], to: Layout, mesh: Mesh) {
    this.#b = b;
    this.#type = type;
    this.#mesh = mesh;
    this.#value = part;
    this.#now = now;
    this.#to = to;
  }

  run(): Value {
    const taken = this.#now.flat();
    this.#slice(d => this.#added(d).every(axis => !taken.some(other => overlaps(axis, other))));
    this.#exchange();
    this.#now.forEach((_, d) => {
      this.#gather(d);
    });
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

  #gather(d: number): void {
    const axes = this.#removed(d);
    if (axes.length === 0) return;
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

  /** Each device keeps its part of the dims that are divided further. */
  #slice(accepts: (d: number) => boolean): void {
    const dims = this.#now.flatMap((_, d) =>
      this.#removed(d).length === 0 && this.#added(d).length > 0 && accepts(d) ? [d] : [],
    );
    if (dims.length === 0) return;
    const shape = shapeOf(this.#value);
    const parts = shape.map((_, d) => (dims.includes(d) ? sizeOfAxes(this.#added(d), this.#mesh) : 1));
    const sliceSizes = shape.map((size, d) => Math.ceil(size / parts[d]!));
    const missing = shape.map((size, d) => sliceSizes[d]! * parts[d]! - size);
    if (missing.some(count => count > 0)) {
      const zero = this.#b.constant(zeros(tensorType(this.#type.elementType, [])));
      const none = shape.map(() => 0);
      this.#value = this.#b.pad(this.#value, zero, none, missing);
    }
    const device = this.#b.emit1('partition_id', [], {});
    const none = this.#b.constant(literal('i32', [], [0]));
    const starts = shape.map((_, d) =>
      dims.includes(d) ? this.#tableEntry(indexTable(this.#added(d), this.#mesh), sliceSizes[d]!, device) : none,
    );
    this.#value = this.#b.emit1('dynamic_slice', [this.#value, ...starts], { sliceSizes });
    for (const d of dims) this.#now[d] = this.#to[d]!;
  }
  #tableEntry(table: readonly number[], unit: number, device: Value): Value {
    const starts = table.map(index => index * unit);
    const entry = this.#b.emit1(
      'dynamic_slice',
      [this.#b.constant(literal('i32', [starts.length], starts)), this.#b.convert(device, 'i32')],
      { sliceSizes: [1] },
    );
    return this.#b.reshape(entry, []);
  }
}
