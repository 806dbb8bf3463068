// A cache, and the compiled programs that add tokens to it. A prompt is processed in chunks whose lengths are powers of two, so
// few programs are compiled; each following token runs one program that works at every position. Sessions are reused, so that a
// second generation does not trace again.
//
//   prompt of 600 tokens:  512 │ 88, padded to 128     the slots of the padding are overwritten by the following tokens
//   prompt of 90:            2 │ 88, padded to 128     all prompts end in the last chunk, wherever they begin
import type { Module } from '../../nn/index.ts';
import {
  atOneLocation,
  compile,
  type DType,
  noGrad,
  record,
  type Tensor,
  tensor,
  userLocation,
} from '../../tensor/index.ts';
import type { GenerativeModel } from './generative-model.ts';
import { type CacheSizes, CacheStep, KeyValueCache, SourceCache } from './kv-cache.ts';

/** The memory of a chunk's attention scores is proportional to its length. */
const largestChunk = 512;
const smallestChunk = 8;
const smallestCache = 32;
/** Caches start with at most this many slots for new tokens and grow on demand: every step reads the whole cache. */
const eagerSlots = 4096;

/** The results of a step for the next tokens: the logits, f32 [B, V], or the tokens with the largest ones, i32 [B, 1]. */
export type Wanted = 'logits' | 'best';

interface StepArguments {
  readonly ids: Tensor;
  /** The number of tokens in each row of the cache, i32 [B]. */
  readonly lengths: Tensor;
  /** The position in the chunk of each row's token whose logits are returned, i32 [B]. */
  readonly last: Tensor;
  readonly positions: readonly Tensor[];
}

interface Programs {
  step(step: StepArguments, isFirst: boolean, wanted: Wanted | undefined): Tensor | undefined;
  /** Row b becomes a copy of row `rows[b]`. */
  select(rows: Tensor): void;
}

function programsFor(model: GenerativeModel, cache: KeyValueCache, source: SourceCache | undefined): Programs {
  return {
    step: compile(({ ids, lengths, last, positions }: StepArguments, isFirst: boolean, wanted?: Wanted) => {
      const time = ids.shape[1]!;
      const step = new CacheStep(cache, { lengths, time, isFirst }, source);
      const hidden = model.forward(ids, positions, step); // [B, T, H]
      if (wanted === undefined) return undefined;
      const logits = model
        .logits(time === 1 ? hidden : at(hidden, last))
        .to('f32')
        .reshape(ids.shape[0]!, -1);
      return wanted === 'logits' ? logits : logits.argmax(-1, { keepDim: true }).to('i32');
    }),
    select: compile((rows: Tensor) => {
      for (const one of cache.tensors) one.assign_(one.indexSelect(0, rows));
    }),
  };
}

export const powerOfTwo = (least: number): number => 2 ** Math.ceil(Math.log2(Math.max(1, least)));

/** The lengths of the chunks in which a prompt is processed. */
export function chunksOf(prompt: number): readonly number[] {
  const chunks: number[] = [];
  for (let left = prompt; left > 0; left -= chunks.at(-1)!)
    chunks.push(Math.min(largestChunk, Math.max(smallestChunk, powerOfTwo(left))));
  return chunks;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, n) => total + n, 0);

/** The initial number of slots of a cache, for a prompt and at most this many new tokens. */
export function slotsFor(prompt: number, newTokens: number): number {
  const chunks = sum(chunksOf(prompt));
  return powerOfTwo(Math.max(smallestCache, chunks, prompt + Math.min(newTokens, Math.max(eagerSlots, prompt))));
}

/** The generation of a number of rows. */
export class Session {
  readonly rows: number;
  readonly #model: GenerativeModel;
  #cache: KeyValueCache;
  readonly #source: SourceCache | undefined;
  readonly #encode: (inputs: readonly Tensor[]) => void;
  #programs: Programs;
  /** The tokens of each row. */
  #tokens: readonly number[][] = [];
  /** The number of tokens in each row of the cache. */
  #lengths: Int32Array;
  #wanted: Wanted = 'logits';
  /** The modules of the model. */
  #modules: readonly Module[] = [];
  /** The user's line that started the generation. */
  #location = userLocation();
  /** The positions of the tokens of steps of one token. */
  #onlyToken: Tensor | undefined;

  /** The number of positions of the source. */
  readonly sourceLength: number | undefined;

  constructor(model: GenerativeModel, rows: number, length: number, sourceLength: number | undefined) {
    this.#model = model;
    this.rows = rows;
    this.sourceLength = sourceLength;
    this.#lengths = new Int32Array(rows);
    this.#cache = new KeyValueCache(this.#sizes(length));
    const source = sourceLength === undefined ? undefined : new SourceCache(this.#sizes(sourceLength));
    this.#source = source;
    this.#encode = compile((inputs: readonly Tensor[]) => source!.store(model.encode!(inputs)));
    this.#programs = programsFor(model, this.#cache, source);
  }

  /** The number of slots. */
  get length(): number {
    return this.#cache.sizes.length;
  }
  /** The number of tokens in the longest row of the cache. */
  get filled(): number {
    return this.#lengths.reduce((most, length) => Math.max(most, length), 0);
  }

  #sizes(length: number): CacheSizes {
    const { layers, keyHeads, headDim, dtype, device } = this.#model;
    return { rows: this.rows, length, layers, keyHeads, headDim, dtype, device };
  }

  /** Runs the encoder: all following tokens are generated from its result. */
  encode(inputs: readonly Tensor[]): void {
    evaluating([...this.#model.module.modules()], () => noGrad(() => this.#encode(inputs)));
  }

  /** Processes the prompt of each row. All steps return what is wanted. */
  prefill(prompts: readonly (readonly number[])[], wanted: Wanted): Tensor {
    this.#location = userLocation();
    this.#wanted = wanted;
    this.#modules = [...this.#model.module.modules()];
    this.#tokens = prompts.map(prompt => [...prompt]);
    this.#lengths = new Int32Array(this.rows);
    const longest = prompts.reduce((most, { length }) => Math.max(most, length), 0);
    let next: Tensor | undefined;
    let left = longest;
    for (const chunk of chunksOf(longest)) {
      const isFirst = left === longest;
      left = Math.max(0, left - chunk);
      const ids = new Int32Array(this.rows * chunk);
      const counts = Int32Array.from(prompts, (prompt, row) => {
        const part = prompt.slice(this.#lengths[row]!, Math.max(0, prompt.length - left));
        ids.set(part, row * chunk);
        return part.length;
      });
      next = this.#run(ids, counts, longest, isFirst, left === 0);
    }
    return next!;
  }

  /** Whether `next` accepts tokens that are not computed yet. */
  get acceptsPending(): boolean {
    return this.#model.rotationsChangeAfter === undefined;
  }

  /** Adds a token to each row: numbers, or a tensor [B, 1] that need not be computed yet. */
  next(tokens: Int32Array | Tensor): Tensor {
    const { filled } = this;
    if (filled === this.length) this.#grow();
    if (tokens instanceof Int32Array) {
      this.#tokens.forEach((row, i) => {
        row.push(tokens[i]!);
      });
      // The keys in the cache have the rotations of a shorter sequence: all tokens are processed again.
      if (filled === this.#model.rotationsChangeAfter) return this.prefill(this.#tokens, this.#wanted);
    }
    return this.#run(tokens, new Int32Array(this.rows).fill(1), filled + 1, false, true)!;
  }

  /** Row b continues row `rows[b]`. */
  reorder(rows: Int32Array): void {
    if (rows.every((row, i) => row === i)) return;
    noGrad(() => this.#programs.select(tensor(rows, { device: this.#model.device })));
    this.#tokens = Array.from(rows, row => [...this.#tokens[row]!]);
    this.#lengths = rows.map(row => this.#lengths[row]!);
  }

  /** @param counts the number of tokens that are added to each row; those behind them in `ids` [B, T] are padding */
  #run(
    ids: Int32Array | Tensor,
    counts: Int32Array,
    longest: number,
    isFirst: boolean,
    hasLogits: boolean,
  ): Tensor | undefined {
    // Far from the user's line, a search for it at each token would take longer than all else here.
    const step = atOneLocation(() => this.#argumentsOf(ids, counts, longest, isFirst), this.#location);
    const wanted = hasLogits ? this.#wanted : undefined;
    const next = evaluating(this.#modules, () => noGrad(() => this.#programs.step(step, isFirst, wanted)));
    this.#lengths = this.#lengths.map((length, row) => length + counts[row]!);
    return next;
  }

  #argumentsOf(ids: Int32Array | Tensor, counts: Int32Array, longest: number, isFirst: boolean): StepArguments {
    const { device } = this.#model;
    const time = ids instanceof Int32Array ? ids.length / this.rows : 1;
    const positions = new Int32Array(this.rows * time);
    for (let row = 0; row < this.rows; row++)
      for (let t = 0; t < time; t++)
        // Padding after the last token gets the last valid position.
        positions[row * time + t] = this.#lengths[row]! + Math.max(0, Math.min(t, counts[row]! - 1));
    const upload = (data: Float32Array | Int32Array, shape: readonly number[]): Tensor =>
      tensor(data, { shape, device });
    const lastOf = (): Tensor =>
      upload(
        counts.map(count => Math.max(0, count - 1)),
        [this.rows],
      );
    if (time === 1) this.#onlyToken ??= lastOf();
    return {
      ids: ids instanceof Int32Array ? upload(ids, [this.rows, time]) : ids,
      lengths: upload(this.#lengths, [this.rows]),
      last: time === 1 ? this.#onlyToken! : lastOf(),
      positions: this.#model
        .positionInputs(positions, this.rows, longest, isFirst ? time : this.length)
        .map(({ data, shape }) => upload(data, shape)),
    };
  }

  /** Doubles the number of slots; the program of the next token is compiled again. */
  #grow(): void {
    const old = this.#cache;
    this.#cache = new KeyValueCache(this.#sizes(2 * this.length));
    noGrad(() =>
      this.#cache.tensors.forEach((grown, i) => {
        const [, , length] = old.tensors[i]!.shape as [number, number, number];
        grown.narrow(2, 0, length).copy_(old.tensors[i]!);
      }),
    );
    this.#programs = programsFor(this.#model, this.#cache, this.#source);
  }
}

/** Selects the time step `times[b]` of each row of x [B, T, H] → [B, 1, H]. */
function at(x: Tensor, times: Tensor): Tensor {
  const [rows, , width] = x.shape as [number, number, number];
  if (rows > 1) return x.gather(1, times.reshape(rows, 1, 1).expand([rows, 1, width]));
  return record('lastToken', [x, times], (b, [all, index]) => {
    const time = b.reshape(index!, []);
    const zero = b.like(time, 0);
    return b.emit1('dynamic_slice', [all!, zero, time, zero], { sliceSizes: [rows, 1, width] });
  });
}

/** Runs `body` with these modules in evaluation mode, and restores their modes. */
function evaluating<T>(modules: readonly Module[], body: () => T): T {
  const inTraining = modules.filter(one => one.training);
  for (const one of inTraining) one.training = false;
  try {
    return body();
  } finally {
    for (const one of inTraining) one.training = true;
  }
}

/** Sessions of a model that are not in use. */
export class SessionPool {
  readonly #model: GenerativeModel;
  #idle: Session[] = [];
  constructor(model: GenerativeModel) {
    this.#model = model;
  }
  take(rows: number, length: number, sourceLength: number | undefined): Session {
    // Every step reads the whole cache: one that is much longer than needed is slower.
    const fits = (one: Session): boolean =>
      one.rows === rows && one.sourceLength === sourceLength && one.length >= length && one.length <= 4 * length;
    const found = this.#idle.filter(fits).sort((a, b) => a.length - b.length)[0];
    if (found === undefined) return new Session(this.#model, rows, length, sourceLength);
    this.#idle = this.#idle.filter(one => one !== found);
    return found;
  }
  release(session: Session): void {
    this.#idle = [session, ...this.#idle].slice(0, keptSessions);
  }
}
/** Each idle session keeps the memory of its cache. */
const keptSessions = 2;

interface Known {
  readonly parameters: readonly unknown[];
  readonly dtype: DType;
  readonly pool: SessionPool;
}
const pools = new WeakMap<Module, Known>();

/** The idle sessions of a model; discarded when its parameters are replaced or change their data type. */
export function sessionsOf(model: GenerativeModel): SessionPool {
  const { module, dtype } = model;
  const parameters = [...module.parameters()];
  const known = pools.get(module);
  const isSame =
    known?.dtype === dtype &&
    known.parameters.length === parameters.length &&
    known.parameters.every((one, i) => one === parameters[i]);
  if (isSame) return known.pool;
  const pool = new SessionPool(model);
  pools.set(module, { parameters, dtype, pool });
  return pool;
}
