// Where this device is: its number, and where its parts start. Each number is computed once, at the top of the program, where
// all regions can use it.
import type { Builder } from '../../hlo/builder.ts';
import { literal } from '../../hlo/literal.ts';
import type { Value } from '../../hlo/program.ts';
import type { Mesh } from '../../hlo/sharding/mesh.ts';
import type { Axes } from './axes.ts';
import { indexTable } from './layout.ts';

export class DeviceIndex {
  readonly #b: Builder;
  readonly #mesh: Mesh;
  readonly #known = new Map<string, Value>();

  /** The builder is that of the main function. */
  constructor(b: Builder, mesh: Mesh) {
    this.#b = b;
    this.#mesh = mesh;
  }

  get zero(): Value {
    return this.#once('zero', b => b.constant(literal('i32', [], [0])));
  }
  /** The index of this device along some axes, in units: where its part starts. A scalar i32. */
  start(axes: Axes, unit: number): Value {
    return this.entry(axes, index => index * unit);
  }
  /** A number for each index along some axes: that of this device. A scalar i32. */
  entry(axes: Axes, numberAt: (index: number) => number): Value {
    const numbers = indexTable(axes, this.#mesh).map(numberAt);
    return this.#once(numbers.join(), b => {
      const table = b.constant(literal('i32', [numbers.length], numbers));
      return b.reshape(b.emit1('dynamic_slice', [table, this.#device], { sliceSizes: [1] }), []);
    });
  }
  get #device(): Value {
    return this.#once('device', b => b.convert(b.emit1('partition_id', [], {}), 'i32'));
  }

  #once(key: string, make: (b: Builder) => Value): Value {
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const { location } = this.#b;
    this.#b.location = undefined;
    const value = make(this.#b);
    this.#b.location = location;
    this.#known.set(key, value);
    return value;
  }
}
