// Random scripts as functions of sizes: which ops run depends on the names of dims ("n", "m", "2n"), never on their sizes, so
// that a script of other sizes records a program of the same structure, except where an op is recorded differently for a size.
import { isTrenioError } from '../../base/errors.ts';
import { structureOf } from '../../hlo/func-key.ts';
import { type Literal, literal } from '../../hlo/literal.ts';
import { type Func, tensorTypeOf } from '../../hlo/program.ts';
import { sampleLiteral } from '../../hlo/sample-literal.testing.ts';
import { InterpreterBackend } from '../../runtime/backends/interpreter/interpreter-backend.ts';
import { type SymbolicProgram, symbolicProgram } from '../../transforms/symbolic/symbolic-program.ts';
import * as functional from '../generated/functional.ts';
import {
  arange,
  cat,
  control,
  Device,
  einsum,
  rand,
  setDefaultDevice,
  stack,
  type Tensor,
  tensor,
  where,
  zeros,
} from '../index.ts';
import { randomOf } from './random-loop.testing.ts';

export type Sizes = readonly [n: number, m: number, k: number];
/** A tensor of f32 and the names of its dims. */
interface Named {
  readonly x: Tensor;
  readonly dims: readonly string[];
}

class Script {
  readonly #random: (limit: number) => number;
  readonly #sizes: Readonly<Record<string, number>>;
  readonly values: Named[] = [];
  readonly leaves: Tensor[] = [];

  constructor(seed: number, [n, m, k]: Sizes) {
    this.#random = randomOf(seed);
    this.#sizes = { n, m, k, 1: 1, 3: 3, 5: 5 };
  }

  /** A parameter. */
  leaf(dims: readonly string[]): Named {
    const shape = dims.map(name => this.#sizes[name]!);
    const count = shape.reduce((a, b) => a * b, 1);
    const x = tensor(
      Float32Array.from({ length: count }, (_, i) => Math.fround(Math.sin(i + 1))),
      { shape },
    );
    this.leaves.push(x.requiresGrad_());
    return { x, dims };
  }
  start(): void {
    const names = ['n', 'm', 'k', 'n', 'm', '3', '5', '1'];
    const count = 1 + this.#random(3);
    for (let i = 0; i < count; i++) {
      const rank = 1 + this.#random(3);
      this.values.push(this.leaf(Array.from({ length: rank }, () => this.#pick(names))));
    }
  }
  /** The next statement. */
  next(): void {
    const found = this.#statement(this.#pick(this.values.slice(-4)));
    if (found.dims.length > 4) return;
    this.values.push(found);
  }

  #pick<T>(list: readonly T[]): T {
    return list[this.#random(list.length)]!;
  }
  /** Another value, in a shape that can be broadcast with this one. */
  #partner({ dims }: Named): Tensor {
    const other = this.#pick(this.values);
    const skipped = dims.length - other.dims.length;
    const fits = skipped >= 0 && other.dims.every((name, d) => name === '1' || name === dims[d + skipped]);
    return fits ? other.x : other.x.sum().mul(0.01);
  }
  /** Indices of a number that is a dim of the script, within a size. */
  #indices(count: string, size: number): Tensor {
    const length = this.#sizes[count]!;
    return arange(length).mul(7).add(3).remainder(Math.max(size, 1));
  }

  #statement(value: Named): Named {
    const { x, dims } = value;
    const rank = dims.length;
    const kind = this.#random(60);
    const d = rank === 0 ? 0 : this.#random(rank);
    const name = dims[d] ?? '1';
    const size = rank === 0 ? 1 : x.shape[d]!;
    const same = (y: Tensor): Named => ({ x: y, dims });
    const without = (y: Tensor): Named => ({ x: y, dims: dims.toSpliced(d, 1) });
    const sized = (y: Tensor, other: string): Named => ({ x: y, dims: dims.with(d, other) });
    if (rank === 0) return { x: x.mul(this.#pick(this.values).x).tanh(), dims: this.values.at(-1)!.dims.slice(0, 0) };
    switch (kind) {
      case 0:
        return same(x.tanh());
      case 1:
        return same(this.#pick([x.relu(), x.sigmoid(), x.abs(), x.square().mul(0.1)]));
      case 2:
        return same(x.add(this.#partner(value)));
      case 3:
        return same(x.mul(this.#partner(value)));
      case 4:
        return same(x.softmax(d));
      case 5:
        return same(x.logSoftmax(d));
      case 6:
        return without(x.logsumexp(d));
      case 7:
        return without(x.sum(d));
      case 8:
        return without(x.mean(d));
      case 9:
        return without(x.amax(d));
      case 10:
        return without(x.prod(d));
      case 11:
        return without(x.argmax(d).float());
      case 12:
        return same(x.sub(x.mean(d, true)).div(x.var(d, false, true).add(1e-3).sqrt()));
      case 13: {
        const out = this.#pick(['n', 'm', '3', 'k']);
        const last = dims.at(-1)!;
        if (this.#sizes[last] === undefined) return same(x.neg());
        return { x: x.matmul(this.leaf([last, out]).x).mul(0.3), dims: dims.with(-1, out) };
      }
      case 14:
        if (rank < 2) return { x: x.outer(x), dims: [name, name] };
        return { x: x.matmul(x.transpose(-1, -2)).mul(0.1), dims: dims.with(-1, dims.at(-2)!) };
      case 15:
        if (rank < 2) return { x: x.dot(x), dims: [] };
        return { x: x.transpose(-1, -2).matmul(x).mul(0.1), dims: dims.with(-2, dims.at(-1)!) };
      case 16: {
        if (rank !== 2) return same(x.cos());
        return this.#pick<() => Named>([
          () => ({ x: einsum('ij,kj->ik', x, x), dims: [dims[0]!, dims[0]!] }),
          () => ({ x: einsum('ij,ij->j', x, x), dims: [dims[1]!] }),
          () => ({ x: einsum('ij,ik->ijk', x, x), dims: [dims[0]!, dims[1]!, dims[1]!] }),
        ])();
      }
      case 17:
        return sized(x.slice(d, 1, size), `(${name}-1)`);
      case 18:
        return sized(x.narrow(d, Math.floor(size / 2), size - Math.floor(size / 2)), `(${name}/2)`);
      case 19:
        return sized(x.slice(d, 0, size, 2), `(${name}:2)`);
      case 20:
        return without(x.select(d, Math.max(0, size - 1)));
      case 21:
        return sized(cat([x, x.mul(2)], d), `(2${name})`);
      case 22:
        return { x: stack([x, this.#partner(value).add(x)], d), dims: dims.toSpliced(d, 0, '2') };
      case 23: {
        const zero = zeros(x.shape.with(d, 2));
        return sized(cat(this.#random(2) ? [zero, x] : [x, zero], d), `(${name}+2)`);
      }
      case 24: {
        const count = this.#pick(['n', 'm', '5']);
        return sized(x.indexSelect(d, this.#indices(count, size)), count);
      }
      case 25: {
        const index = arange(x.numel()).mul(5).remainder(Math.max(size, 1)).reshape(x.shape);
        return same(x.gather(d, index));
      }
      case 26: {
        const index = arange(x.numel()).mul(3).remainder(Math.max(size, 1)).reshape(x.shape);
        return same(zeros(x.shape).scatterAdd(d, index, x));
      }
      case 27:
        return same(x.cumsum(d).mul(0.2));
      case 28:
        return same(x.cumprod(d));
      case 29:
        return same(x.sort(d).values);
      case 30:
        return sized(x.topk(1, d).values, '1');
      case 31:
        return same(where(x.gt(this.#partner(value)), x, x.mul(0.5)));
      case 32:
        return same(x.maskedFill(arange(x.shape.at(-1)!).lt(x.shape.at(-1)! - 1), -1));
      case 33:
        return same(rank < 2 ? x.neg() : this.#random(2) ? x.tril(0) : x.triu(1));
      case 34:
        return { x: x.flatten(), dims: [`(${dims.join('*')})`] };
      case 35:
        return { x: x.unsqueeze(d), dims: dims.toSpliced(d, 0, '1') };
      case 36: {
        const other = this.#pick(['n', 'm', '3']);
        const shape = x.shape.toSpliced(d, 0, this.#sizes[other]!);
        return { x: x.unsqueeze(d).expand(shape), dims: dims.toSpliced(d, 0, other) };
      }
      case 37: {
        const order = [...dims.keys()].map(i => (i + d) % rank);
        return { x: x.permute(order), dims: order.map(i => dims[i]!) };
      }
      case 38:
        return same(this.#random(2) ? x.flip(d) : x.roll(1, d));
      case 39:
        return same(x.mul(rand(x.shape).lt(0.5).float()));
      case 40:
        return same(x.mul(3).round().remainder(5).float().add(x));
      case 41:
        return same(
          x.add(
            arange(x.shape.at(-1)!)
              .float()
              .div(Math.max(1, x.shape.at(-1)!)),
          ),
        );
      case 42:
        return same(x.mul(x.gt(0).any(d, true).float()).add(x.long().remainder(3).float()));
      case 43:
        if (rank < 2) return same(x.mul(x.shape[0]!));
        return {
          x: control.scan(
            (carry, row: Tensor) => [carry.add(row).tanh(), carry.mul(row)] as const,
            x.select(0, 0),
            x,
          )[1],
          dims,
        };
      case 44:
        if (rank < 3 && rank > 0) {
          const pooled = functional.avgPool1d((rank === 2 ? x : x.unsqueeze(0)).unsqueeze(0), 3, {
            stride: 1,
            padding: 1,
          });
          return same(rank === 2 ? pooled.squeeze(0) : pooled.squeeze(0).squeeze(0));
        }
        return same(x.exp().clamp({ max: 2 }));
      case 45: {
        const count = size < 2 ? size : Math.floor(size / 2) + 1;
        return sized(x.topk(count, d).values, `(${name}/2+1)`);
      }
      case 46:
        return same(x.cummax(d).values);
      case 47:
        if (rank !== 1) return same(x.logcumsumexp(d));
        return { x: functional.avgPool1d(x.unsqueeze(0).unsqueeze(0), size).flatten(), dims: ['1'] };
      case 48:
        if (rank !== 2) return same(x.cumsum(d));
        return same(functional.maxPool1d(x.unsqueeze(0), 3, { stride: 1, padding: 1 }).squeeze(0));
      case 49:
        return same(x.roll(Math.floor(size / 2), d));
      case 50: {
        const count = this.#pick(['n', 'k']);
        return sized(x.repeatInterleave(this.#sizes[count]!, d), `(${name}x${count})`);
      }
      case 51: {
        const times = dims.map((_, i) => (i === d ? this.#sizes.m! : 1));
        return sized(x.repeat(times), `(m.${name})`);
      }
      case 52:
        if (dims.at(-1) !== 'n' || rank > 2) return same(x.sin());
        return same(functional.layerNorm(x, [x.shape.at(-1)!]));
      case 53:
        if (rank !== 2 || this.#sizes[dims[0]!] === undefined) return same(x.var(d, false, true).add(x));
        return {
          x: functional.conv1d(x.unsqueeze(0), this.leaf(['5', dims[0]!, '3']).x, { padding: 1 }).squeeze(0),
          dims: ['5', dims[1]!],
        };
      case 54:
        if (rank !== 2) return without(x.median(d).values);
        return { x: x.diagonal().add(0), dims: [`min(${dims.toSorted()})`] };
      case 55: {
        const classes = this.#pick(['n', 'm']);
        const hot = x.mul(3).long().remainder(Math.max(1, this.#sizes[classes]!)).unsqueeze(-1);
        return { x: hot.eq(arange(this.#sizes[classes]!)).float().mul(x.unsqueeze(-1)), dims: [...dims, classes] };
      }
      case 56:
        if (size < 2) return same(x.mul(2));
        return sized(x.unfold(d, 2, 1).mean(-1), `(${name}-1)`);
      case 57:
        return { x: this.#sizes[name] === undefined ? x.sign() : x.indexAdd(d, this.#indices(name, size), x), dims };
      case 58:
        return same(x.double().softmax(d).float());
      default:
        return rank < 2
          ? same(x.neg())
          : {
              x: x.transpose(0, 1).reshape(x.shape[0]! * x.shape[1]!, -1),
              dims: [`(${dims[0]}*${dims[1]})`, `(${dims.slice(2).join('*')})`],
            };
    }
  }
}

/** The program of a script with these sizes. Throws where an op cannot take them. */
export function recordedSizes(seed: number, sizes: Sizes): Func {
  const device = new Device(new InterpreterBackend(), { seed: 0, log: () => {} });
  setDefaultDevice(device);
  let func: Func | undefined;
  try {
    const random = randomOf(seed + 1);
    const script = new Script(seed, sizes);
    script.start();
    const statements = 1 + random(8);
    for (let i = 0; i < statements; i++) script.next();
    const last = script.values.at(-1)!.x;
    if (random(3) > 0) {
      script.values
        .map(({ x }) => x.square().mean())
        .reduce((a, b) => a.add(b))
        .backward();
      for (const { grad } of script.leaves) if (grad) (grad as Tensor).keep();
    }
    last.keep();
    device.observed(
      run => {
        func = run.func;
      },
      () => device.markStep(),
    );
  } finally {
    setDefaultDevice(undefined);
  }
  return func!;
}

/** Arguments for a program. */
export const sampleInputs = ({ body }: Func): readonly Literal[] =>
  body.args.map((arg, i) => {
    const { elementType, shape } = tensorTypeOf(arg);
    return elementType === 'ui64' ? literal('ui64', shape, [7, 3]) : sampleLiteral(elementType, shape, i + 1);
  });

/** A random script as a program for all sizes, and other sizes for which it should compute the script's program. */
export interface SizesCase {
  readonly seed: number;
  readonly symbolic: SymbolicProgram;
  readonly others: readonly { readonly sizes: Sizes; readonly func: Func; readonly more: readonly Literal[] }[];
}
/** Counts the outcomes of a campaign's scripts. */
export interface SizesCount {
  /** Programs for sizes that were not among the samples. */
  bound: number;
  /** Sizes at which the script's structure or a number that was always the same differs. */
  unbound: number;
  /** Why programs for all sizes could not be made. */
  readonly refused: Map<string, number>;
}

/** Undefined if the script cannot have sizes that change. */
export function sizesCase(seed: number, count: SizesCount): SizesCase | undefined {
  const random = randomOf(seed + 2);
  const draw = (sizes: readonly number[]): number => sizes[random(sizes.length)]!;
  const usual = [2, 3, 4, 5, 6, 7, 8, 9];
  const sizesOf = (of: readonly number[]): Sizes => [draw(of), draw(of), draw(of)];
  const isEqual = random(4) === 0;
  const recorded = (sizes: Sizes): Func | undefined => {
    try {
      return recordedSizes(seed, isEqual ? [sizes[0], sizes[0], sizes[2]] : sizes);
    } catch (error) {
      if (isTrenioError(error)) return undefined;
      throw error;
    }
  };
  const samples = Array.from({ length: 3 }, () => recorded(sizesOf(usual))).filter(func => func !== undefined);
  const key = samples[0] && structureOf(samples[0]).key;
  const alike = samples.filter(func => structureOf(func).key === key);
  if (alike.length < 2) return undefined;
  let symbolic: SymbolicProgram;
  try {
    symbolic = symbolicProgram(alike);
  } catch (error) {
    if (!isTrenioError(error, 'UNSUPPORTED')) throw error;
    const why = error.message.split('\n')[0]!;
    count.refused.set(why, (count.refused.get(why) ?? 0) + 1);
    return undefined;
  }
  const others = Array.from({ length: 5 }, () => sizesOf(random(3) > 0 ? usual : [0, 1, 2, 17, 33])).flatMap(sizes => {
    const func = recorded(sizes);
    const structure = func && structureOf(func);
    const more = structure?.key === key ? symbolic.bind(structure!) : undefined;
    if (more === undefined) count.unbound++;
    else count.bound++;
    return more === undefined ? [] : [{ sizes, func: func!, more }];
  });
  return { seed, symbolic, others };
}
