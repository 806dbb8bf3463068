// Prints the stages of one row: a pass over the inner loops for each, with what they reduce and what they write. Not the
// loops over rows, nor how they are cut into tasks (rows.ts).
import { elementBytes } from '../../hlo/types.ts';
import { loaded, registerBytes, registerType, storedExactly, valueText } from '../emit/c-types.ts';
import { blockSize, isBlockCall, printBlockLoop } from './blocks.ts';
import { type Combiner, printRegion } from './combine.ts';
import { Deferred } from './deferred.ts';
import { add, coefficientOf, type Loop, loopIndex, scale } from './index-expr.ts';
import { foldLanes, LaneSet, lanesFor, startLanes, vectorLanes } from './lanes.ts';
import {
  canonicalIndex,
  clausesOf,
  type Nest,
  type Output,
  reductionsIn,
  simpleCombiner,
  stageOf,
  workOf,
} from './nest.ts';
import { argsOf, dataNodesOf, indicesOf, maskOf, type Node, type NodeOf, type Reduction, usesOf } from './node.ts';
import { atom, closure, declare, indexText, loopName, type RandomText } from './print.ts';
import { Writer } from './writer.ts';

/** Recompute up to this much work in a later stage rather than keep a row of it. */
const cheap = 6;
/**
 * Lanes are as many as a vector has f32. Where smaller types take part, gcc would want more elements at a time than a block
 * of lanes has and give up: then the elements are computed in a loop of their own, and added from scratch.
 */
const laneBytes = 4;
const isNarrow = (n: Node): boolean =>
  n.kind === 'load' ? elementBytes(n.type) < laneBytes : n.type !== 'i1' && registerBytes(n.type) < laneBytes;
/** Elements of random bits made at a time. */
export const randomBlock = 4096;

/** One pass over the inner loops. */
export interface Pass {
  /** What is computed of each element, in order. */
  readonly nodes: readonly Node[];
  /** Those that `body` names. */
  readonly roots: readonly Node[];
  /** Elements may be taken in any order, several at a time. */
  readonly simd: boolean;
  /** Of the `omp simd` that goes over the elements, for reductions without lanes. */
  readonly clauses?: string;
  /** Prints what is done with an element; `lane` is its place among the lanes. */
  readonly body: (lane: string) => void;
  /** Bounds of loops that do not run over their whole size. */
  readonly ranges?: ReadonlyMap<Loop, readonly [from: string, to: string]>;
  /** As many as reductions have; 0 for none. */
  readonly lanes?: number;
}

export class RowPrinter {
  readonly out = new Writer();
  readonly nest: Nest;
  readonly required: readonly Node[];
  readonly innerMask: number;
  readonly overrides = new Map<Node, string>();
  readonly innermost: Loop | undefined;
  /** Nodes that indices refer to by name. */
  readonly dataNodes: ReadonlySet<Node>;
  /** The innermost loop runs from `lo` to `hi` instead of over its whole size. */
  readonly ranged: boolean;
  /** `lo` and `hi` are multiples of it. */
  readonly multiple: number;

  constructor(nest: Nest, required: readonly Node[], ranged: boolean, multiple = 1) {
    this.nest = nest;
    this.required = required;
    this.innerMask = maskOf(nest.inner);
    this.innermost = nest.inner.at(-1);
    this.ranged = ranged;
    this.multiple = multiple;
    this.dataNodes = new Set(required.flatMap(n => indicesOf(n).flatMap(dataNodesOf)));
  }

  isInner = (n: Node): boolean => (n.deps & this.innerMask) !== 0;
  readonly random: RandomText = node => {
    const at = this.bufferOf(node);
    if (at !== undefined) return `w${node.id}[${at}]`;
    const [key, low, high] = node.state.map(s => atom(s));
    const word = elementBytes(node.type) === 8 ? '2 * ' : '';
    const one = (offset: string): string =>
      `t_philox_word(${key}, ${low}, ${high}, (uint64_t)(${word}(${indexText(node.index)})${offset}))`;
    return word === '' ? one('') : `(${one('')} | (uint64_t)${one(' + 1')} << 32)`;
  };
  /** Where in its buffer of words an element of random bits is; undefined if it cannot be made ahead of the loop. */
  bufferOf(node: NodeOf<'random'>): string | undefined {
    const loop = this.innermost;
    if (loop === undefined || elementBytes(node.type) === 8 || loop.size < 8) return undefined;
    if (!this.ranged && loop.size > randomBlock) return undefined;
    if (coefficientOf(node.index, loop) !== 1 || node.state.some(s => this.isInner(s))) return undefined;
    return this.ranged ? `${loopName(loop)} - lo` : loopName(loop);
  }

  /** The stages of one row. With `mayDefer` the last one may be left to `deferred`. */
  row(mayDefer = false): void {
    const { nest, required } = this;
    const stages = Math.max(0, ...required.map(n => n.stage), ...nest.outputs.map(stageOf));
    const declared = new Set<Node>();
    for (let stage = 0; stage <= stages; stage++) {
      for (const n of required) {
        if (n.stage !== stage || this.isInner(n) || n.kind === 'literal' || this.isHoisted(n)) continue;
        declare(this.out, n, this.overrides, this.random);
        declared.add(n);
      }
      for (const o of nest.outputs) if (stageOf(o) === stage && !this.isInnerOutput(o)) this.store(o);
      if (stage === stages && this.deferred !== undefined) this.deferred.handOver(this.out);
      else this.stage(stage, stages, mayDefer && stage === stages - 1);
    }
  }
  /** Known before the row loop: declared at the head of the task. */
  isHoisted = (n: Node): boolean => n.deps === 0 && n.stage === 0 && n.kind !== 'reduced';
  isInnerOutput = (o: Output): boolean => ((o.node.deps | usesOf(o.index).deps) & this.innerMask) !== 0;

  store(o: Output): void {
    this.out.line(`p${o.slot}[${indexText(o.index)}] = ${storedExactly(o.type, atom(o.node, this.overrides))};`);
  }

  /** The last stage, where it runs beside the next row's stages; see deferred.ts. */
  deferred: Deferred | undefined;

  stage(stage: number, last: number, mayDefer: boolean): void {
    const { nest, required } = this;
    const reductions = reductionsIn(required).filter(r => r.stage === stage);
    const outputs = nest.outputs.filter(o => stageOf(o) === stage && this.isInnerOutput(o));
    if (reductions.length === 0 && outputs.length === 0) return;
    const roots = [...outputs.map(o => o.node), ...reductions.flatMap(r => r.inputs)];
    const known = (n: Node): boolean => !this.isInner(n) || this.overrides.has(n);
    const nodes = closure(roots, known);
    const saved = stage === last ? [] : this.savedAfter(stage, nodes, outputs);
    const combiners = new Map(reductions.map(r => [r, simpleCombiner(r)]));
    const simd = reductions.every(r => combiners.get(r) !== undefined);
    const accumulated = (r: Reduction, k: number): string => `a${r.id}_${k}`;
    const lanes = simd && reductions.length > 0 && !this.ranged ? lanesFor(this.innermost) : 0;
    const sets = lanes === 0 ? [] : reductions.map(r => new LaneSet(r, combiners.get(r)!.lanes, lanes));
    const apart = lanes > 0 && (nodes.some(isNarrow) || outputs.some(o => elementBytes(o.type) < laneBytes));
    if (apart)
      for (const { inputs } of reductions)
        for (const n of inputs) if (this.isInner(n) && !saved.some(([m]) => m === n)) saved.push(this.#keep(n));
    if (mayDefer && lanes > 0 && !apart && saved.length > 0)
      this.deferred = Deferred.of({
        nest,
        outputs: nest.outputs.filter(o => stageOf(o) === last),
        saved: saved.map(([node, text]) => ({ node, text })),
        overrides: this.overrides,
        random: this.random,
        isInner: this.isInner,
        isHoisted: this.isHoisted,
      });
    startLanes(this.out, sets, lanes);
    for (const r of lanes === 0 ? reductions : []) {
      r.inputs.forEach((input, k) => {
        const combiner = combiners.get(r);
        this.out.line(
          combiner
            ? `${combiner.type} ${accumulated(r, k)} = ${combiner.identity};`
            : `${registerType(input.type)} ${accumulated(r, k)} = ${atom(r.inits[k]!, this.overrides)};`,
        );
      });
    }
    const add = (lane: string): void => {
      for (const set of sets) set.update(this.out, atom(set.reduction.inputs[0]!, this.overrides), lane);
    };
    const body = (lane: string): void => {
      for (const [n, text] of saved) this.out.line(`${text} = ${atom(n, this.overrides)};`);
      for (const o of outputs) this.store(o);
      if (lanes === 0) for (const r of reductions) this.update(r, combiners.get(r), accumulated);
      else if (!apart) add(lane);
      this.deferred?.beside(this.out);
    };
    const clauses = simd && lanes === 0 ? clausesOf(reductions, combiners) : '';
    this.loops({ nodes, roots: [...roots, ...saved.map(([n]) => n)], simd, clauses, body, lanes: apart ? 0 : lanes });
    if (apart) {
      for (const [n, text] of saved) this.overrides.set(n, text);
      this.loops({ nodes: [], roots: [], simd, body: add, lanes });
    }
    foldLanes(this.out, sets, lanes);
    const total = (r: Reduction, k: number): string =>
      sets.find(set => set.reduction === r)?.result() ?? accumulated(r, k);
    for (const [n, text] of saved) this.overrides.set(n, text);
    for (const o of outputs) {
      if (!this.overrides.has(o.node) && o.node.kind !== 'literal' && this.isInner(o.node))
        this.overrides.set(o.node, loaded(o.type, `p${o.slot}[${indexText(o.index)}]`));
    }
    for (const r of reductions) {
      r.inputs.forEach((input, k) => {
        const combiner = combiners.get(r);
        this.out.line(
          `const ${registerType(input.type)} r${r.id}_${k} = ${combiner ? this.finished(combiner, r.inits[k]!, total(r, k)) : total(r, k)};`,
        );
      });
    }
  }

  finished(combiner: Combiner, init: Node, partial: string): string {
    const start = atom(init, this.overrides);
    const isIdentity = init.kind === 'literal' && sameNumber(valueText(init.type, init.value), combiner.identity);
    return combiner.finish(isIdentity ? partial : `(${combiner.type})(${combiner.combine(start, partial)})`);
  }

  update(r: Reduction, combiner: Combiner | undefined, name: (r: Reduction, k: number) => string): void {
    if (combiner) {
      this.out.line(`${name(r, 0)} = ${combiner.combine(name(r, 0), atom(r.inputs[0]!, this.overrides))};`);
      return;
    }
    this.out.open('');
    const captured = new Map(r.captured);
    const args = [...r.inputs.map((_, k) => name(r, k)), ...r.inputs.map(n => atom(n, this.overrides))];
    const results = printRegion(this.out, r.region, args, `c${r.id}`, v => atom(captured.get(v)!, this.overrides));
    results.forEach((text, k) => {
      this.out.line(`const ${registerType(r.inputs[k]!.type)} n${k} = ${text};`);
    });
    results.forEach((_, k) => {
      this.out.line(`${name(r, k)} = n${k};`);
    });
    this.out.close();
  }

  /** The inner loops around `body`, with each node declared in the outermost loop that knows its arguments. */
  loops(pass: Pass): void {
    const { nodes, simd, clauses = '', body, ranges, lanes = 0 } = pass;
    const inner = this.nest.inner.filter(l => l.size !== 1);
    const level = (n: Node): number => inner.reduce((deepest, l, i) => ((n.deps >> l.id) & 1 ? i + 1 : deepest), 0);
    const at = (depth: number): Node[] => nodes.filter(n => level(n) === depth + 1 && n.kind !== 'literal');
    const put = (n: Node): void => declare(this.out, n, this.overrides, this.random);
    let open = 0;
    for (const [depth, loop] of inner.entries()) {
      const isInnermost = depth === inner.length - 1;
      const [from, to] = ranges?.get(loop) ?? (isInnermost && this.ranged ? ['lo', 'hi'] : ['0', String(loop.size)]);
      if (isInnermost) {
        for (const n of nodes) if (n.kind === 'random' && this.bufferOf(n) !== undefined) this.fill(n, loop);
        const isRanged = this.ranged || ranges?.has(loop) === true;
        const isNarrowPass = nodes.some(isNarrow) || this.nest.outputs.some(o => elementBytes(o.type) < laneBytes);
        const size =
          lanes > 0 || !at(depth).some(isBlockCall) ? lanes : blockSize(loop, isNarrowPass, isRanged, clauses !== '');
        if (size > 0) {
          const { multiple, overrides, out } = this;
          const [own, roots] = [at(depth), new Set(pass.roots)];
          const pragma = simd ? clauses : undefined;
          printBlockLoop(out, {
            loop,
            size,
            part: lanes > 0 ? Math.min(vectorLanes, size) : size,
            from,
            to,
            multiple,
            pragma,
            nodes: own,
            roots,
            overrides,
            declare: put,
            body,
          });
          break;
        }
        if (simd) this.out.line(`#pragma omp simd${clauses}`);
      }
      this.out.open(`for (int64_t ${loopName(loop)} = ${from}; ${loopName(loop)} < ${to}; ${loopName(loop)}++)`);
      open++;
      at(depth).forEach(put);
      if (isInnermost) body('');
    }
    if (inner.length === 0) {
      this.out.open('');
      open++;
      body('');
    }
    for (; open > 0; open--) this.out.close();
  }

  fill(n: NodeOf<'random'>, loop: Loop): void {
    const count = this.ranged ? 'hi - lo' : String(loop.size);
    const first = add(n.index, scale(loopIndex(loop), -1));
    this.out.line(`uint32_t w${n.id}[${this.ranged ? Math.min(loop.size, randomBlock) : loop.size}];`);
    const from = `${indexText(first)}${this.ranged ? ' + lo' : ''}`;
    this.out.line(`t_philox_fill(${n.state.map(s => atom(s)).join(', ')}, (uint64_t)(${from}), ${count}, w${n.id});`);
  }

  /** Values of this stage that later ones need and that are too dear to compute again: each with its place in scratch. */
  savedAfter(stage: number, nodes: readonly Node[], outputs: readonly Output[]): [Node, string][] {
    const here = new Set(nodes);
    const later = new Set(closure(this.laterRoots(stage), n => !this.isInner(n) || this.overrides.has(n)));
    const usedLater = new Set<Node>(this.laterRoots(stage));
    for (const n of later) if (!here.has(n)) for (const a of argsOf(n)) usedLater.add(a);
    const storedHere = new Set(outputs.map(o => o.node));
    const saved: [Node, string][] = [];
    for (const n of nodes) {
      if (
        !usedLater.has(n) ||
        workOf(closure([n], m => !this.isInner(m) || this.overrides.has(m))) <= cheap ||
        storedHere.has(n) ||
        n.kind === 'literal' ||
        this.overrides.has(n) ||
        this.dataNodes.has(n)
      )
        continue;
      saved.push(this.#keep(n));
    }
    return saved;
  }
  /** A node's place in a row of scratch. */
  #keep(n: Node): [Node, string] {
    this.scratch.push(n);
    return [n, `s${n.id}[${indexText(canonicalIndex(this.nest.inner))}]`];
  }
  readonly scratch: Node[] = [];

  laterRoots(stage: number): Node[] {
    return [
      ...this.nest.outputs.filter(o => stageOf(o) > stage && this.isInnerOutput(o)).map(o => o.node),
      ...reductionsIn(this.required)
        .filter(r => r.stage > stage)
        .flatMap(r => r.inputs),
    ];
  }
}

const sameNumber = (a: string, b: string): boolean => {
  const clean = (t: string): number =>
    Number(
      t
        .replace(/^\((.*)\)$/, '$1')
        .replace(/[fu]$/, '')
        .replace('__builtin_inff()', 'Infinity')
        .replace('__builtin_inf()', 'Infinity'),
    );
  // what is no plain number here equals nothing but itself
  return a === b || (!Number.isNaN(clean(a)) && Object.is(clean(a), clean(b)));
};
