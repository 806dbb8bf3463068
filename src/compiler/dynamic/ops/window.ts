// reduce_window and select_and_scatter: loops over the elements of each window. The windows of select_and_scatter are
// taken one after another, as two of them may select the same element.
import type { Op, Value } from '../../../hlo/program.ts';
import { tensorTypeOf } from '../../../hlo/program.ts';
import type { ElementType } from '../../../hlo/types.ts';
import { loaded, registerType, stored } from '../../c/scalar/c-types.ts';
import { printRegion } from '../../c/scalar/combiners.ts';
import { converted } from '../../c/scalar/scalar.ts';
import { Kernel, nest } from '../kernel.ts';
import { type KnownSizes, linearText } from '../sizes.ts';
import type { Step } from '../step.ts';

interface Windows {
  readonly windowDimensions: readonly number[];
  readonly windowStrides: readonly number[];
  readonly padding: readonly (readonly [number, number])[];
  readonly baseDilations: readonly number[];
  readonly windowDilations: readonly number[];
}

/** How many windows fit along each dim. */
function windowCounts(step: Step, from: KnownSizes, w: Windows): (number | string)[] {
  return from.map((size, d) => {
    const [low, high] = w.padding[d]!;
    return step.bind(
      'int64_t',
      `t_windows(${size}, ${w.windowDimensions[d]}, ${w.windowStrides[d]}, ${low}, ${high}, ${w.baseDilations[d]}, ${w.windowDilations[d]})`,
    );
  });
}

/** For each element of the window at `index`: its index in the operand, and whether it lies there at all. */
function overWindow(
  k: Kernel,
  from: KnownSizes,
  w: Windows,
  index: readonly string[],
  body: (at: readonly string[], inside: string) => void,
): void {
  nest(k, w.windowDimensions, inner => {
    const conditions: string[] = [];
    const at = from.map((size, d) => {
      const dilation = w.baseDilations[d]!;
      const place = k.let(
        'int64_t',
        `${index[d]} * ${w.windowStrides[d]} + ${inner[d]} * ${w.windowDilations[d]} - (${w.padding[d]![0]})`,
      );
      if (dilation === 1) {
        conditions.push(`${place} >= 0 && ${place} < ${size}`);
        return place;
      }
      conditions.push(`${place} >= 0 && ${place} % ${dilation} == 0 && ${place} / ${dilation} < ${size}`);
      return k.let('int64_t', `${place} / ${dilation}`);
    });
    body(at, conditions.length === 0 ? '1' : conditions.join(' && '));
  });
}

export function reduceWindow(step: Step, op: Op<'reduce_window'>): void {
  const n = op.operands.length / 2;
  const inputs = op.operands.slice(0, n);
  const region = op.regions[0];
  const argType = (i: number): ElementType => tensorTypeOf(region.args[i]!).elementType;
  const from = step.known(step.agreedSizes(inputs.map(v => step.sizes(v))));
  const counts = windowCounts(step, from, op.attributes);
  const pointers = op.results.map(v => step.result(v, counts).pointer);
  const known = step.known(step.sizes(op.results[0]));
  const inits = op.operands.slice(n).map((v, i) => converted(step.atom(v), tensorTypeOf(v).elementType, argType(i)));
  step.overIndices(
    known,
    (k, index) => {
      const partials = inits.map((init, i) => {
        const name = k.name('p');
        k.out.line(`${registerType(argType(i))} ${name} = ${init};`);
        return name;
      });
      overWindow(k, from, op.attributes, index, (at, inside) => {
        // what lies outside is the initial value, and is combined like any element
        const elements = inputs.map((v, i) => {
          const name = k.name();
          const type = argType(n + i);
          k.out.line(`${registerType(type)} ${name} = ${inits[i]};`);
          k.block(`if (${inside})`, () =>
            k.out.line(`${name} = ${converted(step.at(k, v, at), tensorTypeOf(v).elementType, type)};`),
          );
          return name;
        });
        const after = printRegion(k.out, region, [...partials, ...elements], k.name('r'), v => step.atom(v));
        assign(k, partials, after, argType);
      });
      partials.forEach((p, i) => {
        const { elementType } = tensorTypeOf(op.results[i]!);
        k.out.line(`${pointers[i]}[${linearText(known, index)}] = ${stored(elementType, p)};`);
      });
    },
    false,
  );
}

/** New values for several variables at once. */
function assign(
  k: Kernel,
  names: readonly string[],
  values: readonly string[],
  typeOf: (i: number) => ElementType,
): void {
  const fresh = names.length === 1 ? values : values.map((v, i) => k.let(registerType(typeOf(i)), `(${v})`));
  names.forEach((name, i) => {
    k.out.line(`${name} = ${fresh[i]};`);
  });
}

export function selectAndScatter(step: Step, op: Op<'select_and_scatter'>): void {
  const [x, source, init] = op.operands;
  const [select, scatter] = op.regions;
  const from = step.known(step.sizes(x));
  const ones = from.map(() => 1);
  const w: Windows = { ...op.attributes, baseDilations: ones, windowDilations: ones };
  const counts = step.known(step.agreedSizes([windowCounts(step, from, w), step.sizes(source)]));
  const result = op.results[0];
  const { pointer } = step.result(result, from);
  const type = tensorTypeOf(result).elementType;
  const elementType = tensorTypeOf(x).elementType;
  const start = stored(type, converted(step.atom(init), tensorTypeOf(init).elementType, type));
  step.overFlat(step.count(from), (k, i) => k.out.line(`${pointer}[${i}] = ${start};`));
  const outer = (v: Value): string => step.atom(v);
  const k = new Kernel();
  nest(k, counts, index => {
    k.out.line('int64_t selected = -1;');
    k.out.line(`${registerType(elementType)} best = 0;`);
    overWindow(k, from, w, index, (at, inside) => {
      k.block(`if (${inside})`, () => {
        const candidate = step.at(k, x, at);
        k.out.line('int keeps = 0;');
        k.block('if (selected >= 0)', () => {
          const [kept] = printRegion(k.out, select!, ['best', candidate], k.name('r'), outer);
          k.out.line(`keeps = ${kept};`);
        });
        k.block('if (!keeps)', () => {
          k.out.line(`selected = ${linearText(from, at)};`);
          k.out.line(`best = ${candidate};`);
        });
      });
    });
    k.block('if (selected >= 0)', () => {
      const old = k.let(registerType(type), loaded(type, `${pointer}[selected]`));
      const given = step.at(k, source, index);
      const added = k.let(registerType(type), converted(given, tensorTypeOf(source).elementType, type));
      const [sum] = printRegion(k.out, scatter!, [old, added], k.name('r'), outer);
      k.out.line(`${pointer}[selected] = ${stored(type, sum!)};`);
    });
  });
  step.launch(k, step.bind('int64_t', `${step.count(counts)} > 0`));
}
