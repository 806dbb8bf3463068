// reduce: a loop over the reduced dims for each element of the results. Where the last dim stays, 64 elements along it are
// reduced at once, so that memory is read in its order and the loop over them is vectorised.
import { zip } from '../../../base/zip.ts';
import type { Op } from '../../../hlo/program.ts';
import { tensorTypeOf } from '../../../hlo/program.ts';
import type { ElementType } from '../../../hlo/types.ts';
import { printBlockLoop } from '../../c/kernels/block-loop.ts';
import { foldLanes, LaneSet, startLanes } from '../../c/kernels/lanes.ts';
import { loopName } from '../../c/kernels/node-text.ts';
import { registerType, stored } from '../../c/scalar/c-types.ts';
import { combinerOf, printRegion } from '../../c/scalar/combiners.ts';
import { converted } from '../../c/scalar/scalar.ts';
import { type Accumulator, accumulatorOfRegion } from '../../ir/accumulator.ts';
import type { Loop } from '../../ir/index-expr.ts';
import { type ElementOrder, lanesOf } from '../../ir/row.ts';
import { laneLoop } from '../../kernels/inner-loop-plan.ts';
import { orderOf, ordersOf } from '../../kernels/lanes.ts';
import type { Kernel } from '../kernel.ts';
import { type KnownSizes, largestSize, linearText } from '../sizes.ts';
import { decoded, type Step } from '../step.ts';

const width = 64;

/** Partial results: how they begin, take up one element of each input, and end. `at` is an index within the partials. */
interface Fold {
  readonly types: readonly string[];
  readonly start: readonly string[];
  /** Of partial results that may be combined in any grouping. */
  readonly accumulator: Accumulator | undefined;
  add(kernel: Kernel, partials: readonly string[], elements: readonly string[]): void;
  finish(partials: readonly string[]): readonly string[];
}

function foldOf(step: Step, op: Op<'reduce'>): Fold {
  const region = op.regions[0];
  const n = op.operands.length / 2;
  // regions may accumulate in another type
  const argType = (i: number): ElementType => tensorTypeOf(region.args[i]!).elementType;
  const inits = op.operands.slice(n).map((v, i) => converted(step.atom(v), tensorTypeOf(v).elementType, argType(i)));
  const accumulator = n === 1 && sameTypes(op) ? accumulatorOfRegion(region) : undefined;
  if (accumulator !== undefined) {
    const combiner = combinerOf(accumulator);
    return {
      types: [combiner.type],
      start: [combiner.identity],
      accumulator,
      add: (k, [p], [x]) => k.out.line(`${p} = ${combiner.combine(p!, x!)};`),
      finish: ([p]) => [combiner.finish(`(${combiner.combine(`(${combiner.type})${inits[0]}`, p!)})`)],
    };
  }
  return {
    types: op.results.map(v => registerType(tensorTypeOf(v).elementType)),
    start: inits,
    accumulator: undefined,
    add(k, partials, elements) {
      // the region sees the partials as they were, even where it names one twice
      const before = partials.map((p, i) => k.let(registerType(tensorTypeOf(op.results[i]!).elementType), `(${p})`));
      const inputs = zip(elements, op.operands.slice(0, n)).map(([x, v], i) => {
        const type = argType(n + i);
        return k.let(registerType(type), converted(x, tensorTypeOf(v).elementType, type));
      });
      const after = printRegion(k.out, region, [...before, ...inputs], k.name('r'), v => step.atom(v));
      partials.forEach((p, i) => {
        k.out.line(`${p} = ${after[i]};`);
      });
    },
    finish: partials => partials,
  };
}
const sameTypes = (op: Op<'reduce'>): boolean =>
  tensorTypeOf(op.operands[0]).elementType === tensorTypeOf(op.results[0]).elementType;

export function reduce(step: Step, op: Op<'reduce'>): void {
  const n = op.operands.length / 2;
  const inputs = op.operands.slice(0, n);
  const from = step.known(step.agreedSizes(inputs.map(v => step.sizes(v))));
  const reduced = [...op.attributes.dimensions].sort((a, b) => a - b);
  const kept = from.map((_, d) => d).filter(d => !reduced.includes(d));
  const sizes = kept.map(d => from[d]!);
  const pointers = op.results.map(v => step.result(v, sizes).pointer);
  const known = step.known(step.sizes(op.results[0]));
  const fold = foldOf(step, op);
  const write = (k: Kernel, index: readonly string[], partials: readonly string[]): void => {
    fold.finish(partials).forEach((text, i) => {
      const { elementType } = tensorTypeOf(op.results[i]!);
      k.out.line(`${pointers[i]}[${linearText(known, index)}] = ${stored(elementType, text)};`);
    });
  };
  const index = (keptIndex: readonly string[], reducedIndex: readonly string[]): string[] =>
    from.map((_, d) => (reduced.includes(d) ? reducedIndex[reduced.indexOf(d)]! : keptIndex[kept.indexOf(d)]!));
  const elements = (k: Kernel, at: readonly string[]): string[] => inputs.map(v => step.at(k, v, at));
  const work = step.count(reduced.map(d => from[d]!));

  if (reduced.length === 0 || reduced.at(-1) === from.length - 1) {
    // the outputs one by one; results of an empty reduction are written too, hence at least one unit of work each
    // dims that follow one another in memory are one, as in the kernels of known sizes
    const isOneRun =
      fold.accumulator !== undefined &&
      reduced.length > 1 &&
      reduced[0] === kept.length &&
      inputs.every(v => step.isFlat(v));
    const inner = typeof work === 'number' ? Math.max(1, work) : step.bind('int64_t', `${work} > 0 ? ${work} : 1`);
    step.overRows(step.count(known), inner, (k, row) => {
      const at = decoded(k, known, row);
      const last = reduced.at(-1);
      const outer = isOneRun ? [] : reduced.slice(0, -1).map(d => from[d]!);
      const length = last === undefined ? 1 : isOneRun ? work : from[last]!;
      if (fold.accumulator !== undefined && last !== undefined) {
        const element = (outerIndex: readonly string[], i: string): string =>
          isOneRun
            ? step.at(k, inputs[0]!, k.let('int64_t', `${row} * ${length} + ${i}`))
            : elements(k, index(at, [...outerIndex, i]))[0]!;
        write(k, at, [accumulated(k, fold, fold.accumulator, { outer, length, element })]);
        return;
      }
      const partials = fold.types.map((type, i) => {
        const name = k.name('p');
        k.out.line(`${type} ${name} = ${fold.start[i]};`);
        return name;
      });
      nest(k, outer, outerIndex => {
        if (last === undefined) fold.add(k, partials, elements(k, index(at, [])));
        else k.loop(length, i => fold.add(k, partials, elements(k, index(at, [...outerIndex, i]))));
      });
      write(k, at, partials);
    });
    return;
  }

  const last = known.at(-1)!;
  const tiles =
    typeof last === 'number' ? Math.ceil(last / width) : step.bind('int64_t', `(${last} + ${width - 1}) / ${width}`);
  const outer = known.slice(0, -1);
  const rows = step.count([...outer, tiles]);
  const inner = step.times(step.plus(work, 1), width);
  step.overRows(rows, inner, (k, row) => {
    const at = decoded(k, [...outer, tiles], row);
    const start = k.let('int64_t', `${at.at(-1)} * ${width}`);
    const wide = k.let('int64_t', `${last} - ${start} < ${width} ? ${last} - ${start} : ${width}`);
    const names = fold.types.map((type, i) => {
      const name = k.name('p');
      k.out.line(`${type} ${name}[${width}];`);
      k.loop(width, j => k.out.line(`${name}[${j}] = ${fold.start[i]};`));
      return name;
    });
    const position = (j: string): string[] => [...at.slice(0, -1), k.let('int64_t', `${start} + ${j}`)];
    nest(
      k,
      reduced.map(d => from[d]!),
      reducedIndex => {
        k.loop(
          wide,
          j =>
            fold.add(
              k,
              names.map(p => `${p}[${j}]`),
              elements(k, index(position(j), reducedIndex)),
            ),
          { simd: '' },
        );
      },
    );
    k.loop(wide, j =>
      write(
        k,
        position(j),
        names.map(p => `${p}[${j}]`),
      ),
    );
  });
}

/** What is reduced for one result. */
interface Run {
  /** The dims around the innermost one, and its length. */
  readonly outer: KnownSizes;
  readonly length: number | string;
  readonly element: (outerIndex: readonly string[], i: string) => string;
}

/**
 * One result, its elements combined in the order of the kernels of known sizes, by the same loops. Of an unknown length there are
 * loops for each order.
 */
function accumulated(k: Kernel, fold: Fold, accumulator: Accumulator, run: Run): string {
  const { length } = run;
  const total = k.name('p');
  k.out.line(`${fold.types[0]} ${total} = ${fold.start[0]};`);
  if (typeof length === 'number') {
    const order = orderOf([{ accumulator }], { id: 0, size: length });
    combine(k, fold, accumulator, run, order, total);
    return total;
  }
  ordersOf([{ accumulator }]).forEach(({ from, order }, i) => {
    const condition = from === 0 ? '' : `if (${length} >= ${from})`;
    k.block(`${i === 0 ? '' : 'else '}${condition}`.trim(), () => combine(k, fold, accumulator, run, order, total));
  });
  return total;
}

function combine(
  k: Kernel,
  fold: Fold,
  accumulator: Accumulator,
  { outer, length, element }: Run,
  order: ElementOrder,
  total: string,
): void {
  const lanes = lanesOf(order);
  if (lanes === 0) {
    nest(k, outer, outerIndex => k.loop(length, i => fold.add(k, [total], [element(outerIndex, i)])));
    return;
  }
  const { block, part } = laneLoop(lanes);
  const set = new LaneSet({ id: k.number() }, combinerOf(accumulator).lanes, lanes);
  startLanes(k.out, [set], lanes);
  nest(k, outer, outerIndex => {
    const loop: Loop = { id: k.number(), size: typeof length === 'number' ? length : largestSize };
    printBlockLoop(k.out, {
      loop,
      size: block,
      part,
      from: '0',
      to: String(length),
      multiple: 1,
      pragma: '',
      nodes: [],
      roots: new Set(),
      overrides: new Map(),
      declare: () => {},
      body: lane => k.scope(() => set.update(k.out, element(outerIndex, loopName(loop)), lane)),
    });
  });
  foldLanes(k.out, [set], lanes);
  k.out.line(`${total} = ${set.result()};`);
}

/** Loops over some sizes, one within the other. */
export function nest(
  k: Kernel,
  sizes: KnownSizes,
  body: (index: readonly string[]) => void,
  index: readonly string[] = [],
): void {
  const [size, ...rest] = sizes;
  if (size === undefined) body(index);
  else k.loop(size, i => nest(k, rest, body, [...index, i]));
}
