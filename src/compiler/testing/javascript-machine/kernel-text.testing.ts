// For tests: the computation of a fused kernel, and multiplies, as the body of a JavaScript function of the operands p0, p1 …
//
//   for each index of the kept loops:       for each stage: values of the row, then its reductions over the reduced loops
//                                           at last every output, over the reduced loops again
import { identityOf } from '../../ir/accumulator.ts';
import type { Computation } from '../../ir/computation.ts';
import { numberOf } from '../../ir/extent.ts';
import type { Index, Loop, Term } from '../../ir/index-expr.ts';
import type { DotPlan } from '../../ir/multiply.ts';
import { type Output, reductionsIn } from '../../ir/nest.ts';
import { closure, type Guard, maskOf, type Node, type Reduction, usesOf } from '../../ir/node.ts';
import { refused } from './refusal.testing.ts';
import { combined, literalText, rounded, scalarText } from './scalar-text.testing.ts';

/** The statements in loops. */
const nested = (loops: readonly Loop[], body: readonly string[]): string[] => [
  ...loops.map(({ id, size }) => `for (let i${id} = 0; i${id} < ${numberOf(size)}; i${id}++) {`),
  ...body,
  ...loops.map(() => '}'),
];

export function fusedText({ loops, nodes, outputs }: Computation): string {
  const kept = loops.filter(l => !l.reduced).map(l => l.loop);
  const inner = loops.filter(l => l.reduced).map(l => l.loop);
  const innerMask = maskOf(inner);
  const isInner = (n: Node): boolean => (n.deps & innerMask) !== 0;
  const isInnerOutput = (o: Output): boolean => ((o.node.deps | usesOf(o.index).deps) & innerMask) !== 0;
  /** Values of an element that these need. */
  const perElement = (roots: readonly Node[]): string[] => closure(roots, n => !isInner(n)).flatMap(declaration);
  const row: string[] = [];
  const reductions = reductionsIn(nodes);
  for (let stage = 0; stage <= Math.max(0, ...nodes.map(n => n.stage)); stage++) {
    row.push(...nodes.filter(n => n.stage === stage && !isInner(n)).flatMap(declaration));
    for (const r of reductions.filter(r => r.stage === stage))
      row.push(...reductionText(r, inner, perElement(r.inputs)));
  }
  const [full, perRow] = [outputs.filter(isInnerOutput), outputs.filter(o => !isInnerOutput(o))];
  if (full.length > 0) row.push(...nested(inner, [...perElement(full.map(o => o.node)), ...full.map(store)]));
  return nested(kept, [...row, ...perRow.map(store)]).join('\n');
}

function reductionText(r: Reduction, inner: readonly Loop[], values: readonly string[]): string[] {
  const { accumulator } = r;
  const [input, init] = [r.inputs[0]!, r.inits[0]!];
  if (accumulator === undefined) throw refused('a reduction by a region of several ops');
  const { name, type } = accumulator;
  const add = `r${r.id} = ${combined(name, type, `r${r.id}`, valueText(input))};`;
  return [
    `let r${r.id} = ${literalText(identityOf(accumulator))};`,
    ...nested(inner, [...values, add]),
    `r${r.id} = ${rounded(type, combined(name, type, valueText(init), `r${r.id}`))};`,
  ];
}

const store = (o: Output): string => `p${o.slot}[${indexText(o.index)}] = ${valueText(o.node)};`;
const valueText = (n: Node): string => (n.kind === 'literal' ? literalText(n.value) : `n${n.id}`);
const declaration = (n: Node): string[] => (n.kind === 'literal' ? [] : [`const n${n.id} = ${nodeText(n)};`]);

function nodeText(n: Node): string {
  rounded(n.type, ''); // types that are not here are refused
  switch (n.kind) {
    case 'load': {
      const element = `p${n.slot}[${indexText(n.index)}]`;
      return n.guards.length === 0 ? element : `${guardText(n.guards)} ? ${element} : 0`;
    }
    case 'index':
      return indexText(n.index);
    case 'expression':
      return scalarText(
        n.op,
        n.args.map(valueText),
        n.args.map(a => a.type),
        n.type,
      );
    case 'guarded':
      return `${guardText(n.guards)} ? ${valueText(n.onTrue)} : ${valueText(n.onFalse)}`;
    case 'reduced':
      return `r${n.reduction.id}`;
    default:
      throw refused(`a ${n.kind}`);
  }
}

const indexText = ({ constant, terms }: Index): string =>
  [`${constant}`, ...terms.map(([c, t]) => `${c} * ${termText(t)}`)].join(' + ');
function termText(t: Term): string {
  switch (t.kind) {
    case 'loop':
      return `i${t.loop.id}`;
    case 'data':
      return valueText(t.node);
    case 'div':
      return `Math.trunc((${indexText(t.of)}) / ${numberOf(t.by)})`;
    case 'mod':
      return `((${indexText(t.of)}) % ${numberOf(t.by)})`;
    case 'scaled':
      throw refused('sizes that are known only at run time');
  }
}
const guardText = (guards: readonly Guard[]): string =>
  guards
    .map(({ index, low, high, modulus, remainder }) => {
      const at = `(${indexText(index)})`;
      const every = modulus === undefined ? '' : ` && ${at} % ${modulus} === ${remainder}`;
      return `${at} >= ${low} && ${at} < ${high}${every}`;
    })
    .join(' && ');

/** A sum of products for each element of operand `result`; products in f64. */
export function multiplyText({ spec, lhs, rhs }: DotPlan, slots: Record<'lhs' | 'rhs' | 'result', number>): string {
  const { elementType, resultType = elementType, compute, quantized } = spec;
  if (quantized !== undefined || compute !== undefined) throw refused('multiplies of quantized elements and of tf32');
  for (const type of [elementType, resultType]) rounded(type, '');
  const sizes = [...spec.batch.map(d => d.size), spec.m, spec.n];
  const loops = sizes.map((size, id): Loop => ({ id, size }));
  const [i, j] = [`i${spec.batch.length}`, `i${spec.batch.length + 1}`];
  const batch = (of: 'a' | 'b' | 'c'): string => spec.batch.map((d, id) => ` + ${d[of]} * i${id}`).join('');
  const a = `p${slots.lhs}[${lhs.offset}${batch('a')} + ${spec.a.m} * ${i} + ${spec.a.k} * k]`;
  const b = `p${slots.rhs}[${rhs.offset}${batch('b')} + ${spec.b.n} * ${j} + ${spec.b.k} * k]`;
  return nested(loops, [
    'let sum = 0;',
    `for (let k = 0; k < ${spec.k}; k++) sum += ${a} * ${b};`,
    `p${slots.result}[0${batch('c')} + ${spec.c.m} * ${i} + ${spec.c.n} * ${j}] = sum;`,
  ]).join('\n');
}
