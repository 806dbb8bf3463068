// Prints the stages of one row (kernels/row-plan.ts): a pass over the inner loops for each, with its reductions and stores.
// The loops over rows and the split into tasks are in rows-printer.ts.

import { elementBytes } from '../../../../hlo/types.ts';
import { boundOf, divides, numberOf } from '../../../ir/extent.ts';
import { add, type Loop, loopIndex, scale } from '../../../ir/index-expr.ts';
import { canonicalIndex, type Nest, type Output } from '../../../ir/nest.ts';
import type { Node, NodeOf, Reduction } from '../../../ir/node.ts';
import { startsAtIdentity } from '../../../ir/node.ts';
import { randomBlock } from '../../ir/fused-kernel.ts';
import type { DeferredStage } from '../../ir/row.ts';
import { type InnerLoop, lanesOf, type RowPass, type RowPlan, RowValues } from '../../ir/row.ts';
import { loaded, registerType, storedExactly } from '../scalar/c-types.ts';
import { type Combiner, printRegion } from '../scalar/combiners.ts';
import { Writer } from '../writer.ts';
import { printBlockLoop } from './block-loop.ts';
import { Deferred } from './deferred-printer.ts';
import { foldLanes, LaneSet, laneCells, startLanes } from './lanes.ts';
import { clausesOf, simpleCombiner } from './loops.ts';
import { atom, declare, indexText, loopName, type RandomText } from './node-text.ts';
import { PieceSums, variableCells } from './pairwise-sums.ts';
import { sizeText } from './size-text.ts';

/** One pass over the inner loops. */
export interface Pass {
  /** The nodes computed for each element, in order. */
  readonly nodes: readonly Node[];
  /** Nodes that `body` uses. */
  readonly roots: readonly Node[];
  /** Elements may be taken in any order, several at a time. */
  readonly simd: boolean;
  /** The clauses of `omp simd`, for reductions without lanes. */
  readonly clauses?: string;
  /** Prints the use of an element; `lane` is its lane. */
  readonly body: (lane: string) => void;
  /** The bounds of loops that do not cover their whole size. */
  readonly ranges?: ReadonlyMap<Loop, readonly [from: string, to: string]>;
  readonly inner: InnerLoop;
  /** Printed after a loop, the innermost by default, or after at most `longest` of its steps. */
  readonly after?: { readonly loop?: Loop; readonly longest: number; print(steps: string): void };
}

export class RowPrinter {
  readonly out = new Writer();
  readonly nest: Nest;
  readonly values: RowValues;
  readonly overrides = new Map<Node, string>();
  readonly innermost: Loop | undefined;
  /** The innermost loop runs from `lo` to `hi` instead of over its whole size. */
  readonly ranged: boolean;
  /** `lo` and `hi` are multiples of it. */
  readonly multiple: number;

  constructor(nest: Nest, ranged: boolean, multiple = 1) {
    this.nest = nest;
    this.values = new RowValues(nest);
    this.innermost = nest.inner.at(-1);
    this.ranged = ranged;
    this.multiple = multiple;
  }

  readonly random: RandomText = node => {
    if (this.#buffered.has(node)) {
      const at = loopName(this.innermost!);
      return `w${node.id}[${this.ranged ? `${at} - lo` : at}]`;
    }
    const [key, low, high] = node.state.map(s => atom(s));
    const word = elementBytes(node.type) === 8 ? '2 * ' : '';
    const one = (offset: string): string =>
      `t_philox_word(${key}, ${low}, ${high}, (uint64_t)(${word}(${indexText(node.index)})${offset}))`;
    return word === '' ? one('') : `(${one('')} | (uint64_t)${one(' + 1')} << 32)`;
  };
  /** Random bits that are generated before the loop of the current pass. */
  #buffered: ReadonlySet<Node> = new Set();

  /** The stages of one row. */
  row(plan: RowPlan): void {
    plan.stages.forEach(({ uniform, uniformOutputs, pass }, stage) => {
      for (const n of uniform) declare(this.out, n, this.overrides, this.random);
      for (const o of uniformOutputs) this.store(o);
      if (this.deferred !== undefined && stage === plan.stages.length - 1) this.deferred.handOver(this.out);
      else if (pass !== undefined) this.#pass(pass, stage === plan.stages.length - 2 ? plan.deferred : undefined);
    });
  }

  store(o: Output): void {
    this.out.line(`p${o.slot}[${indexText(o.index)}] = ${storedExactly(o.type, atom(o.node, this.overrides))};`);
  }

  /** The last stage, if it runs together with the next row's stages. */
  deferred: Deferred | undefined;

  #pass(pass: RowPass, deferred: DeferredStage | undefined): void {
    const { reductions, outputs, nodes, saved, order, inner, apart } = pass;
    const lanes = lanesOf(order);
    const simd = order.kind !== 'given';
    const combiners = new Map(reductions.map(r => [r, simpleCombiner(r)]));
    const accumulated = (r: Reduction, k: number): string => `a${r.id}_${k}`;
    const sets = lanes === 0 ? [] : reductions.map(r => new LaneSet(r, combiners.get(r)!.lanes, lanes));
    const place = canonicalIndex(this.nest.inner);
    const scratch = (n: Node): string => `s${n.id}[${indexText(place)}]`;
    if (deferred !== undefined) this.deferred = new Deferred(this.nest, deferred, this.overrides, scratch, this.random);
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
    const sums =
      pass.pieces &&
      new PieceSums(
        this.out,
        pass.pieces,
        reductions,
        combiners,
        lanes === 0 ? variableCells : laneCells(this.out, lanes),
      );
    sums?.declare();
    const after = sums && { longest: pass.pieces!.each, print: (steps: string) => sums.after(steps) };
    const add = (lane: string): void => {
      for (const set of sets) set.update(this.out, atom(set.reduction.inputs[0]!, this.overrides), lane);
    };
    const body = (lane: string): void => {
      for (const n of saved) this.out.line(`${scratch(n)} = ${atom(n, this.overrides)};`);
      for (const o of outputs) this.store(o);
      if (lanes === 0) for (const r of reductions) this.update(r, combiners.get(r), accumulated);
      else if (apart === undefined) add(lane);
      this.deferred?.beside(this.out);
    };
    const clauses = order.kind === 'any' ? clausesOf(reductions, combiners) : '';
    const roots = [...pass.roots, ...saved];
    const isApart = apart !== undefined;
    this.loops({ nodes, roots, simd, clauses, body, inner, ...(after && !isApart && { after }) });
    for (const n of saved) this.overrides.set(n, scratch(n));
    if (isApart) this.loops({ nodes: [], roots: [], simd, body: add, inner: apart, ...(after && { after }) });
    sums?.finish();
    foldLanes(this.out, sets, lanes);
    const total = (r: Reduction, k: number): string =>
      sets.find(set => set.reduction === r)?.result() ?? accumulated(r, k);
    for (const o of pass.readBack) this.overrides.set(o.node, loaded(o.type, `p${o.slot}[${indexText(o.index)}]`));
    for (const r of reductions) {
      r.inputs.forEach((input, k) => {
        const combiner = combiners.get(r);
        this.out.line(
          `const ${registerType(input.type)} r${r.id}_${k} = ${combiner ? this.finished(r, k, combiner, total(r, k)) : total(r, k)};`,
        );
      });
    }
  }

  finished(r: Reduction, k: number, combiner: Combiner, partial: string): string {
    const init = r.inits[k]!;
    const start = atom(init, this.overrides);
    return combiner.finish(startsAtIdentity(r) ? partial : `(${combiner.type})(${combiner.combine(start, partial)})`);
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

  /** The inner loops around `body`, with each node declared in the outermost loop in which its arguments are defined. */
  loops(pass: Pass): void {
    const { nodes, simd, clauses = '', body, ranges, after } = pass;
    const { block: size, part, buffered } = pass.inner;
    this.#buffered = buffered;
    const inner = this.nest.inner.filter(l => l.size !== 1);
    const level = (n: Node): number => inner.reduce((deepest, l, i) => ((n.deps >> l.id) & 1 ? i + 1 : deepest), 0);
    const at = (depth: number): Node[] => nodes.filter(n => level(n) === depth + 1 && n.kind !== 'literal');
    const put = (n: Node): void => declare(this.out, n, this.overrides, this.random);
    let open = 0;
    let { multiple } = this;
    let printAfter = (): void => {};
    /** The number of open scopes around the loop that `printAfter` follows. */
    let openBefore = -1;
    for (const [depth, loop] of inner.entries()) {
      const isInnermost = depth === inner.length - 1;
      let [from, to] = ranges?.get(loop) ?? (isInnermost && this.ranged ? ['lo', 'hi'] : ['0', sizeText(loop.size)]);
      if (isInnermost) for (const n of nodes) if (n.kind === 'random' && buffered.has(n)) this.fill(n, loop);
      if (after !== undefined && loop === (after.loop ?? inner.at(-1))) {
        const { longest } = after;
        if ((boundOf(loop.size) ?? Infinity) > longest) {
          if (!this.ranged && divides(size, loop.size)) multiple = size;
          this.out.open(`for (int64_t start = ${from}; start < ${to}; start += ${longest})`);
          this.out.line(`const int64_t stop = start + ${longest} < ${to} ? start + ${longest} : ${to};`);
          open++;
          [from, to] = ['start', 'stop'];
        }
        const steps = from === '0' ? to : `${to} - ${from}`;
        printAfter = () => after.print(steps);
        openBefore = open;
      }
      if (isInnermost) {
        if (size > 0) {
          const { overrides, out } = this;
          const [own, roots] = [at(depth), new Set(pass.roots)];
          const pragma = simd ? clauses : undefined;
          printBlockLoop(out, {
            loop,
            size,
            part,
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
          if (openBefore === open) printAfter();
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
    for (; open > 0; open--) {
      this.out.close();
      if (open === openBefore + 1) printAfter();
    }
  }

  fill(n: NodeOf<'random'>, loop: Loop): void {
    const size = numberOf(loop.size);
    const count = this.ranged ? 'hi - lo' : String(size);
    const first = add(n.index, scale(loopIndex(loop), -1));
    this.out.line(`uint32_t w${n.id}[${this.ranged ? Math.min(size, randomBlock) : size}];`);
    const from = `${indexText(first)}${this.ranged ? ' + lo' : ''}`;
    this.out.line(`t_philox_fill(${n.state.map(s => atom(s)).join(', ')}, (uint64_t)(${from}), ${count}, w${n.id});`);
  }
}
