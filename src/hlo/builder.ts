// Builds programs, inferring and checking each result type from the op table as it goes.
import type { OpAttributes, OpName } from './attributes.ts';
import { BaseBuilder } from './base-builder.ts';
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
  protected override infer<N extends OpName>(
    name: N,
    operands: readonly Type[],
    attributes: OpAttributes[N],
    regions: readonly Region[],
  ): readonly Type[] {
    return inferTypes(name, operands, attributes, regions, this.location);
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
