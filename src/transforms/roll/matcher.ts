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
import type { Func, Op, Region, Value } from '../../hlo/program.ts';
import { sameType } from '../../hlo/types.ts';
import { capturesOf } from '../../hlo/walk.ts';
import { fewestTurns, type Repeat } from './find-repeats.ts';
import type { Change, Family, Loop, Results, Row, Source, Turn } from './loop.ts';

/** The relation of an operand to that of the next iteration; equal for equal relations. Undefined if nothing does. */
type Link = number | string | undefined;
/** More results than any op that is repeated. */
const maxResults = 256;
/** Values of iterations further back are not carried. */
const maxDistance = 8;
/** Larger constants that differ are not made inputs. */
const maxConstantBytes = 256;

/** Everything that an op reads. */
export function readsOf(op: Op): readonly Value[] {
  return op.regions.length === 0 ? op.operands : [...op.operands, ...capturesOf(op)];
}

export class Matcher {
  readonly loops: Loop[] = [];
  readonly #ops: readonly Op[];
  readonly #mayStack: (argument: Value) => boolean;
  readonly #positions = new Map<Op, number>();
  /** By the position of an op, the loop that it is in. */
  readonly #loopAt: (Loop | undefined)[];
  readonly #rows = new Map<Value, Row>();
  readonly #results = new Map<Loop, Map<number, Results>>();
  #families = 0;

  constructor({ body }: Func, mayStack: (argument: Value) => boolean) {
    this.#ops = body.ops;
    this.#mayStack = mayStack;
    this.#loopAt = new Array(body.ops.length).fill(undefined);
    for (const [i, op] of body.ops.entries()) this.#positions.set(op, i);
  }

  loopAt(position: number): Loop | undefined {
    return this.#loopAt[position];
  }
  /** The value itself, or the one that stands for it because it is the same in each iteration. */
  settled(value: Value): Value {
    const place = this.#placeOf(value);
    return place?.turn.isFixed === true ? place.turn.op.results[value.index]! : value;
  }
  /** The family that a value belongs to. */
  rowOf(value: Value): Row | undefined {
    if (value.op === undefined) return this.#rows.get(value);
    const place = this.#placeOf(value);
    if (place === undefined || place.turn.isFixed) return undefined;
    return { family: this.resultsOf(place.loop, place.at, value.index), index: place.index };
  }
  resultsOf(loop: Loop, at: number, result: number): Results {
    const known = this.#results.get(loop) ?? new Map<number, Results>();
    this.#results.set(loop, known);
    const key = at * maxResults + result;
    const family = known.get(key) ?? { kind: 'results', id: this.#families++, loop, at, result };
    known.set(key, family);
    return family;
  }
  #placeOf({ op }: Value): { loop: Loop; at: number; index: number; turn: Turn } | undefined {
    if (op === undefined) return undefined;
    const position = this.#positions.get(op)!;
    const loop = this.#loopAt[position];
    if (loop === undefined) return undefined;
    const period = loop.turns.length;
    const at = (position - loop.start) % period;
    return { loop, at, index: (position - loop.start - at) / period, turn: loop.turns[at]! };
  }

  /** Adds a loop of as many iterations of the section as are alike, if these are enough. */
  match({ start, period, count }: Repeat): void {
    let [low, high] = [0, count];
    const opOf = (i: number, at: number): Op => this.#ops[start + i * period + at]!;
    /** Keeps the longest stretch of iterations with equal links. */
    const narrow = (linkAt: (i: number) => Link): Link => {
      let best = { from: low, to: low, link: undefined as Link };
      let from = low;
      let current: Link;
      for (let i = low; i < high - 1; i++) {
        const link = linkAt(i);
        if (link !== current || link === undefined) [from, current] = [i, link];
        if (link !== undefined && i + 1 - from > best.to - best.from) best = { from, to: i + 1, link };
      }
      [low, high] = [best.from, best.to + 1];
      return best.link;
    };
    const section = { start, period, end: start + count * period };
    const changes: Link[] = [];
    const links: Link[][] = [];
    const reads: (readonly Value[])[][] = [];
    for (let at = 0; at < period; at++) {
      changes.push(narrow(i => changeLink(opOf(i, at), opOf(i + 1, at))));
      if (high - low < fewestTurns) return;
      const values: (readonly Value[])[] = [];
      for (let i = low; i < high; i++) values[i] = readsOf(opOf(i, at));
      reads.push(values);
      const operands = values[low]!.length;
      narrow(i => (values[i]!.length === operands && values[i + 1]!.length === operands ? 0 : undefined));
      links.push(
        Array.from({ length: operands }, (_, slot) =>
          high - low < fewestTurns
            ? undefined
            : narrow(i => this.#link(section, i, values[i]![slot]!, values[i + 1]![slot]!)),
        ),
      );
      if (high - low < fewestTurns) return;
    }
    this.#add(
      start + low * period,
      high - low,
      Array.from({ length: period }, (_, at) => ({
        ops: Array.from({ length: high - low }, (_, i) => opOf(low + i, at)),
        change: changes[at],
        links: links[at]!,
        reads: reads[at]!.slice(low, high),
      })),
    );
  }

  #link(section: { start: number; period: number; end: number }, i: number, now: Value, next: Value): Link {
    const { start, period, end } = section;
    const positionOf = ({ op }: Value): number => {
      const position = op === undefined ? -1 : this.#positions.get(op)!;
      return position >= start && position < end ? position - start : -1;
    };
    const [a, b] = [positionOf(now), positionOf(next)];
    if (b >= 0) {
      const turn = Math.floor(b / period);
      const code = (b % period) * maxResults + next.index;
      if (turn === i + 1) return a === b - period && now.index === next.index ? code : undefined;
      if (now === next && turn < i) return 'fixed';
      const distance = i + 1 - turn;
      const isCarried = distance <= maxDistance && a < i * period && sameType(now.type, next.type);
      return isCarried ? -(code * (maxDistance + 1) + distance) : undefined;
    }
    if (a >= 0) return undefined;
    const [x, y] = [this.settled(now), this.settled(next)];
    if (x === y) return 'fixed';
    const [row, following] = [this.rowOf(x), this.rowOf(y)];
    if (row !== undefined)
      return row.family === following?.family ? `${row.family.id} ${following.index - row.index}` : undefined;
    const isList = following === undefined && this.#mayStack(x) && this.#mayStack(y) && sameType(x.type, y.type);
    return isList ? 'list' : undefined;
  }

  #add(
    start: number,
    count: number,
    section: readonly {
      ops: readonly Op[];
      change: Link;
      links: readonly Link[];
      reads: readonly (readonly Value[])[];
    }[],
  ): void {
    const turns: Turn[] = [];
    const made: Value[] = [];
    for (const { ops, change: link, links, reads } of section) {
      const change = changeOf(ops, link);
      const sources: Source[] = [];
      for (const [slot, code] of links.entries()) {
        const source = this.#sourceOf(code, reads, slot, made);
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
      turns.push({ op: ops[0]!, sources, change, isFixed });
    }
    const loop = { start, count, turns };
    this.loops.push(loop);
    this.#loopAt.fill(loop, start, start + count * turns.length);
  }

  /** The operands of all iterations as a source. Arguments that become a family are added to `made`. */
  #sourceOf(link: Link, reads: readonly (readonly Value[])[], slot: number, made: Value[]): Source | undefined {
    const first = reads[0]![slot]!;
    if (typeof link === 'number') {
      const code = link < 0 ? Math.floor(-link / (maxDistance + 1)) : link;
      const place = { at: Math.floor(code / maxResults), result: code % maxResults };
      if (link >= 0) return { kind: 'turn', ...place };
      return {
        kind: 'carried',
        ...place,
        inits: reads.slice(0, -link % (maxDistance + 1)).map(values => values[slot]!),
      };
    }
    if (link === 'fixed') return { kind: 'fixed', value: this.settled(first) };
    const values = reads.map(of => of[slot]!);
    if (link === 'list' && this.rowOf(first) === undefined) {
      if (new Set(values).size < values.length || values.some(value => this.#rows.has(value))) return undefined;
      const family: Family = { kind: 'arguments', id: this.#families++, values };
      for (const [index, value] of values.entries()) this.#rows.set(value, { family, index });
      made.push(...values);
    }
    const rows = values.map(value => this.rowOf(this.settled(value)));
    const [row, second] = [rows[0], rows[1]];
    if (row === undefined || second === undefined) return undefined;
    const { family, index } = row;
    const step = second.index - index;
    if (rows.some((other, i) => other?.family !== family || other.index !== index + step * i)) return undefined;
    return { kind: 'row', family, first: index, step };
  }
}

/** How an op differs from its copy in the next iteration, apart from operands. */
function changeLink(now: Op, next: Op): Link {
  if (now.name !== next.name || now.results.length !== next.results.length) return undefined;
  if (!now.results.every((result, i) => sameType(result.type, next.results[i]!.type))) return undefined;
  if (now.regions.length !== next.regions.length) return undefined;
  if (now.regions.length > 0) {
    const captured = [...capturesOf(next)];
    const pairs = new Map([...capturesOf(now)].map((value, i): [Value, Value] => [value, captured[i]!]));
    if (!now.regions.every((region, i) => sameRegion(region, next.regions[i]!, pairs))) return undefined;
  }
  if (now.name === 'constant' && next.name === 'constant')
    return bytesOf(now.attributes.value).length <= maxConstantBytes || equalAttributes(now.attributes, next.attributes)
      ? 'same'
      : undefined;
  if (equalAttributes(now.attributes, next.attributes)) return 'same';
  const [from, to] = [startsOf(now), startsOf(next)];
  if (from === undefined || to === undefined) return undefined;
  const dims = from.flatMap((start, dim) => (start === to[dim] ? [] : [dim]));
  const dim = dims[0]!;
  return dims.length === 1 ? `${dim} ${to[dim]! - from[dim]!}` : undefined;
}

/** Where a slice or the operand of a pad begins, if an op with computed starts can replace it. */
function startsOf(op: Op): readonly number[] | undefined {
  if (op.name === 'slice')
    return op.attributes.strides.every(stride => stride === 1) ? op.attributes.startIndices : undefined;
  if (op.name !== 'pad') return undefined;
  const { edgePaddingLow, edgePaddingHigh, interiorPadding } = op.attributes;
  const isPlain = interiorPadding.every(n => n === 0) && [...edgePaddingLow, ...edgePaddingHigh].every(n => n >= 0);
  return isPlain ? edgePaddingLow : undefined;
}

function changeOf(ops: readonly Op[], link: Link): Change {
  const [first] = ops as readonly [Op];
  if (first.name === 'constant') {
    const literals = ops.map(op => (op as Op<'constant'>).attributes.value);
    return literals.every(literal => equalAttributes(literal, literals[0]))
      ? { kind: 'none' }
      : { kind: 'numbers', literals };
  }
  if (link === 'same') return { kind: 'none' };
  const [dim, step] = String(link).split(' ').map(Number) as [number, number];
  return { kind: 'start', dim, first: startsOf(first)![dim]!, step };
}

function sameRegion(a: Region, b: Region, pairs: Map<Value, Value>): boolean {
  const pair = (xs: readonly Value[], ys: readonly Value[]): boolean =>
    xs.length === ys.length &&
    xs.every((x, i) => {
      pairs.set(x, ys[i]!);
      return sameType(x.type, ys[i]!.type);
    });
  const arePaired = (xs: readonly Value[], ys: readonly Value[]): boolean =>
    xs.length === ys.length && xs.every((x, i) => pairs.get(x) === ys[i]);
  return (
    pair(a.args, b.args) &&
    a.ops.length === b.ops.length &&
    a.ops.every((x, i) => {
      const y = b.ops[i]!;
      return (
        x.name === y.name &&
        arePaired(x.operands, y.operands) &&
        equalAttributes(x.attributes, y.attributes) &&
        x.regions.length === y.regions.length &&
        x.regions.every((region, k) => sameRegion(region, y.regions[k]!, pairs)) &&
        pair(x.results, y.results)
      );
    }) &&
    arePaired(a.results, b.results)
  );
}
