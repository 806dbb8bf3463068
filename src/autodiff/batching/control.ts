// Batching rules of loops and branches. If examples take different branches, all branches are computed and the results
// selected. A loop runs until the last example is done; the state of finished examples does not change.
import type { Builder } from '../../hlo/builder.ts';
import { shapeOf, tensorTypeOf, type Value } from '../../hlo/program.ts';
import { type TensorType, tensorType } from '../../hlo/types.ts';
import { allInFull, type BatchContext, type BatchTable, batched, type Image, inFull, same } from './rule.ts';

const fullType = (type: TensorType, size: number): TensorType => tensorType(type.elementType, [size, ...type.shape]);

/** x where an example's predicate holds, y where not. */
function choose(b: Builder, predicate: Value, x: Value, y: Value): Value {
  return b.select(b.broadcastInDim(predicate, [0], shapeOf(x)), x, y);
}

function branches(c: BatchContext<'if'> | BatchContext<'case'>): readonly Image[] {
  const { builder: b, op, size } = c;
  const index = c.operands[0];
  if (index.isBatched) {
    const results = op.regions.map(region => c.inline(b, region, []).map(image => inFull(b, image, size)));
    const isTaken = (i: number): Value =>
      op.name === 'if' ? index.value : b.compare('EQ', index.value, b.fill('i32', [size], i));
    // The last branch of a case is the default; that of an if, its false branch.
    return op.results.map((_, r) =>
      batched(
        results
          .slice(0, -1)
          .map(branch => branch[r]!)
          .reduceRight((rest, value, i) => choose(b, isTaken(i), value, rest), results.at(-1)![r]!),
      ),
    );
  }
  const isBatched = op.results.map(() => false);
  for (const region of op.regions)
    b.region([], inner =>
      c.inline(inner, region, []).map((image, r) => {
        isBatched[r] ||= image.isBatched;
        return image.value;
      }),
    );
  const regions = op.regions.map(region =>
    b.region([], inner =>
      c.inline(inner, region, []).map((image, r) => (isBatched[r] ? inFull(inner, image, size) : image.value)),
    ),
  );
  return b.emit(op.name, [index.value], {}, regions).map((value, r) => ({ value, isBatched: isBatched[r]! }));
}

export const controlRules = {
  if: branches,
  case: branches,
  while: c => {
    const { builder: b, op, size } = c;
    const [goesOn, body] = op.regions;
    const flags = c.operands.map(image => image.isBatched);
    const types = () =>
      op.operands.map((v, i) => (flags[i] ? fullType(tensorTypeOf(v), size) : (v.type as TensorType)));
    const imagesOf = (args: readonly Value[]): Image[] => args.map((value, i) => ({ value, isBatched: flags[i]! }));
    /** The part of the state that differs between examples, and whether they stop at different times. */
    const step = (): boolean => {
      let differs = false;
      b.region(types(), (inner, args) => {
        differs = c.inline(inner, goesOn!, imagesOf(args))[0]!.isBatched;
        return [];
      });
      const before = flags.join();
      b.region(types(), (inner, args) => {
        const results = c.inline(inner, body!, imagesOf(args));
        results.forEach((image, i) => {
          flags[i] ||= image.isBatched || differs;
        });
        return [];
      });
      return before === flags.join() ? differs : step();
    };
    const differs = step();
    const condition = b.region(types(), (inner, args) => {
      const { value } = c.inline(inner, goesOn!, imagesOf(args))[0]!;
      return [differs ? inner.reduce('or', value, inner.fill('i1', [], false), [0]) : value];
    });
    const next = b.region(types(), (inner, args) => {
      const results = c
        .inline(inner, body!, imagesOf(args))
        .map((image, i) => (flags[i] ? inFull(inner, image, size) : image.value));
      if (!differs) return results;
      const predicate = c.inline(inner, goesOn!, imagesOf(args))[0]!.value;
      return results.map((value, i) => choose(inner, predicate, value, args[i]!));
    });
    const state = c.operands.map((image, i) => (flags[i] ? inFull(b, image, size) : image.value));
    return b.emit('while', state, {}, [condition, next]).map((value, i) => (flags[i] ? batched(value) : same(value)));
  },
  'chlo.scan': c => {
    const { builder: b, op, size } = c;
    const a = op.attributes;
    const operands = allInFull(c);
    const body = b.region(
      op.regions[0]!.args.map(arg => fullType(tensorTypeOf(arg), size)),
      (inner, args) => c.inline(inner, op.regions[0]!, args.map(batched)).map(image => inFull(inner, image, size)),
    );
    const resultTypes = op.results.map(v => fullType(tensorTypeOf(v), size));
    return b.emit('chlo.scan', operands, { ...a, dimension: a.dimension + 1, resultTypes }, [body]).map(batched);
  },
} satisfies BatchTable;
