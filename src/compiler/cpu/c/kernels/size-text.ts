// Sizes as C: numbers, or names of quantities that a function computes at its head from the sizes that it is passed.
import { assertNever } from '../../../../base/errors.ts';
import { type Extent, largestInteger, type Quantity, type QuantityGraph } from '../../../ir/extent.ts';

export const sizeText = (e: Extent): string => (typeof e === 'number' ? String(e) : `size${e.id}`);
/** More than one, or not known to be one. */
export const isMany = (e: Extent): boolean => typeof e !== 'number' || e > 1;

/** The code of functions, each of which computes the quantities that it uses from the sizes in entry `slot` of p[]. */
export function withQuantities(code: string, graph: QuantityGraph, slot: number): string {
  return code
    .split(/^(?=static )/m)
    .map(text => {
      const lines = declarations(text, graph, slot);
      if (lines.length === 0) return text;
      const [head] = /^static .*\{\n(?:(?: {2}const t_call .*\n)? {2}char \*const \*const p = .*\n)?/.exec(text) ?? [
        '',
      ];
      return [head, ...lines.map(line => `  ${line}\n`), text.slice(head.length)].join('');
    })
    .join('');
}

function declarations(text: string, graph: QuantityGraph, slot: number): string[] {
  const used = new Set<Quantity>();
  const use = (e: Extent): void => {
    if (typeof e === 'number' || used.has(e)) return;
    used.add(e);
    argsOf(e).forEach(use);
  };
  for (const [, id] of text.matchAll(/\bsize(\d+)\b/g)) use(graph.quantities[Number(id)]!);
  if (used.size === 0) return [];
  const lines = [...used]
    .sort((a, b) => a.id - b.id)
    .map(q => `const ${q.isReal ? 'double' : 'int64_t'} ${sizeText(q)} = ${quantityText(q)};`);
  return [`const int64_t *const sizes = (const int64_t *)p[${slot}];`, ...lines];
}

function argsOf(q: Quantity): readonly Extent[] {
  switch (q.kind) {
    case 'size':
      return [];
    case 'product':
      return q.of;
    case 'operation':
      return q.args;
    case 'rounding':
      return [q.of];
    case 'select':
      return [q.a, q.b, q.onTrue, q.onFalse];
    default:
      return assertNever(q);
  }
}

function quantityText(q: Quantity): string {
  switch (q.kind) {
    case 'size':
      return `sizes[${q.position}]`;
    case 'product':
      return [...(q.factor === 1 ? [] : [q.factor]), ...q.of.map(sizeText)].join(' * ');
    case 'select':
      return `${sizeText(q.a)} >= ${sizeText(q.b)} ? ${sizeText(q.onTrue)} : ${sizeText(q.onFalse)}`;
    case 'operation': {
      const [a, b] = [sizeText(q.args[0]), sizeText(q.args[1])];
      switch (q.name) {
        case 'add':
          return `${a} + ${b}`;
        case 'times':
          return `${a} * ${b}`;
        case 'quotient':
          return `(double)${a} / ${b}`;
        case 'ceilDiv':
          return `${b} > 0 ? (${a} + ${b} - 1) / ${b} : 0`;
        case 'min':
          return `${a} < ${b} ? ${a} : ${b}`;
        case 'max':
          return `${a} > ${b} ? ${a} : ${b}`;
        default:
          return assertNever(q);
      }
    }
    case 'rounding': {
      const a = sizeText(q.of);
      const whole = `(${a} < ${largestInteger} ? (int64_t)${a} : ${largestInteger})`;
      switch (q.name) {
        case 'floor':
          return whole;
        case 'ceil':
          return `${whole} + ((double)${whole} < ${a})`;
        case 'round':
          return `${a} < ${largestInteger} ? (int64_t)(${a} + 0.5) : ${largestInteger}`;
        default:
          return assertNever(q);
      }
    }
    default:
      return assertNever(q);
  }
}
