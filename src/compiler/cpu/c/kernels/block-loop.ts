// The innermost loop in blocks of a fixed number of elements: the lanes that reductions keep in parallel, or the block size of a
// function that cannot be expressed as scalar C (c/scalar/math-tables.ts). Around the calls of such functions the block's body is
// split into loops, and the values passed between them are stored in arrays as long as the block, which the C compiler keeps in
// registers if a block is a vector:
//
//   for each block:  x[lane] = v1 …  │  t_erf_16(x, r)  │  … r[lane] …, stored

import type { Loop } from '../../../ir/index-expr.ts';
import { argsOf, dataNodesOf, type Node } from '../../../ir/node.ts';
import { type BlockCall, isBlockCall } from '../../kernels/inner-loop-plan.ts';
import { blockElements } from '../../target/registers.ts';
import { registerType } from '../scalar/c-types.ts';
import { lookUpOf } from '../scalar/math-tables.ts';
import type { Writer } from '../writer.ts';
import { atom, loopName } from './node-text.ts';

/** One of the loops over a block. */
interface Segment {
  /** Nodes computed in it. */
  readonly nodes: readonly Node[];
  /** Nodes computed by an earlier loop, and used here. */
  readonly reads: readonly Node[];
  /** Nodes computed here, and used in a later loop. */
  readonly keeps: readonly Node[];
  /** Called after it. */
  readonly calls: readonly BlockCall[];
}

/** Loads from memory that can be repeated instead of stored. */
const isPlainLoad = (n: Node): boolean =>
  n.kind === 'load' && n.guards.length === 0 && dataNodesOf(n.index).length === 0;

/** Places each node as late as its users allow. `roots` are used by the last segment. */
function segmentsOf(nodes: readonly Node[], roots: ReadonlySet<Node>): Segment[] {
  const own = new Set(nodes);
  const calledAfter = new Map<Node, number>();
  const earliest = new Map<Node, number>();
  for (const n of nodes) {
    const at = Math.max(
      0,
      ...argsOf(n).map(a => (calledAfter.has(a) ? calledAfter.get(a)! + 1 : (earliest.get(a) ?? 0))),
    );
    earliest.set(n, at);
    if (isBlockCall(n)) calledAfter.set(n, at);
  }
  const last = Math.max(...[...calledAfter.values()].map(at => at + 1), 0);
  const uses = new Map<Node, Set<number>>();
  const use = (n: Node, at: number): void => {
    if (!own.has(n)) return;
    const known = uses.get(n);
    if (known === undefined) uses.set(n, new Set([at]));
    else known.add(at);
  };
  for (const n of roots) use(n, last);
  const place = new Map<Node, number>();
  for (const n of [...nodes].reverse()) {
    const at = calledAfter.get(n) ?? Math.min(last, ...(uses.get(n) ?? []));
    place.set(n, at);
    for (const a of argsOf(n)) use(a, at);
  }
  return Array.from({ length: last + 1 }, (_, at) => {
    const usedHere = nodes.filter(n => uses.get(n)?.has(at) && (isBlockCall(n) || place.get(n)! < at));
    return {
      nodes: nodes.filter(n => !isBlockCall(n) && (place.get(n) === at || (usedHere.includes(n) && isPlainLoad(n)))),
      reads: usedHere.filter(n => !isPlainLoad(n)),
      keeps: nodes.filter(
        n =>
          !isBlockCall(n) &&
          !isPlainLoad(n) &&
          place.get(n) === at &&
          [...(uses.get(n) ?? [])].some(later => later > at),
      ),
      calls: nodes.filter(isBlockCall).filter(n => calledAfter.get(n) === at),
    };
  });
}

export interface BlockLoop {
  readonly loop: Loop;
  /** Elements of a block. */
  readonly size: number;
  /** The number of elements of each of the loops over a block. */
  readonly part: number;
  /** The bounds: numbers as text, or names if they are known only at run time. */
  readonly from: string;
  readonly to: string;
  /** `from` and `to` are multiples of it. */
  readonly multiple: number;
  /** The pragma of each loop over elements; undefined if they are not vector loops. */
  readonly pragma: string | undefined;
  /** All nodes of an element, in order. */
  readonly nodes: readonly Node[];
  /** Nodes that `body` uses. */
  readonly roots: ReadonlySet<Node>;
  readonly overrides: ReadonlyMap<Node, string>;
  declare(node: Node): void;
  /** Prints the use of an element; `lane` is its position in the block. */
  body(lane: string): void;
}

export function printBlockLoop(out: Writer, b: BlockLoop): void {
  const segments = segmentsOf(b.nodes, b.roots);
  const name = loopName(b.loop);
  const hasArrays = segments.length > 1;
  /** Elements `first` to `end`, of the block that begins at `start`. */
  const elements = (
    first: string,
    end: string,
    count: number | string,
    pragma: string | undefined,
    start = first,
  ): void => {
    const longest = typeof count === 'string' ? b.part : count;
    if (hasArrays) declareArrays(out, segments, longest, typeof count === 'string');
    const lane = `${name} - ${first}`;
    segments.forEach((segment, at) => {
      if (pragma !== undefined) out.line(`#pragma omp simd${at === segments.length - 1 ? pragma : ''}`);
      out.open(`for (int64_t ${name} = ${first}; ${name} < ${end}; ${name}++)`);
      for (const n of segment.reads) out.line(`const ${registerType(n.type)} ${atom(n)} = ${array(n)}[${lane}];`);
      for (const n of segment.nodes) b.declare(n);
      for (const n of segment.keeps) out.line(`${array(n)}[${lane}] = ${atom(n)};`);
      for (const n of segment.calls) out.line(`${argument(n)}[${lane}] = ${atom(n.args[0]!, b.overrides)};`);
      if (at === segments.length - 1) b.body(`${name} - ${start}`);
      out.close();
      for (const n of segment.calls) printCall(out, n, count);
    });
  };
  const wholeBlock = (): void => {
    if (b.part === b.size) {
      elements('block', `block + ${b.size}`, b.size, b.pragma);
      return;
    }
    // unrolled, so that each part's lanes have separate registers
    out.line(`#pragma GCC unroll ${b.size / b.part}`);
    out.open(`for (int64_t part = block; part < block + ${b.size}; part += ${b.part})`);
    elements('part', `part + ${b.part}`, b.part, b.pragma, 'block');
    out.close();
  };
  const [from, to] = [Number(b.from), Number(b.to)];
  if (Number.isInteger(from) && Number.isInteger(to)) {
    const whole = to - ((to - from) % b.size);
    if (whole > from) {
      out.open(`for (int64_t block = ${from}; block < ${whole}; block += ${b.size})`);
      wholeBlock();
      out.close();
    }
    if (whole === to) return;
    if (hasArrays) out.open('');
    elements(String(whole), b.to, to - whole, b.pragma);
    if (hasArrays) out.close();
    return;
  }
  const hasRest = b.multiple % b.size !== 0;
  out.open(`for (int64_t block = ${b.from}; block${hasRest ? ` + ${b.size} <=` : ' <'} ${b.to}; block += ${b.size})`);
  wholeBlock();
  out.close();
  if (!hasRest) return;
  out.open(`for (int64_t block = ${b.to} - (${b.to} - ${b.from}) % ${b.size}; block < ${b.to}; block = ${b.to})`);
  // even at its maximum length too short to be worth vectorizing
  elements('block', b.to, `${b.to} - block`, undefined);
  out.close();
}

const array = (n: Node): string => `b${n.id}`;
const argument = (n: Node): string => `x${n.id}`;

function declareArrays(out: Writer, segments: readonly Segment[], longest: number, isPartial: boolean): void {
  const length = Math.ceil(longest / blockElements) * blockElements;
  const arrays = new Map<string, string[]>();
  const add = (n: Node, text: string): void => {
    const type = registerType(n.type);
    arrays.set(type, [...(arrays.get(type) ?? []), text]);
  };
  for (const { keeps, calls } of segments) {
    for (const n of keeps) add(n, `${array(n)}[${length}]`);
    // a function reads all elements of a block
    for (const n of calls)
      add(n, `${argument(n)}[${length}]${isPartial || length > longest ? ' = {0}' : ''}, ${array(n)}[${length}]`);
  }
  for (const [type, texts] of arrays) out.line(`_Alignas(64) ${type} ${texts.join(', ')};`);
}

function printCall(out: Writer, n: BlockCall, count: number | string): void {
  const { block } = lookUpOf(n.op, n.type)!;
  if (typeof count === 'number' && count <= blockElements) {
    out.line(`${block}(${argument(n)}, ${array(n)});`);
    return;
  }
  out.line(
    `for (int64_t part = 0; part < ${count}; part += ${blockElements}) ${block}(${argument(n)} + part, ${array(n)} + part);`,
  );
}
