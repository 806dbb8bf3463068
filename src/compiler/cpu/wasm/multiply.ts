// The code of multiplies: one function for each type, with sizes and strides as arguments. Every element is summed as in C:
// products in the order of k, one multiply-add each, pass by pass; or in lanes for the plan of few rows.
import { type GemmElementType, type QuantizedFormat, quantizedRuns } from '../../ir/multiply.ts';
import { elementBytes, sumTypeOf } from '../gemm/problem.ts';
import type { Multiply } from '../ir/kernel.ts';
import type { GemmProblem, RowDotPlan } from '../ir/multiply-tiling.ts';
import { literal, load, store } from './elements.ts';
import {
  access,
  addI32,
  andI32,
  apply,
  applyVector,
  type Callee,
  callCode,
  type Expr,
  FunctionBuilder,
  get,
  i32Const,
  lessThan,
  minI32,
  mulI32,
  select,
  shiftRight,
  type ValueType,
} from './encoder.ts';
import type { KernelMemory } from './scope.ts';
import type { SharedFunctions } from './shared-functions.ts';

type SumType = 'f32' | 'f64';
const subtract = (a: Expr, b: Expr): Expr => apply('i32', [0x6b], a, b);
const times = (a: Expr, n: number): Expr => (n === 1 ? a : mulI32(a, i32Const(n)));
const zeroVector: Expr = { type: 'v128', code: [0xfd, 0x0c, ...new Array<number>(16).fill(0)] };
const loadVector = (at: Expr, offset: number): Expr => applyVector('v128', 0x00, [at], access(offset));
/** a · b + c, as the target rounds it. */
type MultiplyAdd = (a: Expr, b: Expr, c: Expr) => Expr;
const multiplyAddOf = (type: SumType, { target }: SharedFunctions): MultiplyAdd =>
  target.fma
    ? (a, b, c) => applyVector('v128', type === 'f32' ? 0x105 : 0x107, [a, b, c])
    : (a, b, c) => add(type, applyVector('v128', type === 'f32' ? 0xe6 : 0xf2, [a, b]), c);
const add = (type: SumType, a: Expr, b: Expr): Expr => applyVector('v128', type === 'f32' ? 0xe4 : 0xf0, [a, b]);
const loadSplat = (type: SumType, at: Expr): Expr => applyVector('v128', type === 'f32' ? 0x09 : 0x0a, [at], access(0));
const bytesOf = { f32: 4, f64: 8 } as const;

/** A multiply of plain matrices of the type of their sums; strides in bytes. */
interface Product {
  readonly a: Expr;
  readonly aRow: number;
  readonly aK: number;
  readonly b: Expr;
  readonly bK: number;
  readonly bColumn: number;
  readonly c: Expr;
  readonly cRow: number;
  readonly cColumn: number;
}

/** Prints a multiply whose result begins at `c`, of type `result`. */
export function multiplyCode(
  { plan, lhs, rhs, scales, spec }: Multiply,
  f: FunctionBuilder,
  shared: SharedFunctions,
  memory: KernelMemory,
  c: Expr,
  result: GemmElementType,
): void {
  const { problem: p } = plan;
  const [left, right] = p.swapped ? [rhs, lhs] : [lhs, rhs];
  const type: SumType = sumTypeOf(p.elementType);
  const size = bytesOf[type];
  const bytes = { operand: elementBytes(p.elementType), result: elementBytes(result) };
  const start = ({ slot, offset }: Multiply['lhs']): Expr =>
    addI32(memory.slots[slot]!.address, i32Const(offset * bytes.operand));
  const isWidened = p.elementType !== type || spec.compute !== undefined;
  const rowsOf = (rows: number): Expr => memory.scratch(rows * p.k * size);
  const wide = {
    a: isWidened ? rowsOf(p.m) : undefined,
    b: isWidened || spec.quantized !== undefined || p.panel !== undefined ? rowsOf(p.n) : undefined,
  };
  const sums = result === type ? undefined : memory.scratch(p.m * p.n * size);
  const element = (at: Expr): Expr => {
    const x = load(p.elementType, at, shared);
    return spec.compute === undefined ? x : toTf32(f.keep(x));
  };
  const resultAt = (at: Expr, i: Expr, j: Expr): Expr =>
    addI32(at, addI32(times(i, p.c.m * bytes.result), times(j, p.c.n * bytes.result)));
  const one = (a: Expr, b: Expr, at: Expr): void => {
    if (plan.kind === 'empty') {
      over2(f, p.m, p.n, (i, j) => store(f, result, resultAt(at, i, j), literal(type, 0), shared));
      return;
    }
    const dense = (to: Expr, rows: number, row: number, step: number, from: Expr): void =>
      over2(f, rows, p.k, (i, k) => {
        const place = addI32(from, addI32(times(i, row * bytes.operand), times(k, step * bytes.operand)));
        store(f, type, addI32(to, addI32(times(i, p.k * size), times(k, size))), element(place), shared);
      });
    if (wide.a !== undefined) dense(wide.a, p.m, p.a.m, p.a.k, a);
    if (spec.quantized !== undefined)
      quantizedRows(spec.quantized, p, memory, { codes: right.slot, scales: scales!, to: wide.b! }, f, shared);
    else if (p.panel !== undefined)
      over2(f, p.n, p.k, (j, k) => {
        const place = addI32(b, times(panelPlace(p, j, k), bytes.operand));
        store(f, type, addI32(wide.b!, addI32(times(j, p.k * size), times(k, size))), element(place), shared);
      });
    else if (wide.b !== undefined) dense(wide.b, p.n, p.b.n, p.b.k, b);
    const x = {
      ...(wide.a === undefined
        ? { a, aRow: p.a.m * size, aK: p.a.k * size }
        : { a: wide.a, aRow: p.k * size, aK: size }),
      ...(wide.b === undefined
        ? { b, bK: p.b.k * size, bColumn: p.b.n * size }
        : { b: wide.b, bK: size, bColumn: p.k * size }),
      ...(sums === undefined
        ? { c: at, cRow: p.c.m * size, cColumn: p.c.n * size }
        : { c: sums, cRow: p.n * size, cColumn: size }),
    };
    if (plan.kind === 'dot' && !plan.pairs) rowDots(plan, x, f, shared, memory);
    else tiles(p, plan.kind === 'tiled' ? plan.depth : p.k, x, f, shared, memory);
    if (sums === undefined) return;
    over2(f, p.m, p.n, (i, j) => {
      const sum = load(type, addI32(sums, addI32(times(i, p.n * size), times(j, size))), shared);
      store(f, result, resultAt(at, i, j), shared.rounded(result, sum), shared);
    });
  };
  const over = (dim: number, a: Expr, b: Expr, at: Expr): void => {
    const d = p.batch[dim];
    if (d === undefined) one(a, b, at);
    else
      f.loop(i32Const(0), i32Const(d.size), 1, i => {
        const next = (x: Expr, step: number): Expr => f.keep(addI32(x, times(i, step)));
        over(dim + 1, next(a, d.a * bytes.operand), next(b, d.b * bytes.operand), next(at, d.c * bytes.result));
      });
  };
  over(0, start(left), start(right), c);
}
function over2(f: FunctionBuilder, rows: number, columns: number, body: (i: Expr, j: Expr) => void): void {
  f.loop(i32Const(0), i32Const(rows), 1, i => f.loop(i32Const(0), i32Const(columns), 1, j => body(i, j)));
}
/** Rounded to 10 bits of mantissa, ties to even; infinities and NaN stay. */
function toTf32(x: Expr): Expr {
  const bits = apply('i32', [0xbc], x);
  const odd = andI32(shiftRight(bits, i32Const(13)), i32Const(1));
  const rounded = andI32(addI32(addI32(bits, i32Const(0xfff)), odd), i32Const(~0x1fff));
  const isSpecial = apply('i32', [0x46], andI32(bits, i32Const(0x7f800000)), i32Const(0x7f800000));
  return apply('f32', [0xbe], select(isSpecial, bits, rounded));
}

/** The place of element (j, k) of a matrix that is stored in panels, in elements. */
function panelPlace({ panel, k: depth, elementType }: GemmProblem, j: Expr, k: Expr): Expr {
  const width = elementType === 'bf16' ? 2 : 1;
  const column = addI32(times(quotient(j, panel!), depth * panel!), times(remainder(j, panel!), width));
  return addI32(addI32(column, times(quotient(k, width), width * panel!)), remainder(k, width));
}
const quotient = (x: Expr, by: number): Expr => (by === 1 ? x : apply('i32', [0x6d], x, i32Const(by)));
const remainder = (x: Expr, by: number): Expr => (by === 1 ? i32Const(0) : apply('i32', [0x6f], x, i32Const(by)));

/** The elements of a quantized matrix [n, k] as rows of f32. */
function quantizedRows(
  format: QuantizedFormat,
  { n, k }: GemmProblem,
  memory: KernelMemory,
  at: { readonly codes: number; readonly scales: number; readonly to: Expr },
  f: FunctionBuilder,
  shared: SharedFunctions,
): void {
  const { bits, block, table } = format;
  const { rows, halves, bytes } = quantizedRuns(format);
  const run = halves * bytes;
  const [codes, scales] = [memory.slots[at.codes]!, memory.slots[at.scales]!];
  over2(f, n, k, (row, column) => {
    const placeOf = (perRow: number, width: number): Expr =>
      addI32(times(addI32(times(quotient(row, rows), perRow), quotient(column, width)), rows), remainder(row, rows));
    const code = f.keep(
      load(
        codes.type,
        addI32(codes.address, addI32(times(placeOf(k / run, run), bytes), remainder(column, bytes))),
        shared,
      ),
    );
    const high = apply('i32', [0x4e], remainder(column, run), i32Const(bytes));
    const value =
      bits === 8
        ? apply('f32', [0xb2], code)
        : shared.lookUp(table!, andI32(select(high, shiftRight(code, i32Const(4)), code), i32Const(15)));
    const scaleAt = addI32(
      scales.address,
      times(placeOf(k / block, block), elementBytes(scales.type as GemmElementType)),
    );
    const scaled = apply('f32', [0x94], value, load(scales.type, scaleAt, shared));
    store(f, 'f32', addI32(at.to, addI32(times(row, k * 4), times(column, 4))), scaled, shared);
  });
}

function tiles(
  p: GemmProblem,
  depth: number,
  x: Product,
  f: FunctionBuilder,
  shared: SharedFunctions,
  memory: KernelMemory,
): void {
  const type = sumTypeOf(p.elementType);
  const multiply = shared.function(`multiply ${type}`, () => tiledFunction(type, shared));
  const numbers = [x.aRow, x.aK, x.bK, x.bColumn, x.cRow, x.cColumn, p.m, p.n, p.k, depth].map(n => i32Const(n));
  f.emit(callCode(multiply, x.a, x.b, x.c, ...numbers, memory.scratch(depth * panelBytes)));
}

function rowDots(
  plan: RowDotPlan,
  x: Product,
  f: FunctionBuilder,
  shared: SharedFunctions,
  memory: KernelMemory,
): void {
  const { m, n, k, elementType } = plan.problem;
  const type = sumTypeOf(elementType);
  const size = bytesOf[type];
  let { a, aRow } = x;
  if (x.aK !== size) {
    const packed = memory.scratch(m * k * size);
    over2(f, m, k, (i, at) => {
      const element = load(type, addI32(x.a, addI32(times(i, x.aRow), times(at, x.aK))), shared);
      store(f, type, addI32(packed, addI32(times(i, k * size), times(at, size))), element, shared);
    });
    a = packed;
    aRow = k * size;
  }
  const dot = shared.function(`dot ${type} ${plan.lanes}`, () =>
    dotFunction(type, plan.lanes, multiplyAddOf(type, shared)),
  );
  over2(f, m, n, (i, j) => {
    const at = addI32(x.c, addI32(times(i, x.cRow), times(j, x.cColumn)));
    f.emit(callCode(dot, addI32(a, times(i, aRow)), addI32(x.b, times(j, x.bColumn)), at, i32Const(k)));
  });
}

/** A panel of the right operand: two vectors wide. */
const panelBytes = 32;
const stripRows = 4;

/** (a, b, c, strides of them, m, n, k, depth of a pass, memory for a panel) */
function tiledFunction(type: SumType, shared: SharedFunctions): FunctionBuilder {
  const params = new Array<ValueType>(14).fill('i32');
  const f = new FunctionBuilder(params);
  const [a, b, c, aRow, aK, bK, bColumn, cRow, cColumn, m, n, k, depth, panel] = f.params.map(get) as [
    ...[Expr, Expr, Expr, Expr, Expr, Expr, Expr],
    ...[Expr, Expr, Expr, Expr, Expr, Expr, Expr],
  ];
  const size = bytesOf[type];
  const width = panelBytes / size;
  const strip = (rows: number): Callee =>
    shared.function(`strip ${type} ${rows}`, () => stripFunction(type, rows, multiplyAddOf(type, shared)));
  f.loop(i32Const(0), n, width, j => {
    const columns = f.keep(minI32(i32Const(width), subtract(n, j)));
    const passFrom = f.local('i32');
    f.set(passFrom, i32Const(0));
    f.while(lessThan(get(passFrom), k), () => {
      const k0 = get(passFrom);
      const steps = f.keep(minI32(depth, subtract(k, k0)));
      const from = f.keep(addI32(b, addI32(mulI32(j, bColumn), mulI32(k0, bK))));
      f.loop(i32Const(0), steps, 1, step => {
        const [source, target] = [
          f.keep(addI32(from, mulI32(step, bK))),
          f.keep(addI32(panel, times(step, panelBytes))),
        ];
        f.loop(i32Const(0), columns, 1, column =>
          store(
            f,
            type,
            addI32(target, times(column, size)),
            load(type, addI32(source, mulI32(column, bColumn)), shared),
            shared,
          ),
        );
      });
      const row = f.local('i32');
      f.set(row, i32Const(0));
      const rowsOf = (rows: number): void =>
        f.while(lessThan(addI32(get(row), i32Const(rows - 1)), m), () => {
          const left = addI32(a, addI32(mulI32(get(row), aRow), mulI32(k0, aK)));
          const to = addI32(c, addI32(mulI32(get(row), cRow), mulI32(j, cColumn)));
          f.emit(callCode(strip(rows), left, aRow, aK, panel, steps, to, cRow, cColumn, columns, k0));
          f.set(row, addI32(get(row), i32Const(rows)));
        });
      rowsOf(stripRows);
      rowsOf(1);
      f.set(passFrom, addI32(k0, steps));
    });
  });
  return f;
}

/**
 * (left, its strides, panel, steps of k, result, its strides, columns that exist, k before this pass): rows of the result, or
 * added to them after the first pass.
 */
function stripFunction(type: SumType, rows: number, multiplyAdd: MultiplyAdd): FunctionBuilder {
  const f = new FunctionBuilder(new Array<ValueType>(10).fill('i32'));
  const [left, aRow, aK, panel, steps, c, cRow, cColumn, columns, before] = f.params.map(get) as [
    ...[Expr, Expr, Expr, Expr, Expr],
    ...[Expr, Expr, Expr, Expr, Expr],
  ];
  const size = bytesOf[type];
  const width = panelBytes / size;
  const perVector = 16 / size;
  const indices = [...Array(rows).keys()];
  const sums = indices.map(() => [0, 1].map(() => f.local('v128')));
  for (const row of sums) for (const s of row) f.set(s, zeroVector);
  const places = indices.map(i => {
    const at = f.local('i32');
    f.set(at, i === 0 ? left : addI32(left, mulI32(aRow, i32Const(i))));
    return at;
  });
  const source = f.local('i32');
  f.set(source, panel);
  const end = f.keep(addI32(panel, times(steps, panelBytes)));
  f.while(lessThan(get(source), end), () => {
    const vectors = [0, 16].map(offset => f.keep(loadVector(get(source), offset)));
    indices.forEach(i => {
      const x = f.keep(loadSplat(type, get(places[i]!)));
      for (const [v, s] of sums[i]!.entries()) f.set(s, multiplyAdd(x, vectors[v]!, get(s)));
      f.set(places[i]!, addI32(get(places[i]!), aK));
    });
    f.set(source, addI32(get(source), i32Const(panelBytes)));
  });
  const isWhole = apply(
    'i32',
    [0x71],
    apply('i32', [0x46], cColumn, i32Const(size)),
    apply('i32', [0x46], columns, i32Const(width)),
  );
  const rowAt = (i: number): Expr => (i === 0 ? c : f.keep(addI32(c, mulI32(cRow, i32Const(i)))));
  const isFirst = apply('i32', [0x45], before);
  f.ifElse(
    isWhole,
    () => {
      indices.forEach(i => {
        const at = rowAt(i);
        sums[i]!.forEach((s, v) => {
          f.ifElse(
            isFirst,
            () => f.store([0xfd, 0x0b], at, get(s), 16 * v),
            () => f.store([0xfd, 0x0b], at, add(type, loadVector(at, 16 * v), get(s)), 16 * v),
          );
        });
      });
    },
    () => {
      indices.forEach(i => {
        const at = rowAt(i);
        for (let column = 0; column < width; column++)
          f.if(lessThan(i32Const(column), columns), () => {
            const lane = column % perVector;
            const s = get(sums[i]![Math.floor(column / perVector)]!);
            const value = applyVector(type, type === 'f32' ? 0x1f : 0x21, [s], [lane]);
            const to = f.keep(addI32(at, mulI32(cColumn, i32Const(column))));
            const [loads, stores, sum] = type === 'f32' ? [0x2a, 0x38, 0x92] : [0x2b, 0x39, 0xa0];
            f.ifElse(
              isFirst,
              () => f.store([stores], to, value),
              () => f.store([stores], to, apply(type, [sum], apply(type, [loads, ...access(0)], to), value)),
            );
          });
      });
    },
  );
  return f;
}

/** (row of the left operand, row of the right one, result, k): a sum in lanes, which are added in order, then the rest of k. */
function dotFunction(type: SumType, lanes: number, multiplyAdd: MultiplyAdd): FunctionBuilder {
  const f = new FunctionBuilder(['i32', 'i32', 'i32', 'i32']);
  const [a, b, c, k] = f.params.map(get) as [Expr, Expr, Expr, Expr];
  const size = bytesOf[type];
  const perVector = 16 / size;
  const vectors = [...Array(lanes / perVector).keys()];
  const sums = vectors.map(() => f.local('v128'));
  for (const s of sums) f.set(s, zeroVector);
  const [left, right, at] = [f.local('i32'), f.local('i32'), f.local('i32')];
  f.set(left, a);
  f.set(right, b);
  f.set(at, i32Const(0));
  const advance = (count: number): void => {
    f.set(left, addI32(get(left), i32Const(count * size)));
    f.set(right, addI32(get(right), i32Const(count * size)));
    f.set(at, addI32(get(at), i32Const(count)));
  };
  f.while(lessThan(addI32(get(at), i32Const(lanes - 1)), k), () => {
    for (const v of vectors)
      f.set(sums[v]!, multiplyAdd(loadVector(get(left), 16 * v), loadVector(get(right), 16 * v), get(sums[v]!)));
    advance(lanes);
  });
  const total = f.local(type);
  f.set(total, literal(type, 0));
  const [plus, extract, splat, loads, stores] =
    type === 'f32' ? [0x92, 0x1f, 0x13, 0x2a, 0x38] : [0xa0, 0x21, 0x14, 0x2b, 0x39];
  for (const v of vectors)
    for (let lane = 0; lane < perVector; lane++)
      f.set(total, apply(type, [plus], get(total), applyVector(type, extract, [get(sums[v]!)], [lane])));
  f.while(lessThan(get(at), k), () => {
    const [x, y, s] = [
      apply(type, [loads, ...access(0)], get(left)),
      apply(type, [loads, ...access(0)], get(right)),
      get(total),
    ].map(e => applyVector('v128', splat, [e])) as [Expr, Expr, Expr];
    f.set(total, applyVector(type, extract, [multiplyAdd(x, y, s)], [0]));
    advance(1);
  });
  f.store([stores], c, get(total));
  return f;
}
