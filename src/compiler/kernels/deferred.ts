// The last stage of a row that waits for a divider, run beside the stage before it of the next row, which does not use it:
//
//   row 0   max   exp, sum                 softmax: a division takes as long as a third of an exponential, but by a part
//   row 1         max   exp, sum │ 0: x/d  of the processor that is idle meanwhile
//   row 2                     max   exp, sum │ 1: x/d
//
// Only where that stage reads nothing but scratch and what is one value a row: then what it makes of the first row beside
// itself, which has no row before it, is a number that the row's own values replace.
import { registerBytes, registerType, storedExactly } from '../emit/c-types.ts';
import { isBlockCall } from './blocks.ts';
import { decodeLoops, type Nest, type Output, sizeOf, workOf } from './nest.ts';
import type { Node } from './node.ts';
import { atom, closure, declare, indexText, loopName, type RandomText } from './print.ts';
import type { Writer } from './writer.ts';

/** A value of each element in a row of scratch, and where in it. */
export interface Saved {
  readonly node: Node;
  readonly text: string;
}
interface Question {
  readonly nest: Nest;
  readonly outputs: readonly Output[];
  readonly saved: readonly Saved[];
  readonly overrides: ReadonlyMap<Node, string>;
  readonly random: RandomText;
  isInner(node: Node): boolean;
  isHoisted(node: Node): boolean;
}

/** Work of an element, in additions, for which it pays: that of a division. */
const leastWork = 4;
/** Two rows of scratch stay in the first cache. */
const longestRow = 4096;

export class Deferred {
  readonly #nest: Nest;
  readonly #outputs: readonly Output[];
  readonly saved: readonly Saved[];
  readonly #nodes: readonly Node[];
  /** One value a row, kept until the row after it. */
  readonly #uniform: readonly Node[];
  readonly #overrides: ReadonlyMap<Node, string>;
  readonly #random: RandomText;

  private constructor(q: Question, nodes: readonly Node[], uniform: readonly Node[]) {
    this.#nest = q.nest;
    this.#outputs = q.outputs;
    this.saved = q.saved;
    this.#nodes = nodes;
    this.#uniform = uniform;
    this.#random = q.random;
    const before = q.saved.map(({ node, text }) => [node, text.replace(scratchName(node), beforeName(node))] as const);
    this.#overrides = new Map([...q.overrides, ...before]);
  }

  static of(q: Question): Deferred | undefined {
    const saved = new Set(q.saved.map(s => s.node));
    const roots = q.outputs.map(o => o.node);
    const nodes = closure(roots, n => !q.isInner(n) || saved.has(n));
    const uniform = closure(roots, n => saved.has(n)).filter(
      n => !q.isInner(n) && !q.isHoisted(n) && isUsedBy(nodes, n),
    );
    const inner = q.nest.inner.filter(l => l.size !== 1);
    const fits =
      inner.length === 1 &&
      sizeOf(inner) <= longestRow &&
      workOf(nodes) >= leastWork &&
      nodes.every(n => n.kind === 'expression' && !isBlockCall(n)) &&
      q.outputs.every(o => q.isInner(o.node));
    return fits ? new Deferred(q, nodes, uniform) : undefined;
  }

  /** Before the loop over rows, the first of which is `first`. */
  declare(out: Writer, first: string): void {
    for (const { node } of this.saved) {
      const width = apart(sizeOf(this.#nest.inner), registerBytes(node.type));
      const rows = `${scratchName(node)}_rows`;
      const c = registerType(node.type);
      out.line(
        `_Alignas(64) ${c} ${rows}[2][${width}], *${scratchName(node)} = ${rows}[0], *${beforeName(node)} = ${rows}[0];`,
      );
    }
    for (const n of this.#uniform) out.line(`${registerType(n.type)} ${valueBefore(n)} = 1;`);
    out.line(`int64_t before = ${first};`);
  }
  /** An element of the row before, in a loop that computes one of this row. */
  beside(out: Writer): void {
    out.open('');
    this.#start(out);
    this.#element(out);
    out.close();
  }
  /** At the end of a row. */
  handOver(out: Writer): void {
    out.line('before = row;');
    for (const n of this.#uniform) out.line(`${valueBefore(n)} = ${atom(n, this.#overrides)};`);
    for (const { node } of this.saved) {
      const [name, rows] = [scratchName(node), `${scratchName(node)}_rows`];
      out.line(`${beforeName(node)} = ${name};`);
      out.line(`${name} = ${name} == ${rows}[0] ? ${rows}[1] : ${rows}[0];`);
    }
  }
  /** After the loop over rows: the last one's. */
  finish(out: Writer): void {
    const loop = this.#nest.inner.find(l => l.size !== 1)!;
    this.#start(out);
    out.line('#pragma omp simd');
    out.open(`for (int64_t ${loopName(loop)} = 0; ${loopName(loop)} < ${loop.size}; ${loopName(loop)}++)`);
    this.#element(out);
    out.close();
  }

  #start(out: Writer): void {
    decodeLoops(out, this.#nest.kept, 'before');
    for (const n of this.#uniform)
      out.line(`const ${registerType(n.type)} ${atom(n, this.#overrides)} = ${valueBefore(n)};`);
  }
  #element(out: Writer): void {
    for (const n of this.#nodes) if (n.kind !== 'literal') declare(out, n, this.#overrides, this.#random);
    for (const o of this.#outputs)
      out.line(`p${o.slot}[${indexText(o.index)}] = ${storedExactly(o.type, atom(o.node, this.#overrides))};`);
  }
}

const pageBytes = 4096;
/**
 * Elements from one row of scratch to the other. A load waits for a store to the same place of any page that is on its way
 * before it, so the rows must not lie at the same places of pages, nor nearly so.
 */
function apart(width: number, bytes: number): number {
  const near = pageBytes / 8;
  let elements = width;
  const place = (): number => (elements * bytes) % pageBytes;
  while (place() < near || place() > pageBytes - near) elements += near / bytes;
  return elements;
}

const isUsedBy = (nodes: readonly Node[], n: Node): boolean =>
  n.kind !== 'literal' && nodes.some(user => user.kind === 'expression' && user.args.includes(n));
const scratchName = (n: Node): string => `s${n.id}`;
const beforeName = (n: Node): string => `s${n.id}_before`;
const valueBefore = (n: Node): string => `v${n.id}_before`;
