// Nodes as C: each becomes one constant, declared in the outermost loop in which its arguments are known.
import { assertNever } from '../../../../base/errors.ts';
import { elementBytes } from '../../../../hlo/types.ts';
import type { Index, Loop, Term } from '../../../ir/index-expr.ts';
import type { Guard, Node, NodeOf } from '../../../ir/node.ts';
import { loaded, registerType, rounded, valueText } from '../scalar/c-types.ts';
import { lookUpOf } from '../scalar/math-tables.ts';
import { fromBitsText, scalarText, wordText } from '../scalar/scalar.ts';
import type { Writer } from '../writer.ts';
import { sizeText } from './size-text.ts';

/** The text of a node's value where it is used: the name of its constant, or its replacement (`overrides`). */
export function atom(node: Node, overrides?: ReadonlyMap<Node, string>): string {
  const override = overrides?.get(node);
  if (override !== undefined) return override;
  return node.kind === 'literal' ? valueText(node.type, node.value) : `v${node.id}`;
}

export const loopName = (loop: Loop): string => `i${loop.id}`;

export function indexText(index: Index): string {
  const parts: string[] = [];
  for (const [c, t] of index.terms) {
    const text = termText(t);
    parts.push(c === 1 ? text : c === -1 ? `-${text}` : `${c} * ${text}`);
  }
  if (index.constant !== 0 || parts.length === 0) parts.push(String(index.constant));
  return parts.join(' + ').replaceAll('+ -', '- ');
}
function termText(t: Term): string {
  switch (t.kind) {
    case 'loop':
      return loopName(t.loop);
    case 'data':
      return atom(t.node);
    case 'div':
      return `((${indexText(t.of)}) / ${sizeText(t.by)})`;
    case 'mod':
      return `((${indexText(t.of)}) % ${sizeText(t.by)})`;
    case 'scaled':
      return t.of === undefined ? sizeText(t.by) : `${sizeText(t.by)} * ${termText(t.of)}`;
  }
}

function guardText(guards: readonly Guard[]): string {
  const parts = guards.flatMap(g => {
    const text = `(${indexText(g.index)})`;
    return [
      ...(g.index.min < g.low ? [`${text} >= ${g.low}`] : []),
      ...(typeof g.high !== 'number' || g.index.max >= g.high ? [`${text} < ${sizeText(g.high)}`] : []),
      ...(g.modulus === undefined ? [] : [`${text} % ${sizeText(g.modulus)} == ${g.remainder}`]),
    ];
  });
  return parts.length === 0 ? '1' : parts.join(' && ');
}

/** Where an element of random bits comes from: a buffer filled before the loop, or the generator itself. */
export type RandomText = (node: NodeOf<'random'>) => string;

/** The value of a node as a C expression of its arguments' names. */
function nodeText(node: Node, overrides: ReadonlyMap<Node, string>, random: RandomText): string {
  switch (node.kind) {
    case 'load': {
      const text = loaded(node.type, `p${node.slot}[${indexText(node.index)}]`);
      return node.guards.length === 0 ? text : `(${guardText(node.guards)}) ? ${text} : 0`;
    }
    case 'literal':
      return valueText(node.type, node.value);
    case 'index':
      return indexText(node.index);
    case 'expression':
      return expressionText(
        node,
        node.args.map(a => atom(a, overrides)),
      );
    case 'product':
      // the sums that the multiply passes begin at element `offset`; see c/gemm/epilogue-printer.ts
      return rounded(node.type, `sums[${atom(node.position, overrides)} - offset]`);
    case 'guarded':
      return `(${guardText(node.guards)}) ? ${atom(node.onTrue, overrides)} : ${atom(node.onFalse, overrides)}`;
    case 'random': {
      const words = random(node);
      return elementBytes(node.type) === 8 ? fromBitsText(`(uint64_t)${words}`, node.type) : wordText(words, node.type);
    }
    case 'reduced':
      return `r${node.reduction.id}_${node.which}`;
    default:
      return assertNever(node);
  }
}

function expressionText({ op, type, args }: NodeOf<'expression'>, operands: readonly string[]): string {
  const lookUp = lookUpOf(op, type);
  if (lookUp !== undefined) return `${lookUp.one}(${operands[0]})`;
  return scalarText(
    op,
    operands,
    args.map(a => a.type),
    type,
  );
}

export function declare(out: Writer, node: Node, overrides: ReadonlyMap<Node, string>, random: RandomText): void {
  out.line(`const ${registerType(node.type)} v${node.id} = ${nodeText(node, overrides, random)};`);
}
