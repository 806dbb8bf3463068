// Copies ops to another position in a program: a branch into its gradient, a function's body into its caller, a scan's
// body into a loop.
import type { BaseBuilder } from './base-builder.ts';
import type { Op, Region, Value } from './program.ts';

/**
 * Appends copies of `ops` to the builder. Values in `map` are replaced, all others (captured values) are used unchanged; the
 * results of the copies are added to `map`. Returns the copies.
 */
export function inline(builder: BaseBuilder, ops: readonly Op[], map: Map<Value, Value>): readonly Op[] {
  const start = builder.ops.length;
  const location = builder.location;
  const replaced = (value: Value): Value => map.get(value) ?? value;
  for (const op of ops) {
    builder.location = op.location ?? location;
    const regions = op.regions.map(region =>
      builder.region(
        region.args.map(arg => arg.type),
        (inner, args) => {
          region.args.forEach((arg, i) => {
            map.set(arg, args[i]!);
          });
          inline(inner, region.ops, map);
          return region.results.map(replaced);
        },
      ),
    );
    const results = builder.emit(op.name, op.operands.map(replaced), op.attributes, regions);
    op.results.forEach((result, i) => {
      map.set(result, results[i]!);
    });
  }
  builder.location = location;
  return builder.ops.slice(start);
}

/** Appends copies of a region's ops with other arguments; returns the values of its results. */
export function inlineRegion(builder: BaseBuilder, region: Region, args: readonly Value[]): readonly Value[] {
  const map = new Map(region.args.map((arg, i): [Value, Value] => [arg, args[i]!]));
  inline(builder, region.ops, map);
  return region.results.map(result => map.get(result) ?? result);
}
