// Sums of products over named dims (Einstein's notation): parsed, ordered by cost, and contracted two operands at a time.
//
//   'bij,bjk->bik'   b stays: batched     i, k stay: free     j is in both and not in the result: summed

import { TrenioError } from '../../base/errors.ts';
import { zip } from '../../base/zip.ts';
import type { Builder } from '../../hlo/builder.ts';
import { shapeOf, type Value } from '../../hlo/program.ts';
import { diagonal } from './arrange.ts';
import { contract, productType, typeOf } from './narrow.ts';
import { broadcastTo, formatShape, mismatch } from './shapes.ts';

/** A tensor with unique names for its dims. */
export interface Labeled {
  readonly value: Value;
  readonly labels: readonly string[];
}

function bad(b: Builder, equation: string, problem: string): TrenioError {
  return new TrenioError(
    'WRONG_ARGUMENT',
    {
      call: 'einsum',
      argument: 'the equation',
      got: `'${equation}'`,
      expected: problem,
      fix: "name each dim of each operand with a letter, as in 'ij,jk->ik'",
    },
    { location: b.location },
  );
}

/** `equation`: in PyTorch's notation, with `...` for any leading dims. */
export function einsum(b: Builder, equation: string, operands: readonly Value[]): Value {
  const text = equation.replaceAll(' ', '');
  const [left, right, ...rest] = text.split('->') as [string, string | undefined, ...string[]];
  if (rest.length > 0) throw bad(b, equation, 'one arrow');
  const terms = left.split(',');
  if (terms.length !== operands.length)
    throw bad(b, equation, `subscripts for ${operands.length} operand${operands.length === 1 ? '' : 's'}`);
  const broad = Math.max(
    0,
    ...zip(terms, operands).flatMap(([term, x]) =>
      term.includes('...') ? [shapeOf(x).length - term.replace('...', '').length] : [],
    ),
  );
  const sizes = new Map<string, number>();
  const inputs = operands.map((value, i): Labeled => {
    const labels = labelsOf(b, equation, terms[i]!, shapeOf(value).length, broad);
    labels.forEach((label, d) => {
      const size = shapeOf(value)[d]!;
      const known = sizes.get(label) ?? 1;
      if (known !== 1 && size !== 1 && known !== size)
        throw mismatch(b, 'einsum', shapeOf(value), [known], `subscript ${label} has size ${known} elsewhere`);
      if (known === 1) sizes.set(label, size);
    });
    return { value, labels };
  });
  const output =
    right === undefined
      ? implicitOutput(inputs, broad)
      : labelsOf(b, equation, right, right.replace('...', '').length + (right.includes('...') ? broad : 0), broad);
  if (new Set(output).size !== output.length) throw bad(b, equation, 'each subscript of the result once');
  for (const label of output)
    if (!sizes.has(label)) throw bad(b, equation, `subscripts of the result that an operand has, not '${label}'`);
  return contractAll(
    b,
    inputs.map(input => onceEach(b, equation, input, sizes)),
    output,
    sizes,
  );
}

const ellipsisLabel = (i: number): string => `.${i}`;
const ellipsisOf = (count: number, of: number): string[] =>
  Array.from({ length: count }, (_, i) => ellipsisLabel(of - count + i));

function labelsOf(b: Builder, equation: string, term: string, rank: number, broad: number): string[] {
  const [before, after, ...more] = term.split('...') as [string, string | undefined, ...string[]];
  if (more.length > 0 || /[^A-Za-z]/.test(before + (after ?? '')))
    throw bad(b, equation, `letters and at most one '...' in '${term}'`);
  if (after === undefined) {
    if (before.length !== rank) throw bad(b, equation, `${rank} subscripts in '${term}', one for each dim`);
    return [...before];
  }
  const hidden = rank - before.length - after.length;
  if (hidden < 0) throw bad(b, equation, `at most ${rank} subscripts in '${term}', one for each dim`);
  return [...before, ...ellipsisOf(hidden, broad), ...after];
}
/** The dims of the ellipsis, then the letters that occur once, in alphabetical order. */
function implicitOutput(inputs: readonly Labeled[], broad: number): string[] {
  const all = inputs.flatMap(({ labels }) => labels).filter(label => !label.startsWith('.'));
  const once = all.filter(label => all.indexOf(label) === all.lastIndexOf(label));
  return [...ellipsisOf(broad, broad), ...once.sort((x, y) => (x < y ? -1 : 1))];
}
/** Repeated labels become their diagonal; dims of size 1 that broadcast are dropped. */
function onceEach(
  b: Builder,
  equation: string,
  { value, labels }: Labeled,
  sizes: ReadonlyMap<string, number>,
): Labeled {
  let [current, names] = [value, [...labels]];
  for (let i = 0; i < names.length; i++) {
    const again = names.indexOf(names[i]!, i + 1);
    if (again < 0) continue;
    const shape = shapeOf(current);
    if (shape[i] !== shape[again])
      throw mismatch(
        b,
        'einsum',
        shape,
        [i, again],
        `'${equation}' names both dims ${names[i]}, so they must be equal`,
      );
    current = diagonal(b, 'einsum', current, 0, i, again);
    const name = names[i]!;
    names = [...names.filter((_, d) => d !== i && d !== again), name];
    i = -1;
  }
  const kept = names.filter((name, d) => shapeOf(current)[d] === sizes.get(name));
  if (kept.length < names.length)
    current = b.reshape(
      current,
      kept.map(name => sizes.get(name)!),
    );
  return { value: current, labels: kept };
}

/** Two at a time, the cheapest pair first. */
export function contractAll(
  b: Builder,
  inputs: readonly Labeled[],
  output: readonly string[],
  sizes: ReadonlyMap<string, number>,
): Value {
  const type = productType(...inputs.map(({ value }) => value));
  const isNeeded = (label: string, others: readonly Labeled[]): boolean =>
    output.includes(label) || others.some(({ labels }) => labels.includes(label));
  let open = inputs.map(({ value, labels }) => ({ value: b.convert(value, type), labels }) as Labeled);
  while (open.length > 1) {
    const [i, j] = cheapestPair(open, sizes);
    const others = open.filter((_, k) => k !== i && k !== j);
    const [x, y] = [open[i]!, open[j]!].map(one =>
      summed(b, one, label => isNeeded(label, [...others, one === open[i] ? open[j]! : open[i]!])),
    ) as [Labeled, Labeled];
    open = [...others, pair(b, x, y, label => isNeeded(label, others))];
  }
  const last = summed(b, open[0]!, label => output.includes(label));
  const kept = output.filter(label => last.labels.includes(label));
  const ordered = inOrder(b, last, kept);
  // subscripts that occur only at dims of size 1
  return broadcastTo(
    b,
    b.reshape(
      ordered,
      output.map(label => (kept.includes(label) ? sizes.get(label)! : 1)),
    ),
    output.map(label => sizes.get(label)!),
  );
}
function cheapestPair(open: readonly Labeled[], sizes: ReadonlyMap<string, number>): [number, number] {
  let best: [number, number] = [0, 1];
  let least = Infinity;
  for (let i = 0; i < open.length; i++)
    for (let j = i + 1; j < open.length; j++) {
      const all = new Set([...open[i]!.labels, ...open[j]!.labels]);
      const cost = [...all].reduce((product, label) => product * sizes.get(label)!, 1);
      if (cost < least) [best, least] = [[i, j], cost];
    }
  return best;
}
function summed(b: Builder, { value, labels }: Labeled, isNeeded: (label: string) => boolean): Labeled {
  const dims = labels.flatMap((label, d) => (isNeeded(label) ? [] : [d]));
  if (dims.length === 0) return { value, labels };
  const type = typeOf(value);
  const wide = type === 'bf16' || type === 'f16' ? b.convert(value, 'f32') : value;
  return { value: b.convert(b.sum(wide, dims), type), labels: labels.filter(isNeeded) };
}
function inOrder(b: Builder, { value, labels }: Labeled, order: readonly string[]): Value {
  const dims = order.map(label => labels.indexOf(label));
  return dims.every((d, i) => d === i) ? value : b.transpose(value, dims);
}
function pair(b: Builder, x: Labeled, y: Labeled, isNeeded: (label: string) => boolean): Labeled {
  const shared = x.labels.filter(label => y.labels.includes(label));
  const [batch, over] = [shared.filter(isNeeded), shared.filter(label => !isNeeded(label))];
  const free = (of: Labeled): string[] => of.labels.filter(label => !shared.includes(label));
  const labels = [...batch, ...free(x), ...free(y)];
  if (over.length === 0) return { value: multiplied(b, x, y, labels), labels };
  const type = typeOf(x.value);
  const dims = (of: Labeled, names: readonly string[]): number[] => names.map(name => of.labels.indexOf(name));
  const product = contract(b, x.value, y.value, type, {
    lhsBatchingDimensions: dims(x, batch),
    rhsBatchingDimensions: dims(y, batch),
    lhsContractingDimensions: dims(x, over),
    rhsContractingDimensions: dims(y, over),
  });
  return { value: b.convert(product, type), labels };
}
/** Nothing is summed: element by element. */
function multiplied(b: Builder, x: Labeled, y: Labeled, labels: readonly string[]): Value {
  const sizeOf = (label: string): number => {
    const of = x.labels.includes(label) ? x : y;
    return shapeOf(of.value)[of.labels.indexOf(label)]!;
  };
  const wide = (of: Labeled): Value =>
    b.broadcastInDim(
      of.value,
      of.labels.map(label => labels.indexOf(label)),
      labels.map(sizeOf),
    );
  return b.multiply(wide(x), wide(y));
}

/** Sums over dims of x paired with dims of y: the last `dims` of x with the first of y, or as listed. */
export function tensordot(b: Builder, x: Value, y: Value, dims: number | readonly (readonly number[])[]): Value {
  const [sx, sy] = [shapeOf(x), shapeOf(y)];
  const count = typeof dims === 'number' ? dims : dims[0]!.length;
  if (count < 0 || count > Math.min(sx.length, sy.length))
    throw mismatch(b, 'tensordot', sx, sy, `${count} dims of each cannot be paired`);
  const range = (from: number): number[] => Array.from({ length: count }, (_, i) => from + i);
  const [of, to] = typeof dims === 'number' ? [range(sx.length - count), range(0)] : [dims[0]!, dims[1]!];
  const place = (shape: readonly number[], d: number): number => (d < 0 ? d + shape.length : d);
  const [left, right] = [of.map(d => place(sx, d)), to.map(d => place(sy, d))];
  const areDims = (list: readonly number[], rank: number): boolean =>
    new Set(list).size === list.length && list.every(d => d >= 0 && d < rank);
  if (left.length !== right.length || !areDims(left, sx.length) || !areDims(right, sy.length))
    throw mismatch(b, 'tensordot', sx, sy, `the dims ${formatShape(of)} and ${formatShape(to)} do not pair`);
  for (const [i, d] of left.entries())
    if (sx[d] !== sy[right[i]!] && sx[d] !== 1 && sy[right[i]!] !== 1)
      throw mismatch(b, 'tensordot', sx, sy, `dim ${d} and dim ${right[i]} have other sizes`);
  /** Sums over the dims that are paired with one of size 1. */
  const paired = (x: Value, of: readonly number[], other: Value, to: readonly number[]): Value => {
    const long = of.filter((d, i) => shapeOf(x)[d] !== 1 && shapeOf(other)[to[i]!] === 1);
    const shape = shapeOf(x).map((size, d) => (long.includes(d) ? 1 : size));
    return long.length === 0 ? x : b.reshape(b.sum(x, long), shape);
  };
  const [px, py] = [paired(x, left, y, right), paired(y, right, x, left)];
  const labels = (shape: readonly number[], paired: readonly number[], own: string): string[] =>
    shape.map((_, d) => (paired.includes(d) ? `s${paired.indexOf(d)}` : `${own}${d}`));
  const [lx, ly] = [labels(sx, left, 'x'), labels(sy, right, 'y')];
  const sizes = new Map([
    ...lx.map((l, i) => [l, shapeOf(px)[i]!] as const),
    ...ly.map((l, i) => [l, shapeOf(py)[i]!] as const),
  ]);
  const output = [...lx, ...ly].filter(label => !label.startsWith('s'));
  return contractAll(
    b,
    [
      { value: px, labels: lx },
      { value: py, labels: ly },
    ],
    output,
    sizes,
  );
}
/** The sum over the last dims of both; the product if one has no dims. */
export function inner(b: Builder, x: Value, y: Value): Value {
  const [sx, sy] = [shapeOf(x), shapeOf(y)];
  if (sx.length === 0 || sy.length === 0) return tensordot(b, x, y, 0);
  return tensordot(b, x, y, [[sx.length - 1], [sy.length - 1]]);
}
/** Each element of x times all of y, as blocks. */
export function kron(b: Builder, x: Value, y: Value): Value {
  const rank = Math.max(shapeOf(x).length, shapeOf(y).length);
  const padded = (shape: readonly number[]): number[] => [...new Array<number>(rank - shape.length).fill(1), ...shape];
  const [sx, sy] = [padded(shapeOf(x)), padded(shapeOf(y))];
  const paired = sx.flatMap((d, i) => [d, sy[i]!]);
  const type = productType(x, y);
  const spread = (value: Value, shape: readonly number[], offset: number): Value =>
    b.broadcastInDim(
      b.reshape(b.convert(value, type), shape),
      shape.map((_, i) => 2 * i + offset),
      paired,
    );
  return b.reshape(
    b.multiply(spread(x, sx, 0), spread(y, sy, 1)),
    sx.map((d, i) => d * sy[i]!),
  );
}
/** The product of matrices in the order with the fewest multiplications; the first and the last may be vectors. */
export function multiDot(b: Builder, op: string, matrices: readonly Value[]): Value {
  if (matrices.length === 0) throw new TrenioError('NO_TENSORS', { op }, { location: b.location });
  const [first, last] = [shapeOf(matrices[0]!).length === 1, shapeOf(matrices.at(-1)!).length === 1];
  if (matrices.length === 1) return matrices[0]!;
  const values = matrices.map((x, i) => {
    const shape = shapeOf(x);
    if (i === 0 && first) return b.reshape(x, [1, shape[0]!]);
    if (i === matrices.length - 1 && last) return b.reshape(x, [shape[0]!, 1]);
    if (shape.length !== 2) throw mismatch(b, op, shape, [-1, -1], 'matrices are needed');
    return x;
  });
  for (let i = 1; i < values.length; i++)
    if (shapeOf(values[i - 1]!)[1] !== shapeOf(values[i]!)[0])
      throw mismatch(b, op, shapeOf(values[i - 1]!), shapeOf(values[i]!), 'columns of the left, rows of the right');
  const n = values.length;
  const cost = values.map(() => new Array<number>(n).fill(0));
  const cut = values.map(() => new Array<number>(n).fill(0));
  const size = (i: number): number => (i === 0 ? shapeOf(values[0]!)[0]! : shapeOf(values[i - 1]!)[1]!);
  for (let length = 1; length < n; length++)
    for (let i = 0; i + length < n; i++) {
      const j = i + length;
      cost[i]![j] = Infinity;
      for (let k = i; k < j; k++) {
        const total = cost[i]![k]! + cost[k + 1]![j]! + size(i) * size(k + 1) * size(j + 1);
        if (total < cost[i]![j]!) [cost[i]![j], cut[i]![j]] = [total, k];
      }
    }
  const of = (i: number, j: number): Value =>
    i === j ? values[i]! : tensordot(b, of(i, cut[i]![j]!), of(cut[i]![j]! + 1, j), 1);
  const product = of(0, n - 1);
  const [rows, columns] = shapeOf(product) as [number, number];
  return b.reshape(product, [...(first ? [] : [rows]), ...(last ? [] : [columns])]);
}
