// Builds programs, inferring and checking each result type from the op table as it goes.
import type { OpAttributes, OpName } from './attributes.ts';
import { BaseBuilder } from './base-builder.ts';
import { KnownTypes } from './known-types.ts';
import { inferTypes } from './op-table.ts';
import type { Func, Region, Value } from './program.ts';
import type { Type } from './types.ts';

/**
 * Builds the ops of a function or region, all ops included.
 * @example
 * const main = hlo.buildFunc('main', [hlo.tensorType('f32', [2])], (b, [x]) => [b.add(x!, x!)]);
 * main.body.ops.map(({ name }) => name) // ['add']
 */
export class Builder extends BaseBuilder {
  readonly #known = new KnownTypes();

  protected override infer<N extends OpName>(
    name: N,
    operands: readonly Value[],
    attributes: OpAttributes[N],
    regions: readonly Region[],
  ): readonly Type[] {
    const { location } = this;
    const isLookedUp = location !== undefined && regions.length === 0 && name !== 'constant';
    const known = isLookedUp ? this.#known.find(name, operands, attributes, location) : undefined;
    if (known !== undefined) return known;
    const types = operands.map(({ type }) => type);
    const results = inferTypes(name, types, attributes, regions, location);
    if (isLookedUp) this.#known.add(name, types, attributes, location, results);
    return results;
  }
  protected override inner(): this {
    return new Builder(this.ids) as this;
  }
}

/**
 * A function from argument types and a body.
 * @example
 * const main = hlo.buildFunc('main', [hlo.tensorType('f32', [2])], (b, [x]) => [b.add(x!, x!)]);
 * main.body.args.length // 1
 */
export function buildFunc(
  name: string,
  argTypes: readonly Type[],
  body: (builder: Builder, args: readonly Value[]) => readonly Value[],
  aliases: readonly (number | undefined)[] = [],
): Func {
  const builder = new Builder();
  const region = builder.region(argTypes, body);
  return { name, body: region, aliases: argTypes.map((_, i) => aliases[i]) };
}
