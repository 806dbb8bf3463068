// Compares the copies of a repeated section. Between an iteration and the next, an operand may be:
//
//   the result of the same op of its own iteration                         turn
//   the result of the same op of the iteration before, or one before that  carried
//   the same value                                                         fixed
//   the next argument of a list, or the result of an earlier loop for      row
//   another iteration, at a distance that stays the same
//
// A constant may differ, and a slice or pad may start a constant distance later. Iterations at the ends that differ in any
// other way are left outside of the loop.
import { equalAttributes } from '../../hlo/equal-attributes.ts';
import { bytesOf } from '../../hlo/literal.ts';
import type { Func, Op, Value } from '../../hlo/program.ts';
import { sameType } from '../../hlo/types.ts';
import { fewestTurns, type Repeat } from './find-repeats.ts';
import type { Change, Family, Loop, Results, Row, Source, Turn } from './loop.ts';
import type { OpClasses } from './op-classes.ts';
import { positionOf, resultOf, resultsPerOp, ValueNumbers } from './value-numbers.ts';

/**
 * The relation of an operand to that of the next iteration, or how an op differs from its copy there: one number, so that
 * iterations are compared as lists of numbers.
 */
type Link = number;
const none: Link = -1;
const same: Link = 0;
/** The kinds of links of operands, each with a number. */
const [turn, carried, fixed, list, row] = [0, 1, 2, 3, 4];
const linkOf = (kind: number, detail = 0): Link => kind + 8 * detail;
/** Values of iterations further back are not carried. */
const maxDistance = 8;
/** Rows at most so far apart, in both directions. */
const maxStep = 2 ** 16;
/** Larger constants that differ are not made inputs. */
const maxConstantBytes = 256;

export class Matcher {
  readonly loops: Loop[] = [];
  readonly #ops: readonly Op[];
  readonly #variants: Int32Array;
  readonly #mayStack: (argument: Value) => boolean;
  readonly #numbers: ValueNumbers;
  /** By the position of an op, the loop that it is in. */
  readonly #loopAt: (Loop | undefined)[];
  /** The rows that arguments are, by their numbers. */
  readonly #rows = new Map<number, Row>();
  /** By the number of the first iteration's value. */
  readonly #results = new Map<number, Results>();

  constructor({ body }: Func, { variants }: OpClasses, mayStack: (argument: Value) => boolean) {
    this.#ops = body.ops;
    this.#variants = variants;
    this.#mayStack = mayStack;
    this.#numbers = new ValueNumbers(body);
    this.#loopAt = new Array(body.ops.length).fill(undefined);
  }

  loopAt(position: number): Loop | undefined {
    return this.#loopAt[position];
  }
  /** The value itself, or the one that stands for it because it is the same in each iteration. */
  settled(value: Value): Value {
    const number = this.#numbers.of(value);
    const settled = this.#settled(number);
    return settled === number ? value : this.#numbers.value(settled);
  }
  #settled(number: number): number {
    const loop = number < 0 ? undefined : this.#loopAt[positionOf(number)];
    if (loop === undefined) return number;
    const first = firstOf(loop, number);
    return loop.turns[positionOf(first) - loop.start]!.isFixed ? first : number;
  }
  /** The family that a value belongs to. */
  rowOf(value: Value): Row | undefined {
    return this.#rowOf(this.#numbers.of(value));
  }
  #rowOf(number: number): Row | undefined {
    if (number < 0) return this.#rows.get(number);
    const loop = this.#loopAt[positionOf(number)];
    if (loop === undefined) return undefined;
    const first = firstOf(loop, number);
    const at = positionOf(first) - loop.start;
    if (loop.turns[at]!.isFixed) return undefined;
    const family = this.#results.get(first) ?? { kind: 'results', loop, at, result: resultOf(first) };
    this.#results.set(first, family);
    return { family, index: iterationOf(loop, number) };
  }

  /** Adds a loop of as many iterations of the section as are alike, if these are enough. */
  match({ start, period, count }: Repeat): void {
    const { from, reads } = this.#numbers;
    const section = { start, period, end: start + count * period };
    const length = period + from[start + period]! - from[start]!;
    let [links, linksBefore] = [new Float64Array(length), new Float64Array(length)];
    let best = { low: 0, high: 0, links };
    let low = 0;
    for (let i = 0; i < count - 1; i++) {
      let isLinked = true;
      let isAsBefore = i > 0;
      let at = 0;
      const add = (link: Link): void => {
        if (link === none) isLinked = false;
        if (linksBefore[at] !== link) isAsBefore = false;
        links[at++] = link;
      };
      for (let p = start + i * period; p < start + (i + 1) * period; p++) {
        add(this.#change(p, p + period));
        const [now, next] = [from[p]!, from[p + period]!];
        for (let slot = 0; slot < from[p + 1]! - now; slot++)
          add(this.#link(section, i, reads[now + slot]!, reads[next + slot]!));
      }
      if (!isAsBefore) low = i;
      if (isLinked && i + 1 - low > best.high - best.low)
        best = { low, high: i + 1, links: best.low === low && best.high > 0 ? best.links : links.slice() };
      // Never equal to those of the next iteration.
      if (!isLinked) links[0] = none - 1;
      [links, linksBefore] = [linksBefore, links];
    }
    if (best.high + 1 - best.low >= fewestTurns)
      this.#add(start + best.low * period, period, best.high + 1 - best.low, best.links);
  }

  #link(section: { start: number; period: number; end: number }, i: number, now: number, next: number): Link {
    const { start, period, end } = section;
    const [a, b] = [positionOf(now), positionOf(next)];
    const [aIsInside, bIsInside] = [a >= start && a < end, b >= start && b < end];
    if (bIsInside) {
      const iteration = Math.floor((b - start) / period);
      const code = resultsPerOp * ((b - start) % period) + resultOf(next);
      if (iteration === i + 1) return a === b - period && resultOf(now) === resultOf(next) ? linkOf(turn, code) : none;
      if (now === next && iteration < i) return fixed!;
      const distance = i + 1 - iteration;
      const isCarried =
        distance <= maxDistance &&
        !(aIsInside && a >= start + i * period) &&
        sameType(this.#numbers.value(now).type, this.#numbers.value(next).type);
      return isCarried ? linkOf(carried, code * (maxDistance + 1) + distance) : none;
    }
    if (aIsInside) return none;
    const [x, y] = [this.#settled(now), this.#settled(next)];
    if (x === y) return fixed!;
    const loop = x < 0 ? undefined : this.#loopAt[positionOf(x)];
    if (loop !== undefined) {
      const family = firstOf(loop, x);
      const isRow = y >= 0 && this.#loopAt[positionOf(y)] === loop && firstOf(loop, y) === family;
      return isRow ? rowLink(family, iterationOf(loop, y) - iterationOf(loop, x)) : none;
    }
    const [first, second] = [this.#rows.get(x), this.#rows.get(y)];
    if (first !== undefined)
      return first.family === second?.family ? rowLink(this.#firstOf(first), second.index - first.index) : none;
    if (x >= 0 || y >= 0 || second !== undefined) return none;
    const [argument, following] = [this.#numbers.value(x), this.#numbers.value(y)];
    const isList = this.#mayStack(argument) && this.#mayStack(following) && sameType(argument.type, following.type);
    return isList ? list! : none;
  }
  /** The number of the first value in a list of arguments. */
  #firstOf({ family }: Row): number {
    return family.kind === 'arguments' ? this.#numbers.of(family.values[0]!) : none;
  }

  /** How an op differs from its copy in the next iteration, apart from operands. */
  #change(now: number, next: number): Link {
    if (this.#variants[now] === this.#variants[next]) return same;
    const [op, copy] = [this.#ops[now]!, this.#ops[next]!];
    if (equalAttributes(op.attributes, copy.attributes)) return same;
    if (op.name === 'constant') return bytesOf(op.attributes.value).length <= maxConstantBytes ? same : none;
    const start = startChange(op, copy);
    return start === undefined ? none : 1 + start.dim + 64 * (start.step + 2 ** 31);
  }

  /** How the op at a position differs between iterations. */
  #changeOf(position: number, period: number, count: number, link: Link): Change {
    const op = this.#ops[position]!;
    const at = (i: number): Op => this.#ops[position + i * period]!;
    if (link !== same) {
      const { dim, step } = startChange(op, at(1))!;
      return { kind: 'start', dim, first: startsOf(op)![dim]!, step };
    }
    if (op.name !== 'constant') return { kind: 'none' };
    const literals = Array.from({ length: count }, (_, i) => (at(i) as Op<'constant'>).attributes.value);
    const isSame = literals.every(literal => equalAttributes(literal, literals[0]));
    return isSame ? { kind: 'none' } : { kind: 'numbers', literals };
  }

  #add(start: number, period: number, count: number, links: Float64Array): void {
    const { from, reads } = this.#numbers;
    const turns: Turn[] = [];
    const made: number[] = [];
    let next = 0;
    for (let p = start; p < start + period; p++) {
      const op = this.#ops[p]!;
      const change = this.#changeOf(p, period, count, links[next++]!);
      const sources: Source[] = [];
      for (let slot = 0; slot < from[p + 1]! - from[p]!; slot++) {
        const read = (i: number): number => reads[from[p + i * period]! + slot]!;
        const source = this.#sourceOf(links[next++]!, count, read, made);
        if (source === undefined) {
          for (const value of made) this.#rows.delete(value);
          return;
        }
        sources.push(source);
      }
      const isFixed =
        change.kind === 'none' &&
        sources.every(
          source => source.kind === 'fixed' || (source.kind === 'turn' && turns[source.at]?.isFixed === true),
        );
      turns.push({ op, sources, change, isFixed });
    }
    const loop = { start, count, turns };
    this.loops.push(loop);
    this.#loopAt.fill(loop, start, start + count * period);
  }

  /**
   * The operands of all iterations as a source. `read`: the number of the operand in an iteration. Arguments that become a
   * family are added to `made`.
   */
  #sourceOf(link: Link, count: number, read: (i: number) => number, made: number[]): Source | undefined {
    const valueAt = (i: number): Value => this.#numbers.value(read(i));
    const [kind, detail] = [link % 8, Math.floor(link / 8)];
    if (kind === fixed) return { kind: 'fixed', value: this.settled(valueAt(0)) };
    if (kind === turn || kind === carried) {
      const code = kind === turn ? detail : Math.floor(detail / (maxDistance + 1));
      const place = { at: Math.floor(code / resultsPerOp), result: code % resultsPerOp };
      if (kind === turn) return { kind: 'turn', ...place };
      return {
        kind: 'carried',
        ...place,
        inits: Array.from({ length: detail % (maxDistance + 1) }, (_, i) => valueAt(i)),
      };
    }
    if (kind === list && !this.#rows.has(read(0))) {
      const numbers = Array.from({ length: count }, (_, i) => read(i));
      if (new Set(numbers).size < count || numbers.some(number => this.#rows.has(number))) return undefined;
      const family: Family = { kind: 'arguments', values: numbers.map(number => this.#numbers.value(number)) };
      for (const [index, number] of numbers.entries()) this.#rows.set(number, { family, index });
      made.push(...numbers);
    }
    const [first, second] = [this.#rowOf(this.#settled(read(0))), this.#rowOf(this.#settled(read(1)))];
    if (first === undefined || second === undefined) return undefined;
    const { family, index } = first;
    const step = second.index - index;
    for (let i = 0; i < count; i++) {
      const other = this.#rowOf(this.#settled(read(i)));
      if (other?.family !== family || other.index !== index + step * i) return undefined;
    }
    return { kind: 'row', family, first: index, step };
  }
}

/** The number of a value of a loop in its first iteration. */
const firstOf = ({ start, turns }: Loop, number: number): number =>
  resultsPerOp * (start + ((positionOf(number) - start) % turns.length)) + resultOf(number);
const iterationOf = ({ start, turns }: Loop, number: number): number =>
  Math.floor((positionOf(number) - start) / turns.length);

const rowLink = (family: number, step: number): Link =>
  Math.abs(step) < maxStep ? linkOf(row!, (family + 2 ** 31) * 2 * maxStep + step + maxStep) : none;

/** Where a slice or the operand of a pad begins, if an op with computed starts can replace it. */
function startsOf(op: Op): readonly number[] | undefined {
  if (op.name === 'slice')
    return op.attributes.strides.every(stride => stride === 1) ? op.attributes.startIndices : undefined;
  if (op.name !== 'pad') return undefined;
  const { edgePaddingLow, edgePaddingHigh, interiorPadding } = op.attributes;
  const isPlain = interiorPadding.every(n => n === 0) && [...edgePaddingLow, ...edgePaddingHigh].every(n => n >= 0);
  return isPlain ? edgePaddingLow : undefined;
}
/** The one dim in which a slice or pad starts elsewhere than its copy in the next iteration, and how far. */
function startChange(now: Op, next: Op): { readonly dim: number; readonly step: number } | undefined {
  const [from, to] = [startsOf(now), startsOf(next)];
  if (from === undefined || to === undefined) return undefined;
  const dims = from.flatMap((start, dim) => (start === to[dim] ? [] : [dim]));
  const dim = dims[0]!;
  return dims.length === 1 ? { dim, step: to[dim]! - from[dim]! } : undefined;
}
