// Writes a function with its loops:
//
//   arguments in a list      one stacked argument; iteration i takes row i
//   a result used later      row i of a buffer that the loop carries, or the value carried out of the last iteration
//   a concatenate of rows    the buffer
//   results of the function  the buffer, of which the caller takes the rows
import { Builder } from '../../hlo/builder.ts';
import type { Literal } from '../../hlo/literal.ts';
import type { Func, IdSource, Op, Value } from '../../hlo/program.ts';
import { type TensorType, tensorType } from '../../hlo/types.ts';
import { cloneRegion } from '../../hlo/walk.ts';
import { setOrigin } from '../rewriter.ts';
import { fewestTurns } from './find-repeats.ts';
import { type Family, type Loop, type Results, type Row, type Source, type Turn, typeOf } from './loop.ts';
import type { Matcher } from './matcher.ts';
import { readsOf } from './value-numbers.ts';

/** Where an argument comes from: positions in the arguments of the function before. */
export type RolledArgument =
  | { readonly kind: 'one'; readonly argument: number }
  | { readonly kind: 'stacked'; readonly arguments: readonly number[] }
  | { readonly kind: 'numbers'; readonly literals: readonly Literal[] };
/** Where a result of the function before is: a result, or a row of it. */
export interface RolledResult {
  readonly result: number;
  readonly row: number | undefined;
}
export interface WrittenLoops {
  readonly func: Func;
  readonly args: readonly RolledArgument[];
  readonly results: readonly RolledResult[];
}

const stackOf = ({ elementType, shape }: TensorType, count: number): TensorType =>
  tensorType(elementType, [count, ...shape]);

/** A result that later iterations read: of the previous one if there is one init. */
interface Carry {
  readonly at: number;
  readonly result: number;
  readonly inits: readonly Value[];
}
type Place = Pick<Carry, 'at' | 'result'>;
const isCarried = (carry: Carry, { at, result }: Place): boolean => carry.at === at && carry.result === result;
const sameValues = (a: readonly Value[], b: readonly Value[]): boolean =>
  a.length === b.length && a.every((value, i) => value === b[i]);
const inSection = (a: Results, b: Results): number => a.at - b.at || a.result - b.result;

/** How often a family's rows are read outside of loops or by other loops. */
type Use = 'last' | 'rows';

export function writeLoops(func: Func, matcher: Matcher): WrittenLoops {
  return new Writer(func, matcher).write();
}

class Writer {
  readonly #func: Func;
  readonly #matcher: Matcher;
  readonly #ids: IdSource = { next: 0 };
  readonly #b: Builder;
  readonly #args: Value[] = [];
  readonly #rolledArgs: RolledArgument[] = [];
  /** New values by old ones. */
  readonly #map = new Map<Value, Value>();
  readonly #stacks = new Map<Family | readonly Literal[], Value>();
  readonly #uses = new Map<Results, Use>();

  constructor(func: Func, matcher: Matcher) {
    this.#func = func;
    this.#matcher = matcher;
    this.#b = new Builder(this.#ids);
  }

  write(): WrittenLoops {
    const { body, aliases } = this.#func;
    this.#writeArguments();
    this.#findUses();
    for (let i = 0; i < body.ops.length; ) {
      const loop = this.#matcher.loopAt(i);
      if (loop === undefined) this.#copy(body.ops[i++]!);
      else {
        this.#loop(loop);
        i += loop.count * loop.turns.length;
      }
    }
    const { values, results } = this.#results();
    const rolled = { args: this.#args, ops: this.#b.ops, results: values };
    const newAliases = this.#rolledArgs.map(arg => {
      const alias = arg.kind === 'one' ? aliases[arg.argument] : undefined;
      return alias === undefined ? undefined : results[alias]!.result;
    });
    return { func: { ...this.#func, body: rolled, aliases: newAliases }, args: this.#rolledArgs, results };
  }

  #argument(type: Value['type'], rolled: RolledArgument): Value {
    const value = this.#b.argument(type, this.#args.length);
    this.#args.push(value);
    this.#rolledArgs.push(rolled);
    return value;
  }
  #writeArguments(): void {
    const { args } = this.#func.body;
    const indices = new Map(args.map((arg, i) => [arg, i]));
    args.forEach((arg, i) => {
      const family = this.#matcher.rowOf(arg)?.family;
      if (family?.kind !== 'arguments') this.#map.set(arg, this.#argument(arg.type, { kind: 'one', argument: i }));
      else if (!this.#stacks.has(family)) {
        const type = stackOf(typeOf(arg), family.values.length);
        const list = family.values.map(value => indices.get(value)!);
        this.#stacks.set(family, this.#argument(type, { kind: 'stacked', arguments: list }));
      }
    });
    for (const { turns } of this.#matcher.loops)
      for (const { change } of turns) {
        if (change.kind !== 'numbers') continue;
        const { literals } = change;
        const type = stackOf(literals[0]!.type, literals.length);
        this.#stacks.set(literals, this.#argument(type, { kind: 'numbers', literals }));
      }
  }

  #findUses(): void {
    const use = (value: Value): void => {
      const row = this.#matcher.rowOf(this.#matcher.settled(value));
      if (row?.family.kind === 'results')
        this.#use(row.family, row.index === row.family.loop.count - 1 ? 'last' : 'rows');
    };
    this.#func.body.ops.forEach((op, i) => {
      if (this.#matcher.loopAt(i) === undefined) readsOf(op).forEach(use);
    });
    this.#func.body.results.forEach(use);
    for (const { turns } of this.#matcher.loops)
      for (const source of turns.flatMap(turn => turn.sources)) {
        if (source.kind === 'fixed') use(source.value);
        else if (source.kind === 'carried') source.inits.forEach(use);
        else if (source.kind === 'row' && source.family.kind === 'results') this.#use(source.family, 'rows');
      }
  }
  #use(family: Results, use: Use): void {
    if (this.#uses.get(family) !== 'rows') this.#uses.set(family, use);
  }

  /** The new value for a value, outside of loops. */
  #valueOf(value: Value): Value {
    const settled = this.#matcher.settled(value);
    const known = this.#map.get(settled);
    if (known !== undefined) return known;
    const row = this.#matcher.rowOf(settled);
    if (row === undefined) throw new Error('Trenio bug: a value is used before the loop that computes it');
    const made = this.#b.reshape(this.#rows([row]), typeOf(value).shape);
    this.#map.set(settled, made);
    return made;
  }
  /** Adjacent elements of a family, stacked. */
  #rows(rows: readonly Row[]): Value {
    const [first, last] = [rows[0]!, rows.at(-1)!];
    const stack = this.#stacks.get(first.family)!;
    const { shape } = typeOf(stack);
    const [from, to] = [Math.min(first.index, last.index), Math.max(first.index, last.index) + 1];
    const starts = shape.map((_, dim) => (dim === 0 ? from : 0));
    const part = to - from === shape[0] ? stack : this.#b.slice(stack, starts, [to, ...shape.slice(1)]);
    return first.index <= last.index ? part : this.#b.emit1('reverse', [part], { dimensions: [0] });
  }

  #copy(op: Op): void {
    this.#b.location = op.location;
    const before = this.#b.ops.length;
    if (op.name === 'concatenate' && this.#join(op)) {
      for (const made of this.#b.ops.slice(before)) setOrigin(made, op);
      return;
    }
    for (const value of readsOf(op)) this.#map.set(value, this.#valueOf(value));
    const copy = copyOf(
      op,
      op.operands.map(value => this.#map.get(value)!),
      this.#map,
      this.#ids,
    );
    this.#b.ops.push(copy);
    for (const [i, result] of op.results.entries()) this.#map.set(result, copy.results[i]!);
  }
  /** A concatenate whose operands are rows, of which there are many: false if not. */
  #join(op: Op<'concatenate'>): boolean {
    const { dimension } = op.attributes;
    const runs = runsOf(op.operands.map(value => this.#matcher.rowOf(this.#matcher.settled(value))));
    if (!runs.some(run => run.length >= fewestTurns)) return false;
    let at = 0;
    const parts = runs.flatMap((run): readonly Value[] => {
      const operands = op.operands.slice(at, at + run.length);
      at += run.length;
      if (run.length < fewestTurns) return operands.map(value => this.#valueOf(value));
      const { shape } = typeOf(operands[0]!);
      const stack = this.#rows(run as readonly Row[]);
      const dims = shape.map((_, dim) => dim + 1);
      const moved =
        dimension === 0 ? stack : this.#b.transpose(stack, [...dims.slice(0, dimension), 0, ...dims.slice(dimension)]);
      return [
        this.#b.reshape(
          moved,
          shape.map((size, dim) => (dim === dimension ? size * run.length : size)),
        ),
      ];
    });
    this.#map.set(op.results[0], parts.length === 1 ? parts[0]! : this.#b.concatenate(parts, dimension));
    return true;
  }

  #loop(loop: Loop): void {
    const { turns, count } = loop;
    const b = this.#b;
    for (const turn of turns) if (turn.isFixed) this.#copy(turn.op);
    b.location = turns[0]!.op.location;

    const carries: Carry[] = [];
    const carried = new Map<Source, number>();
    for (const source of turns.flatMap(turn => turn.sources)) {
      if (source.kind === 'fixed') this.#valueOf(source.value);
      if (source.kind !== 'carried') continue;
      const inits = source.inits.map(init => this.#valueOf(init));
      const known = carries.findIndex(carry => isCarried(carry, source) && sameValues(carry.inits, inits));
      carried.set(source, known >= 0 ? known : carries.push({ at: source.at, result: source.result, inits }) - 1);
    }
    const families = [...this.#uses].filter(([family]) => family.loop === loop).sort(([a], [b]) => inSection(a, b));
    const stacked = families.flatMap(([family, use]) => (use === 'rows' ? [family] : []));
    const lasts = families.flatMap(([family, use]) => (use === 'last' ? [family] : []));
    const typeAt = (at: number, result: number): TensorType => typeOf(turns[at]!.op.results[result]!);
    const empty = ({ elementType, shape }: TensorType): Value => b.fill(elementType, shape, 0);
    for (const family of lasts)
      if (!carries.some(carry => isCarried(carry, family)))
        carries.push({ at: family.at, result: family.result, inits: [empty(typeAt(family.at, family.result))] });
    // The state that holds the value of each carry, and then those of later iterations.
    const first: number[] = [];
    let states = 0;
    for (const { inits } of carries) {
      first.push(states);
      states += inits.length;
    }
    const state = [
      b.fill('i32', [], 0),
      ...carries.flatMap(({ inits }) => inits),
      ...stacked.map(({ at, result }) => empty(stackOf(typeAt(at, result), count))),
    ];
    const types = state.map(value => value.type);
    const goesOn = b.region(types, (inner, [i]) => [inner.compare('LT', i!, inner.fill('i32', [], count))]);
    const body = b.region(types, (inner, [i, ...rest]) => {
      const writer = new TurnWriter(inner, i!, this.#ids);
      const fixed = (value: Value): Value => this.#map.get(this.#matcher.settled(value))!;
      const results: (readonly Value[])[] = [];
      for (const turn of turns) {
        if (turn.isFixed) {
          results.push(turn.op.results.map(fixed));
          continue;
        }
        const operands = turn.sources.map(source => {
          if (source.kind === 'turn') return results[source.at]![source.result]!;
          if (source.kind === 'carried') return rest[first[carried.get(source)!]!]!;
          if (source.kind === 'fixed') return fixed(source.value);
          return writer.row(this.#stacks.get(source.family)!, source.first, source.step);
        });
        const numbers = turn.change.kind === 'numbers' ? this.#stacks.get(turn.change.literals) : undefined;
        results.push(writer.turn(turn, operands, numbers));
      }
      inner.location = b.location;
      return [
        inner.add(i!, inner.fill('i32', [], 1)),
        ...carries.flatMap(({ at, result, inits }, k) => [
          ...rest.slice(first[k]! + 1, first[k]! + inits.length),
          results[at]![result]!,
        ]),
        ...stacked.map(({ at, result }, k) => writer.put(rest[states + k]!, results[at]![result]!)),
      ];
    });
    const made = b.emit('while', state, {}, [goesOn, body]).slice(1) as readonly Value[];
    for (const [k, family] of stacked.entries()) this.#stacks.set(family, made[states + k]!);
    const { ops } = this.#func.body;
    for (const family of lasts) {
      const last = ops[loop.start + (count - 1) * turns.length + family.at]!.results[family.result]!;
      const k = carries.findIndex(carry => isCarried(carry, family));
      this.#map.set(last, made[first[k]! + carries[k]!.inits.length - 1]!);
    }
  }

  /** The results, where several rows of a buffer are one. */
  #results(): { readonly values: readonly Value[]; readonly results: readonly RolledResult[] } {
    const { body, aliases } = this.#func;
    const taken = new Set(aliases);
    const rows = body.results.map((value, i) => {
      const row = taken.has(i) ? undefined : this.#matcher.rowOf(this.#matcher.settled(value));
      return row?.family.kind === 'results' ? { family: row.family, index: row.index } : undefined;
    });
    const counts = new Map<Results, number>();
    for (const row of rows) if (row !== undefined) counts.set(row.family, (counts.get(row.family) ?? 0) + 1);
    // Their order must not depend on which rows of which are results.
    const stacked = [...counts]
      .flatMap(([family, count]) => (count > 1 ? [family] : []))
      .sort((a, b) => a.loop.start - b.loop.start || inSection(a, b));
    const single = body.results.filter((_, i) => (counts.get(rows[i]?.family as Results) ?? 1) === 1);
    const values = [...single.map(value => this.#valueOf(value)), ...stacked.map(family => this.#stacks.get(family)!)];
    let next = 0;
    const results = rows.map((row): RolledResult => {
      const place = row === undefined ? -1 : stacked.indexOf(row.family);
      return place < 0 ? { result: next++, row: undefined } : { result: single.length + place, row: row!.index };
    });
    return { values, results };
  }
}

/** Rows in stretches in which each follows the one before, or all precede it; values that are no rows are alone. */
function runsOf(rows: readonly (Row | undefined)[]): (Row | undefined)[][] {
  const runs: (Row | undefined)[][] = [];
  for (const row of rows) {
    const run = runs.at(-1);
    const [last, before] = [run?.at(-1), run?.at(-2)];
    const step = row !== undefined && last?.family === row.family ? row.index - last.index : 0;
    const isNext = Math.abs(step) === 1 && (before === undefined || last!.index - before.index === step);
    if (isNext) run!.push(row);
    else runs.push([row]);
  }
  return runs;
}

function copyOf(op: Op, operands: readonly Value[], map: Map<Value, Value>, ids: IdSource): Op {
  const results: Value[] = [];
  const regions = op.regions.map(region => cloneRegion(region, map, ids));
  const copy = { ...op, operands, regions, results } as unknown as Op;
  for (const { type, index } of op.results as readonly Value[]) results.push({ id: ids.next++, type, op: copy, index });
  setOrigin(copy, op);
  return copy;
}

/** Writes the body of one loop. */
class TurnWriter {
  readonly #b: Builder;
  readonly #i: Value;
  readonly #ids: IdSource;
  readonly #known = new Map<string, Value>();

  constructor(b: Builder, i: Value, ids: IdSource) {
    this.#b = b;
    this.#i = i;
    this.#ids = ids;
  }

  #once(key: string, make: () => Value): Value {
    const value = this.#known.get(key) ?? make();
    this.#known.set(key, value);
    return value;
  }
  #number(value: number): Value {
    return this.#once(`${value}`, () => this.#b.fill('i32', [], value));
  }
  /** first + step · i */
  #position(first: number, step: number): Value {
    const b = this.#b;
    return this.#once(`${first} ${step}`, () => {
      const distance = Math.abs(step) === 1 ? this.#i : b.multiply(this.#i, this.#number(Math.abs(step)));
      if (step < 0) return b.subtract(this.#number(first), distance);
      return first === 0 ? distance : b.add(this.#number(first), distance);
    });
  }
  /** Row `first + step · i` of a stack. */
  row(stack: Value, first: number, step: number): Value {
    return this.#once(`${stack.id} ${first} ${step}`, () => {
      const [, ...shape] = typeOf(stack).shape;
      const starts = [this.#position(first, step), ...shape.map(() => this.#number(0))];
      const slice = this.#b.emit1('dynamic_slice', [stack, ...starts], { sliceSizes: [1, ...shape] });
      return this.#b.reshape(slice, shape);
    });
  }
  /** A stack whose row i is this value. */
  put(stack: Value, value: Value): Value {
    const { shape } = typeOf(value);
    const starts = [this.#position(0, 1), ...shape.map(() => this.#number(0))];
    return this.#b.emit1('dynamic_update_slice', [stack, this.#b.reshape(value, [1, ...shape]), ...starts], {});
  }

  /** The results of an op in iteration i. `numbers`: the stacked values of a constant. */
  turn({ op, change }: Turn, reads: readonly Value[], numbers: Value | undefined): readonly Value[] {
    this.#b.location = op.location;
    if (numbers !== undefined) return [this.row(numbers, 0, 1)];
    const { shape } = typeOf(op.results[0]!);
    const starts = (of: readonly number[]): Value[] =>
      of.map((start, dim) =>
        change.kind === 'start' && dim === change.dim ? this.#position(change.first, change.step) : this.#number(start),
      );
    const [x, filling] = reads as readonly [Value, Value];
    if (change.kind === 'start' && op.name === 'slice')
      return [this.#b.emit1('dynamic_slice', [x, ...starts(op.attributes.startIndices)], { sliceSizes: shape })];
    if (change.kind === 'start' && op.name === 'pad') {
      const around = this.#b.broadcastInDim(filling, [], shape);
      return [this.#b.emit1('dynamic_update_slice', [around, x, ...starts(op.attributes.edgePaddingLow)], {})];
    }
    const map = new Map<Value, Value>();
    for (const [i, value] of readsOf(op).entries()) map.set(value, reads[i]!);
    const copy = copyOf(op, reads.slice(0, op.operands.length), map, this.#ids);
    this.#b.ops.push(copy);
    return copy.results as readonly Value[];
  }
}
