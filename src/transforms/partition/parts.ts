// The parts of values, in the layouts that their users asked for so far. A value moves to another layout when it is first used
// in it, from the layout that costs the fewest bytes; sums stay terms until then.
import type { SourceLocation } from '../../base/errors.ts';
import { Builder } from '../../hlo/builder.ts';
import { tensorTypeOf, type Value } from '../../hlo/program.ts';
import type { Mesh } from '../../hlo/sharding/mesh.ts';
import type { TensorType } from '../../hlo/types.ts';
import { DeviceIndex } from './device-index.ts';
import { type Layout, localType, sameLayout, sameTerms, type Terms, whole } from './layout.ts';
import { movedBytes } from './moved-bytes.ts';
import { reshard, type Site, type Version } from './reshard.ts';

/** Computes a value anew in a layout, such as a constant; undefined where it has to be a part of the whole. */
export type Make = (b: Builder, layout: Layout) => Value | undefined;

interface Part {
  /** The layout that the program states. */
  readonly stated: Layout;
  /** Whether users keep to that layout. */
  readonly isFixed: boolean;
  readonly versions: Version[];
  readonly make: Make | undefined;
  /** Where the value is made, or its terms are combined. */
  readonly location: SourceLocation | undefined;
}

export class Parts {
  readonly #mesh: Mesh;
  readonly #devices: DeviceIndex;
  /** By the values of the module. */
  readonly #parts = new Map<Value, Part>();
  /** The bytes between two layouts, by both and the type. */
  readonly #bytes = new Map<string, number>();
  /** The parts that got another version, in order. */
  readonly #added: Part[] = [];

  constructor(mesh: Mesh, devices: DeviceIndex) {
    this.#mesh = mesh;
    this.#devices = devices;
  }

  set(value: Value, version: Version, stated: Layout = version.layout): void {
    const location = version.terms && value.op?.location;
    this.#parts.set(value, { stated, isFixed: false, versions: [version], make: undefined, location });
  }
  /** Terms that the program combines at once: what is linear does not come first. */
  setCombined(value: Value, version: Version, stated: Layout): void {
    this.set(value, version, stated);
    this.#parts.set(value, { ...this.#parts.get(value)!, isFixed: true });
  }
  setMade(value: Value, make: Make, stated: Layout): void {
    this.#parts.set(value, { stated, isFixed: false, versions: [], make, location: value.op?.location });
  }
  /** A value that is another one, for users that are told its layout. */
  setFixed(value: Value, same: Value, stated: Layout): void {
    this.#parts.set(value, { ...this.#parts.get(same)!, stated, isFixed: true });
  }

  stated(value: Value): Layout {
    return this.#parts.get(value)!.stated;
  }
  layouts(value: Value): readonly Layout[] {
    const { stated, isFixed, versions } = this.#parts.get(value)!;
    return isFixed ? [stated] : [stated, ...versions.map(({ layout }) => layout)];
  }
  /** The terms of a value that no user needed combined so far. */
  terms(value: Value): (Version & { readonly terms: NonNullable<Version['terms']> }) | undefined {
    const { versions, isFixed } = this.#parts.get(value)!;
    const [first] = versions;
    return !isFixed && versions.length === 1 && first?.terms !== undefined
      ? { ...first, terms: first.terms }
      : undefined;
  }
  /** The terms that all these values were computed as, even if they are combined by now; undefined if they differ. */
  commonTerms(values: readonly Value[]): Terms | undefined {
    const [first, ...others] = values.map(value => {
      const { versions, isFixed } = this.#parts.get(value)!;
      return isFixed || versions[0]?.terms?.combiner !== 'add' ? undefined : versions[0].terms;
    });
    return others.every(terms => sameTerms(terms, first)) ? first : undefined;
  }
  /** A value in a layout. */
  in(b: Builder, value: Value, layout: Layout): Value {
    const part = this.#parts.get(value)!;
    if (value.type.kind !== 'tensor') return part.versions[0]!.value;
    const known = this.#known(part, layout);
    if (known !== undefined) return known;
    const { location } = b;
    const moved = this.#made(b, part, layout) ?? this.#moved(b, part, value, layout);
    b.location = location;
    part.versions.push({ value: moved, layout });
    this.#added.push(part);
    return moved;
  }
  #made(b: Builder, { make, location }: Part, layout: Layout): Value | undefined {
    b.location = location ?? b.location;
    return make?.(b, layout);
  }
  #moved(b: Builder, part: Part, value: Value, layout: Layout): Value {
    const undivided = whole(value.type);
    const source =
      part.make === undefined
        ? this.#cheapest(part, tensorTypeOf(value), layout)
        : { value: this.in(b, value, undivided), layout: undivided };
    if (source.terms !== undefined) b.location = part.location ?? b.location;
    return reshard(this.#site(b), source, tensorTypeOf(value), layout);
  }
  /** The terms of a value in a layout. */
  termIn(b: Builder, value: Value, layout: Layout): Value {
    const { value: term, layout: from } = this.terms(value)!;
    return reshard(this.#site(b), { value: term, layout: from }, tensorTypeOf(value), layout);
  }
  /** The bytes that `in` would move. */
  bytes(value: Value, layout: Layout): number {
    const part = this.#parts.get(value)!;
    if (value.type.kind !== 'tensor' || this.#known(part, layout) !== undefined || part.make !== undefined) return 0;
    const type = tensorTypeOf(value);
    return Math.min(...part.versions.map(version => this.bytesBetween(type, version, layout)));
  }
  /** Whether a value is there in a layout, or in a larger part of which this is one. */
  isThere(value: Value, layout: Layout): boolean {
    return this.#parts.get(value)!.make === undefined && this.bytes(value, layout) === 0;
  }
  /** The bytes that move between layouts of a type. */
  bytesBetween(type: TensorType, { layout, terms }: Omit<Version, 'value'>, to: Layout): number {
    if (terms === undefined && sameLayout(layout, to)) return 0;
    const key = JSON.stringify([type.shape, type.elementType, layout, terms?.axes, to]);
    let bytes = this.#bytes.get(key);
    if (bytes === undefined) {
      const b = new Builder();
      const site: Site = { b, devices: new DeviceIndex(b, this.#mesh), mesh: this.#mesh };
      reshard(site, { value: b.argument(localType(type, layout, this.#mesh), 0), layout, terms }, type, to);
      bytes = movedBytes(b.ops);
      this.#bytes.set(key, bytes);
    }
    return bytes;
  }

  /** Versions that are made within a region are valid only there. */
  within<T>(build: () => T): T {
    const start = this.#added.length;
    const result = build();
    for (const part of this.#added.splice(start)) part.versions.pop();
    return result;
  }

  #site(b: Builder): Site {
    return { b, devices: this.#devices, mesh: this.#mesh };
  }
  #known(part: Part, layout: Layout): Value | undefined {
    return part.versions.find(version => version.terms === undefined && sameLayout(version.layout, layout))?.value;
  }
  #cheapest({ versions }: Part, type: TensorType, layout: Layout): Version {
    if (versions.length === 1) return versions[0]!;
    const bytes = versions.map(version => this.bytesBetween(type, version, layout));
    return versions[bytes.indexOf(Math.min(...bytes))]!;
  }
}
