// sort: a stable merge sort of the positions along the dim, a task a line of elements; then the elements move.
import type { Op, Value } from '../../../hlo/program.ts';
import { tensorTypeOf } from '../../../hlo/program.ts';
import { loaded, registerType, stored } from '../../c/scalar/c-types.ts';
import { printRegion } from '../../c/scalar/combiners.ts';
import type { Kernel } from '../kernel.ts';
import { linearText } from '../sizes.ts';
import { decoded, type Step } from '../step.ts';

export function sort(step: Step, op: Op<'sort'>): void {
  const sizes = step.known(step.agreedSizes(op.operands.map(v => step.sizes(v))));
  const dim = op.attributes.dimension < 0 ? op.attributes.dimension + sizes.length : op.attributes.dimension;
  const length = sizes[dim]!;
  const lines = sizes.map((s, d) => (d === dim ? 1 : s));
  const rows = step.count(lines);
  const pointers = op.results.map(v => step.result(v, sizes).pointer);
  // two lists of positions for every line
  const scratch = step.allocate('i64', [2, ...sizes]);
  const stride = step.count(sizes.slice(dim + 1));
  const work = step.times(length, 8);
  step.overRows(rows, work, (k, row) => {
    const at = decoded(k, lines, row);
    const base = k.let('int64_t', linearText(sizes, at));
    const from = k.name('s');
    const to = k.name('s');
    k.out.line(`int64_t *${from} = ${scratch.pointer} + ${row} * 2 * ${length}, *${to} = ${from} + ${length};`);
    k.loop(length, i => k.out.line(`${from}[${i}] = ${i};`));
    const elements = (i: string): string[] =>
      op.operands.map(v => {
        const { elementType } = tensorTypeOf(v);
        const { pointer } = step.memory(v);
        return k.let(registerType(elementType), loaded(elementType, `${pointer}[${base} + ${i} * ${stride}]`));
      });
    mergeSort(k, String(length), from, to, (a, b) => {
      const [x, y] = [elements(a), elements(b)];
      const args = op.operands.flatMap((_: Value, i) => [x[i]!, y[i]!]);
      return printRegion(k.out, op.regions[0], args, k.name('r'), v => step.atom(v))[0]!;
    });
    k.loop(length, i => {
      const source = k.let('int64_t', `${from}[${i}]`);
      op.operands.forEach((v, n) => {
        const { elementType } = tensorTypeOf(v);
        const element = loaded(elementType, `${step.memory(v).pointer}[${base} + ${source} * ${stride}]`);
        k.out.line(`${pointers[n]}[${base} + ${i} * ${stride}] = ${stored(elementType, element)};`);
      });
    });
  });
  step.dropBlock(scratch.block);
}

/** Bottom-up merge sort; `before` compares the elements at two positions (strictly before). */
function mergeSort(
  k: Kernel,
  length: string,
  from: string,
  to: string,
  before: (a: string, b: string) => string,
): void {
  k.block(`for (int64_t run = 1; run < ${length}; run *= 2)`, () => {
    k.block(`for (int64_t low = 0; low < ${length}; low += 2 * run)`, () => {
      k.out.line(`const int64_t middle = low + run < ${length} ? low + run : ${length};`);
      k.out.line(`const int64_t high = low + 2 * run < ${length} ? low + 2 * run : ${length};`);
      k.out.line('int64_t left = low, right = middle;');
      k.block('for (int64_t o = low; o < high; o++)', () => {
        k.out.line('int later = left == middle;');
        k.block('if (left < middle && right < high)', () => {
          k.out.line(`const int64_t p = ${from}[left], q = ${from}[right];`);
          k.out.line(`later = ${before('q', 'p')};`);
        });
        k.out.line(`${to}[o] = later ? ${from}[right++] : ${from}[left++];`);
      });
    });
    k.out.line(`int64_t *const swap = ${from};`);
    k.out.line(`${from} = ${to};`);
    k.out.line(`${to} = swap;`);
  });
}
