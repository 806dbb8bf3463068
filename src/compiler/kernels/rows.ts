// Prints kernels that go row by row: for each index of the kept loops, one or more passes over the inner loops.
//
//   softmax over [rows, 128]:     for each row: max over i1  (stage 0) → r0
//                                               sum of exp(x - r0), kept in s5  (stage 1) → r1
//                                               y = s5 / r1  (stage 2)
//
// An elementwise kernel is the case without reductions: one stage, the innermost loop inner. Values of an earlier stage
// that a later one needs are read back from where they were stored, kept in a scratch row, or computed again if cheap.
import { invariant } from '../../base/errors.ts';
import { type ElementType, elementBytes } from '../../hlo/types.ts';
import { loaded, memoryType, registerBytes, registerType, storedExactly } from '../emit/c-types.ts';
import { type Combiner, combinerOfRegion, printRegion } from './combine.ts';
import { add, coefficientOf, constantIndex, type Index, type Loop, loopIndex, scale } from './index-expr.ts';
import type { KernelOperand } from './kernel.ts';
import { foldLanes, LaneSet, lanesFor, startLanes } from './lanes.ts';
import {
  argsOf,
  dataNodesOf,
  indicesOf,
  maskOf,
  type Node,
  type NodeOf,
  type Reduction,
  reductionArgs,
  usesOf,
} from './node.ts';
import { atom, closure, declare, indexText, loopName, type RandomText } from './print.ts';
import { cutTasks } from './tasks.ts';
import { Writer } from './writer.ts';

export interface Output {
  readonly node: Node;
  readonly slot: number;
  readonly index: Index;
  readonly type: ElementType;
}
export interface Nest {
  readonly kept: readonly Loop[];
  readonly inner: readonly Loop[];
  readonly outputs: readonly Output[];
  readonly operands: readonly KernelOperand[];
}

/** Recompute up to this much work in a later stage rather than keep a row of it. */
const cheap = 6;
/** Scratch rows up to this many bytes lie on the stack; the runtime's stacks are 2 MB or more. */
const stackBytes = 128 * 1024;
/**
 * Lanes are as many as a vector has f32. Where smaller types take part, gcc would want more elements at a time than a block
 * of lanes has and give up: then the elements are computed in a loop of their own, and added from scratch.
 */
const laneBytes = 4;
const isNarrow = (n: Node): boolean =>
  n.kind === 'load' ? elementBytes(n.type) < laneBytes : n.type !== 'i1' && registerBytes(n.type) < laneBytes;
/** Elements of random bits made at a time. */
export const randomBlock = 4096;

export const sizeOf = (loops: readonly Loop[]): number => loops.reduce((n, l) => n * l.size, 1);
export function canonicalIndex(loops: readonly Loop[]): Index {
  let out = constantIndex(0);
  for (let d = loops.length - 1, stride = 1; d >= 0; d--) {
    out = add(out, scale(loopIndex(loops[d]!), stride));
    stride *= loops[d]!.size;
  }
  return out;
}

/** Declares the operands' pointers at the head of a function that has `char *const *p`. */
export function declareOperands(out: Writer, operands: readonly KernelOperand[]): void {
  operands.forEach(({ value, access }, i) => {
    invariant(value.type.kind === 'tensor', 'an operand that is no tensor');
    const c = memoryType(value.type.elementType);
    out.line(
      access === 'read' ? `const ${c} *const p${i} = (const ${c} *)p[${i}];` : `${c} *const p${i} = (${c} *)p[${i}];`,
    );
  });
}
/** i0, i1 … from a flat position over some loops. */
export function decodeLoops(out: Writer, loops: readonly Loop[], position: string): void {
  const real = loops.filter(l => l.size !== 1);
  real.forEach((loop, d) => {
    const below = sizeOf(real.slice(d + 1));
    const text = below === 1 ? position : `${position} / ${below}`;
    out.line(
      `const int64_t ${loopName(loop)} = ${d === 0 ? text : `${below === 1 ? text : `(${text})`} % ${loop.size}`};`,
    );
  });
}

export function requiredNodes(outputs: readonly Output[]): Node[] {
  const roots = new Set<Node>();
  const visitIndex = (o: Output): void => {
    for (const n of closure([o.node], () => false)) roots.add(n);
  };
  for (const o of outputs) visitIndex(o);
  const queue = [...roots];
  for (let n = queue.pop(); n !== undefined; n = queue.pop()) {
    if (n.kind !== 'reduced') continue;
    for (const a of closure(reductionArgs(n.reduction), m => roots.has(m))) {
      roots.add(a);
      queue.push(a);
    }
  }
  return [...roots].sort((a, b) => a.id - b.id);
}
export const reductionsIn = (nodes: readonly Node[]): Reduction[] =>
  [...new Set(nodes.flatMap(n => (n.kind === 'reduced' ? [n.reduction] : [])))].sort((a, b) => a.id - b.id);

export const stageOf = (o: Output): number => Math.max(o.node.stage, usesOf(o.index).stage);
/** Work of an element: the distinct nodes computed for it. */
export const workOf = (nodes: readonly Node[]): number =>
  nodes.reduce(
    (sum, n) =>
      sum +
      (n.kind === 'expression' || n.kind === 'random'
        ? Math.max(0.3, n.cost - argsCost(n))
        : n.kind === 'load'
          ? 1
          : 0),
    0,
  );
const argsCost = (n: Node): number => (n.kind === 'expression' ? n.args.reduce((c, a) => c + a.cost, 0) : 0);

/** Simple reductions: all that are one binary op each. */
export function simpleCombiner(r: Reduction): Combiner | undefined {
  return r.inputs.length === 1 ? combinerOfRegion(r.op.regions[0]!) : undefined;
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

  constructor(nest: Nest, required: readonly Node[], ranged: boolean) {
    this.nest = nest;
    this.required = required;
    this.innerMask = maskOf(nest.inner);
    this.innermost = nest.inner.at(-1);
    this.ranged = ranged;
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

  /** The stages of one row. */
  row(): void {
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
      this.stage(stage, stages);
    }
  }
  /** Known before the row loop: declared at the head of the task. */
  isHoisted = (n: Node): boolean => n.deps === 0 && n.stage === 0 && n.kind !== 'reduced';
  isInnerOutput = (o: Output): boolean => ((o.node.deps | usesOf(o.index).deps) & this.innerMask) !== 0;

  store(o: Output): void {
    this.out.line(`p${o.slot}[${indexText(o.index)}] = ${storedExactly(o.type, atom(o.node, this.overrides))};`);
  }

  stage(stage: number, last: number): void {
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
    };
    const clauses = simd && lanes === 0 ? clausesOf(reductions, combiners) : '';
    this.loops(nodes, simd, clauses, body, new Map(), apart ? 0 : lanes);
    if (apart) {
      for (const [n, text] of saved) this.overrides.set(n, text);
      this.loops([], simd, '', add, new Map(), lanes);
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
    const isIdentity = init.kind === 'literal' && sameNumber(init.text, combiner.identity);
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
    const results = printRegion(this.out, r.op.regions[0]!, args, `c${r.id}`, v =>
      atom(captured.get(v)!, this.overrides),
    );
    results.forEach((text, k) => {
      this.out.line(`const ${registerType(r.inputs[k]!.type)} n${k} = ${text};`);
    });
    results.forEach((_, k) => {
      this.out.line(`${name(r, k)} = n${k};`);
    });
    this.out.close();
  }

  /** The inner loops around `body`, with each node declared in the outermost loop that knows its arguments. */
  loops(
    nodes: readonly Node[],
    simd: boolean,
    clauses: string,
    body: (lane: string) => void,
    ranges: ReadonlyMap<Loop, readonly [from: string, to: string]> = new Map(),
    lanes = 0,
  ): void {
    const inner = this.nest.inner.filter(l => l.size !== 1);
    const declared = (depth: number): void => {
      for (const n of nodes)
        if (level(n) === depth + 1 && n.kind !== 'literal') declare(this.out, n, this.overrides, this.random);
    };
    const level = (n: Node): number => inner.reduce((deepest, l, i) => ((n.deps >> l.id) & 1 ? i + 1 : deepest), 0);
    inner.forEach((loop, depth) => {
      const isInnermost = depth === inner.length - 1;
      if (isInnermost) {
        for (const n of nodes) if (n.kind === 'random' && this.bufferOf(n) !== undefined) this.fill(n, loop);
        if (lanes > 0) {
          this.laneLoops(loop, lanes, () => declared(depth), body);
          return;
        }
        if (simd) this.out.line(`#pragma omp simd${clauses}`);
      }
      const [from, to] = ranges.get(loop) ?? (isInnermost && this.ranged ? ['lo', 'hi'] : ['0', String(loop.size)]);
      this.out.open(`for (int64_t ${loopName(loop)} = ${from}; ${loopName(loop)} < ${to}; ${loopName(loop)}++)`);
      declared(depth);
    });
    if (inner.length === 0) this.out.open('');
    if (lanes === 0) body('');
    for (let d = lanes === 0 ? 0 : 1; d < Math.max(1, inner.length); d++) this.out.close();
  }
  /** The innermost loop in blocks of as many elements as there are lanes, and what is left after them. */
  laneLoops(loop: Loop, lanes: number, declared: () => void, body: (lane: string) => void): void {
    const name = loopName(loop);
    const whole = loop.size - (loop.size % lanes);
    const elements = (from: string, to: string): void => {
      this.out.line('#pragma omp simd');
      this.out.open(`for (int64_t ${name} = ${from}; ${name} < ${to}; ${name}++)`);
      declared();
      body(`${name} - ${from}`);
      this.out.close();
    };
    this.out.open(`for (int64_t block = 0; block < ${whole}; block += ${lanes})`);
    elements('block', `block + ${lanes}`);
    this.out.close();
    if (whole < loop.size) elements(String(whole), String(loop.size));
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
        n.cost <= cheap ||
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

/** `reduction(+:a0_0, a1_0)` for each way of combining. */
export function clausesOf(
  reductions: readonly Reduction[],
  combiners: ReadonlyMap<Reduction, Combiner | undefined>,
): string {
  const groups = new Map<string, string[]>();
  for (const r of reductions) {
    const { clause } = combiners.get(r)!;
    const names = groups.get(clause);
    if (names) names.push(`a${r.id}_0`);
    else groups.set(clause, [`a${r.id}_0`]);
  }
  return [...groups].map(([clause, names]) => ` reduction(${clause}:${names.join(', ')})`).join('');
}

/** The kernel's C, and what a worker asks of rt->scratch. */
export function printRows(nest: Nest): { readonly code: string; readonly scratchBytes: number } {
  const required = requiredNodes(nest.outputs);
  const reductions = reductionsIn(required);
  const innerMask = maskOf(nest.inner);
  const perElement = workOf(required.filter(n => (n.deps & innerMask) !== 0)) + nest.outputs.length + 0.5;
  const rows = sizeOf(nest.kept);
  const width = sizeOf(nest.inner);
  const hasRandom = required.some(n => n.kind === 'random');
  // Long rows without reductions are cut along the innermost loop, too.
  const one = nest.inner.filter(l => l.size !== 1);
  const cuttable = reductions.length === 0 && one.length === 1;
  const limit = hasRandom ? randomBlock : 1 << 20;
  const chunk = cuttable ? Math.min(limit, cutTasks(width, perElement, 16).perTask) : width;
  const ranged = cuttable && chunk < width && (width * perElement > 200_000 || (hasRandom && width > randomBlock));
  const printer = new RowPrinter(nest, required, ranged);
  const chunks = ranged ? Math.ceil(width / chunk) : 1;
  const cut = ranged ? { perTask: 1, tasks: rows * chunks } : cutTasks(rows, width * perElement + 20);
  const parallel = rows * width * perElement >= 60_000 && cut.tasks > 1;

  const { out } = printer;
  const body = new Writer();
  printer.row();
  body.open('static void @_task(void *arg, int64_t task, int worker)');
  body.line('const t_call *const call = arg;');
  const scratchBytes = declareRowState(body, printer, width);
  if (ranged) {
    body.line(
      `const int64_t row = ${chunks === 1 ? 'task' : `task / ${chunks}`}, lo = ${chunks === 1 ? '0' : `(task % ${chunks}) * ${chunk}`};`,
    );
    body.line(`const int64_t hi = lo + ${chunk} < ${width} ? lo + ${chunk} : ${width};`);
  }
  declareHoisted(body, printer);
  const loop = !ranged && rows > 1;
  if (loop) {
    const first = cut.tasks === 1 ? '0' : `task * ${cut.perTask}`;
    if (cut.tasks > 1)
      body.line(
        `const int64_t end = ${rows % cut.perTask === 0 ? `(task + 1) * ${cut.perTask}` : `(task + 1) * ${cut.perTask} < ${rows} ? (task + 1) * ${cut.perTask} : ${rows}`};`,
      );
    body.open(`for (int64_t row = ${first}; row < ${cut.tasks === 1 ? rows : 'end'}; row++)`);
  }
  if (rows > 1) decodeLoops(body, nest.kept, 'row');
  for (const line of out.lines) body.line(line);
  if (loop) body.close();
  body.close();
  return { code: `${body}\n${entryOf(cut.tasks, parallel)}`, scratchBytes };
}

/**
 * Rows `first` to `end` as a function `@_rows(call, first, end, worker)`, for a kernel that goes on with the same rows while
 * they are in the cache. All inner loops whole; and what a worker asks of rt->scratch.
 */
export function printRowRange(nest: Nest): { readonly code: string; readonly scratchBytes: number } {
  const printer = new RowPrinter(nest, requiredNodes(nest.outputs), false);
  printer.row();
  const body = new Writer();
  body.open('static inline void @_rows(const t_call *const call, int64_t first, int64_t end, int worker)');
  const scratchBytes = declareRowState(body, printer, sizeOf(nest.inner));
  declareHoisted(body, printer);
  body.open('for (int64_t row = first; row < end; row++)');
  decodeLoops(body, nest.kept, 'row');
  for (const line of printer.out.lines) body.line(line);
  body.close();
  body.close();
  return { code: body.toString(), scratchBytes };
}

/** Operands and scratch rows of a printed row; returns what they ask of rt->scratch, 0 where they lie on the stack. */
function declareRowState(body: Writer, printer: RowPrinter, width: number): number {
  body.line('char *const *const p = call->p;');
  declareOperands(body, printer.nest.operands);
  const bytes = printer.scratch.reduce((n, s) => n + 64 + width * registerBytes(s.type), 0);
  if (bytes <= stackBytes) {
    for (const s of printer.scratch) body.line(`_Alignas(64) ${registerType(s.type)} s${s.id}[${width}];`);
    return 0;
  }
  body.line(`char *scratch = call->rt->scratch(call->rt, worker, ${bytes});`);
  for (const s of printer.scratch) {
    const c = registerType(s.type);
    body.line(`${c} *const s${s.id} = (${c} *)scratch;`);
    body.line(`scratch += ${Math.ceil((width * registerBytes(s.type)) / 64) * 64};`);
  }
  return bytes;
}
function declareHoisted(body: Writer, printer: RowPrinter): void {
  for (const n of printer.required)
    if (printer.isHoisted(n) && n.kind !== 'literal') declare(body, n, printer.overrides, printer.random);
}

/** The kernel's own function: its tasks in parallel, or one after another. */
export function entryOf(tasks: number, parallel: boolean): string {
  const out = new Writer();
  out.open('static void @(const trenio_rt *rt, char *const *p)');
  out.line('t_call call = {rt, p};');
  if (parallel) out.line(`rt->parallel(rt, @_task, &call, ${tasks});`);
  else if (tasks === 1) out.line('@_task(&call, 0, 0);');
  else out.line(`for (int64_t task = 0; task < ${tasks}; task++) @_task(&call, task, 0);`);
  out.close();
  return out.toString();
}
