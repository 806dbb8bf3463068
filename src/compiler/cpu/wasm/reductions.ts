// Partial results of reductions in memory that a kernel keeps for itself: cells, one for each lane or column; in pieces
// (cpu/ir/pairwise-sum.ts) if they are sums of several.

import type { Literal } from '../../../hlo/literal.ts';
import { dispatch, isIn, type PerOp } from '../../../hlo/per-op.ts';
import { tensorTypeOf, type Value } from '../../../hlo/program.ts';
import type { ElementType } from '../../../hlo/types.ts';
import { isInteger } from '../../../hlo/types.ts';
import { type Accumulator, identityOf, isIdentity } from '../../ir/accumulator.ts';
import type { Node, Reduction } from '../../ir/node.ts';
import { isScalarOp, scalarOpOf } from '../../ir/scalar-op.ts';
import { scalarValueAt } from '../../ir/scalar-value.ts';
import { isRoundedSum, type Pieces } from '../ir/pairwise-sum.ts';
import { literal, NotPrinted, valueTypeOf } from './elements.ts';
import {
  access,
  addI32,
  andI32,
  apply,
  applyVector,
  type Expr,
  type FunctionBuilder,
  get,
  greaterOrEqual,
  i32Const,
  type Local,
  mulI32,
  select,
  shiftRight,
} from './encoder.ts';
import { scalarCode } from './scalar-code.ts';
import type { Scope, Width } from './scope.ts';
import { isLaneType, vectorCode } from './vector-code.ts';

/** Ops of regions that are no computation. */
const constants: PerOp<'constant', Literal> = { constant: ({ attributes }) => attributes.value };

const logical = {
  add: 'or',
  maximum: 'or',
  or: 'or',
  multiply: 'and',
  minimum: 'and',
  and: 'and',
  xor: 'xor',
} as const;

/** Values in cells: whole registers. */
const cellBytes = (type: ElementType): number => (valueTypeOf(type) === 'i64' || valueTypeOf(type) === 'f64' ? 8 : 4);
const cellLoads = { i32: 0x28, i64: 0x29, f32: 0x2a, f64: 0x2b } as const;
const cellStores = { i32: 0x36, i64: 0x37, f32: 0x38, f64: 0x39 } as const;
export function loadCell(type: ElementType, address: Expr): Expr {
  const value = valueTypeOf(type);
  return apply(value, [cellLoads[value], ...access(0)], address);
}
export function storeCell(f: FunctionBuilder, type: ElementType, address: Expr, value: Expr): void {
  f.store([cellStores[valueTypeOf(type)]], address, value);
}
/** The same for four cells of lanes; those of i1 hold 0 and 1. */
export function loadCells(type: ElementType, address: Expr): Expr {
  const value = applyVector('v128', 0x00, [address], access(0));
  return type === 'i1' ? applyVector('v128', 0xa1, [value]) : value;
}
export function storeCells(f: FunctionBuilder, type: ElementType, address: Expr, value: Expr): void {
  f.store([0xfd, 0x0b], address, type === 'i1' ? applyVector('v128', 0xa1, [value]) : value);
}
export const bytesOfCells = (type: ElementType, count: number): number => count * cellBytes(type);
export const cellAt = (type: ElementType, start: Expr, position: Expr): Expr =>
  addI32(start, mulI32(position, i32Const(cellBytes(type))));

/** The functions of an accumulator. */
export class Combining {
  readonly held: ElementType;
  readonly #accumulator: Accumulator;
  readonly #scope: Scope;
  constructor(accumulator: Accumulator, scope: Scope) {
    this.held = accumulator.held;
    this.#accumulator = accumulator;
    this.#scope = scope;
  }
  identity(): Expr {
    return literal(this.held, identityOf(this.#accumulator));
  }
  #op(): { readonly name: 'add' | 'multiply' | 'maximum' | 'minimum' | 'and' | 'or' | 'xor' } {
    const { name, type } = this.#accumulator;
    return { name: type === 'i1' ? logical[name] : name };
  }
  combine(a: Expr, b: Expr): Expr {
    const { f, shared } = this.#scope;
    return scalarCode(this.#op(), [this.held, this.held], this.held, [f.keep(a), f.keep(b)], f, shared, 'region');
  }
  /** Four cells and four elements. */
  combineVectors(cells: Expr, elements: Expr): Expr {
    const { f, shared } = this.#scope;
    const type = this.#accumulator.type;
    const lanes = type === 'i1' ? 'ui32' : this.held;
    const of = type === 'i1' ? applyVector('v128', 0xa1, [elements]) : elements;
    return vectorCode(this.#op(), [lanes, lanes], lanes, [f.keep(cells), f.keep(of)], f, shared);
  }
  hasVectors(): boolean {
    const { type } = this.#accumulator;
    return type === 'i1' || (isLaneType(type) && isLaneType(this.held));
  }
  /** An element as a partial result. */
  of(element: Expr): Expr {
    return this.#converted(this.#accumulator.type, this.held, element, isInteger(this.#accumulator.type));
  }
  #converted(from: ElementType, to: ElementType, x: Expr, applies: boolean): Expr {
    if (!applies || from === to) return x;
    const { f, shared } = this.#scope;
    return scalarCode({ name: 'convert' }, [from], to, [f.keep(x)], f, shared, 'region');
  }
  finish(init: Node, partial: Expr): Expr {
    const { type } = this.#accumulator;
    const back = (x: Expr): Expr => this.#converted(this.held, type, x, true);
    const start = this.of(this.#scope.value(init, 'scalar'));
    if (init.kind === 'literal')
      return back(isIdentity(this.#accumulator, init.value) ? partial : this.combine(start, partial));
    const { f } = this.#scope;
    const kept = f.keep(partial);
    return back(select(sameBits(f.keep(start), this.identity()), kept, this.combine(start, kept)));
  }
}
function sameBits(a: Expr, b: Expr): Expr {
  switch (a.type) {
    case 'f32':
      return apply('i32', [0x46], apply('i32', [0xbc], a), apply('i32', [0xbc], b));
    case 'f64':
      return apply('i32', [0x51], apply('i64', [0xbd], a), apply('i64', [0xbd], b));
    case 'i64':
      return apply('i32', [0x51], a, b);
    default:
      return apply('i32', [0x46], a, b);
  }
}

/** One reduction's partial results: cells of each input. */
export interface Cells {
  readonly reduction: Reduction;
  /** With the accumulator; absent for regions that are applied in order. */
  readonly combining: Combining | undefined;
  readonly starts: readonly Expr[];
  readonly count: number;
}

/** The partial results of some reductions, of `count` cells each. */
export class PartialSums {
  readonly #scope: Scope;
  readonly #pieces: Pieces | undefined;
  readonly #count: number;
  readonly cells: readonly Cells[];
  /** Where pieces wait, for those that are sums in pieces. */
  readonly #waiting = new Map<Cells, Expr>();
  readonly #added: Local | undefined;
  readonly #ended: Local | undefined;

  constructor(scope: Scope, reductions: readonly Reduction[], count: number, pieces: Pieces | undefined) {
    this.#scope = scope;
    this.#count = count;
    this.cells = reductions.map(reduction => {
      const { accumulator, inputs } = reduction;
      const combining = accumulator && new Combining(accumulator, scope);
      const types = combining ? [combining.held] : inputs.map(n => n.type);
      const starts = types.map(t => scope.memory.scratch(bytesOfCells(t, count)));
      return { reduction, combining, starts, count };
    });
    const inPieces = this.cells.filter(c => pieces !== undefined && isRoundedSum(c.reduction.accumulator));
    this.#pieces = inPieces.length > 0 ? pieces : undefined;
    if (this.#pieces === undefined) return;
    for (const c of inPieces)
      this.#waiting.set(c, scope.memory.scratch(bytesOfCells(c.combining!.held, count) * this.#pieces.levels));
    this.#added = scope.f.local('i32');
    this.#ended = scope.f.local('i32');
  }

  /** Sets all cells to what they start from. */
  start(): void {
    const { f } = this.#scope;
    for (const { combining, starts, reduction } of this.cells)
      this.#each(position => {
        if (combining !== undefined)
          storeCell(f, combining.held, cellAt(combining.held, starts[0]!, position), combining.identity());
        else
          reduction.inits.forEach((init, i) => {
            storeCell(f, init.type, cellAt(init.type, starts[i]!, position), this.#scope.value(init, 'scalar'));
          });
      });
    if (this.#added === undefined) return;
    f.set(this.#added, i32Const(0));
    f.set(this.#ended!, i32Const(0));
  }
  hasVectors(): boolean {
    return this.cells.every(
      c => c.combining?.hasVectors() === true && c.reduction.inputs.every(n => isLaneType(n.type)),
    );
  }
  /** Adds the current element, or four, to the cells from `position` on. */
  add(position: Expr, width: Width): void {
    const scope = this.#scope;
    const { f } = scope;
    for (const { reduction, combining, starts } of this.cells) {
      if (combining === undefined) {
        this.#applyRegion(reduction, starts, position);
        continue;
      }
      const at = f.keep(cellAt(combining.held, starts[0]!, position));
      const element = scope.value(reduction.inputs[0]!, width);
      if (width === 'vector') {
        const cells = applyVector('v128', 0x00, [at], access(0));
        f.store([0xfd, 0x0b], at, combining.combineVectors(cells, element));
      } else storeCell(f, combining.held, at, combining.combine(loadCell(combining.held, at), combining.of(element)));
    }
  }
  #applyRegion({ region, inputs, captured }: Reduction, starts: readonly Expr[], position: Expr): void {
    const scope = this.#scope;
    const { f, shared } = scope;
    const values = new Map<Value, Expr>();
    const places = inputs.map((n, i) => f.keep(cellAt(n.type, starts[i]!, position)));
    inputs.forEach((n, i) => {
      values.set(region.args[i]!, f.keep(loadCell(n.type, places[i]!)));
      values.set(region.args[inputs.length + i]!, scope.value(n, 'scalar'));
    });
    for (const [v, n] of captured) values.set(v, scope.value(n, 'scalar'));
    for (const op of region.ops) {
      const { elementType } = tensorTypeOf(op.results[0]!);
      if (isIn(constants, op))
        values.set(op.results[0]!, literal(elementType, scalarValueAt(dispatch(constants, op), 0)));
      else if (isScalarOp(op)) {
        const types = op.operands.map(v => tensorTypeOf(v).elementType);
        const args = op.operands.map(v => values.get(v)!);
        if (args.includes(undefined as unknown as Expr)) throw new NotPrinted('a region with values from outside');
        values.set(op.results[0]!, f.keep(scalarCode(scalarOpOf(op), types, elementType, args, f, shared, 'region')));
      } else throw new NotPrinted(`a region with ${op.name}`);
    }
    const results = region.results.map(v => values.get(v)!);
    for (const [i, x] of results.entries()) storeCell(f, inputs[i]!.type, places[i]!, x);
  }

  /** After this number of elements: ends the piece if it is long enough. */
  after(elements: Expr): void {
    const pieces = this.#pieces;
    if (pieces === undefined) return;
    const { f } = this.#scope;
    const [added, ended] = [this.#added!, this.#ended!];
    f.set(added, addI32(get(added), elements));
    f.if(greaterOrEqual(get(added), i32Const(pieces.each)), () => {
      const level = f.local('i32');
      f.set(level, i32Const(0));
      const isWaiting = andI32(shiftRight(get(ended), get(level)), i32Const(1));
      f.while(isWaiting, () => {
        this.#join(get(level));
        f.set(level, addI32(get(level), i32Const(1)));
      });
      for (const [c, waiting] of this.#waiting) {
        const { held } = c.combining!;
        this.#each(position => {
          const at = f.keep(cellAt(held, c.starts[0]!, position));
          storeCell(f, held, this.#levelAt(c, waiting, get(level), position), loadCell(held, at));
          storeCell(f, held, at, c.combining!.identity());
        });
      }
      f.set(ended, addI32(get(ended), i32Const(1)));
      f.set(added, i32Const(0));
    });
  }
  #levelAt(c: Cells, waiting: Expr, level: Expr, position: Expr): Expr {
    return cellAt(c.combining!.held, waiting, addI32(mulI32(level, i32Const(this.#count)), position));
  }
  #join(level: Expr): void {
    const { f } = this.#scope;
    for (const [c, waiting] of this.#waiting) {
      const combining = c.combining!;
      const { held } = combining;
      this.#each(position => {
        const at = f.keep(cellAt(held, c.starts[0]!, position));
        const before = loadCell(held, this.#levelAt(c, waiting, level, position));
        storeCell(f, held, at, combining.combine(before, loadCell(held, at)));
      });
    }
  }
  /** Adds the pieces that wait to the cells. */
  joinPieces(): void {
    if (this.#pieces === undefined) return;
    const { f } = this.#scope;
    const level = f.local('i32');
    f.set(level, i32Const(0));
    f.while(shiftRight(get(this.#ended!), get(level)), () => {
      const isWaiting = andI32(shiftRight(get(this.#ended!), get(level)), i32Const(1));
      f.if(isWaiting, () => this.#join(get(level)));
      f.set(level, addI32(get(level), i32Const(1)));
    });
  }
  /** Adds cells to the first one, in halves: always the same tree. */
  fold(): void {
    const { f } = this.#scope;
    for (const { combining, starts } of this.cells) {
      if (combining === undefined) continue;
      const { held } = combining;
      for (let half = this.#count / 2; half >= 1; half /= 2)
        for (let lane = 0; lane < half; lane++) {
          const at = cellAt(held, starts[0]!, i32Const(lane));
          const other = loadCell(held, cellAt(held, starts[0]!, i32Const(lane + half)));
          storeCell(f, held, at, combining.combine(loadCell(held, at), other));
        }
    }
  }
  /** The cells' values at a position, as results of the reductions. */
  finish(position: Expr): void {
    const scope = this.#scope;
    for (const { reduction, combining, starts } of this.cells) {
      const results =
        combining === undefined
          ? reduction.inputs.map((n, i) => loadCell(n.type, cellAt(n.type, starts[i]!, position)))
          : [
              combining.finish(
                reduction.inits[0]!,
                loadCell(combining.held, cellAt(combining.held, starts[0]!, position)),
              ),
            ];
      scope.setReduced(
        reduction,
        results.map(x => scope.f.keep(x)),
      );
    }
  }

  #each(body: (position: Expr) => void): void {
    if (this.#count <= 4) for (let i = 0; i < this.#count; i++) body(i32Const(i));
    else this.#scope.f.loop(i32Const(0), i32Const(this.#count), 1, body);
  }
}
