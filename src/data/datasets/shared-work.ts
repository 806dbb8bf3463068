// Loader workers share the work that determines the entries of a stream. Every worker reads the whole stream, but `filter` and
// `packSequences` need a fact about each item: whether it is kept, how many tokens it has. One worker computes that for
// a block of entries and sends it to the others, with the items, so that nothing is computed twice.
//
//   entries    0 1 2 … 15 │ 16 … 31 │ 32 … 47 │          worker 0 claims block 0, worker 1 block 1, worker 0 block 2 …
//   block  ──▶ facts [1, 0, 1, …] and the items of those that are not 0, in shared memory
//
// The result depends on the entry only, so the stream is the same whichever worker computes a block. A block whose computation
// fails is computed again by each worker that needs it, so that an error is raised at its entry, and only if that entry is
// reached.
import { deserialize, serialize } from 'node:v8';
import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import type { Lazy } from './lazy-entry.ts';

/** Entries that one worker computes together. */
const blockSize = 16;
/** The shared parts of a chain, and the blocks of each. */
const maxParts = 8;
const slots = 1 << 16;
const maxWorkers = 64;
/** Blocks with more bytes are computed by each worker. */
const maxBlockBytes = 1 << 26;

/** One epoch of all workers: the claimed blocks, in shared memory. */
export interface SharedPass {
  /** Increases with each pass. */
  readonly number: number;
  readonly claims: SharedArrayBuffer;
}
export const sharedPass = (number: number): SharedPass => ({
  number,
  claims: new SharedArrayBuffer(maxParts * slots * Int32Array.BYTES_PER_ELEMENT),
});

/** A block as sent to other workers. */
interface SentBlock {
  readonly pass: number;
  readonly part: number;
  readonly block: number;
  /** Undefined if it could not be computed. */
  readonly facts: Int32Array | undefined;
  /** Where the item of each entry ends in `bytes`; undefined if items cannot be sent. */
  readonly ends: Float64Array | undefined;
  readonly bytes: SharedArrayBuffer | undefined;
}

/** The other workers, from the view of one of them. */
export class Peers {
  readonly id: number;
  /** By worker; null for itself. */
  readonly #ports: readonly (MessagePort | null)[];
  readonly #gone = new Set<number>();
  readonly #blocks = new Map<string, SentBlock>();
  #pass = 0;
  #wake: (() => void) | undefined;

  constructor(id: number, ports: readonly (MessagePort | null)[]) {
    this.id = id;
    this.#ports = ports;
    ports.forEach((port, peer) => {
      port?.on('message', (block: SentBlock) => this.#receive(block));
      port?.on('close', () => {
        this.#gone.add(peer);
        this.#wake?.();
      });
      // The connections to other workers do not keep a thread alive.
      port?.unref();
    });
  }
  get count(): number {
    return this.#ports.length;
  }
  /** Forgets older passes. */
  begin(pass: number): void {
    this.#pass = pass;
    for (const [key, block] of this.#blocks) if (block.pass < pass) this.#blocks.delete(key);
  }
  isGone(peer: number): boolean {
    return this.#gone.has(peer);
  }
  send(block: SentBlock): void {
    for (const port of this.#ports) port?.postMessage(block);
  }
  /** A block that has been sent to this worker. */
  take(pass: number, part: number, block: number): SentBlock | undefined {
    for (const port of this.#ports) {
      if (port === null) continue;
      for (let next = receiveMessageOnPort(port); next !== undefined; next = receiveMessageOnPort(port))
        this.#receive(next.message as SentBlock);
    }
    const key = keyOf(pass, part, block);
    const found = this.#blocks.get(key);
    this.#blocks.delete(key);
    return found;
  }
  /** Waits until another block has arrived, or a worker has exited. */
  async news(): Promise<void> {
    await new Promise<void>(resolve => {
      this.#wake = resolve;
    });
  }
  #receive(block: SentBlock): void {
    if (block.pass >= this.#pass) this.#blocks.set(keyOf(block.pass, block.part, block.block), block);
    this.#wake?.();
  }
}
const keyOf = (pass: number, part: number, block: number): string => `${pass} ${part} ${block}`;

/** One worker's share of a pass. */
export class SharedWork {
  readonly #peers: Peers;
  readonly #pass: number;
  readonly #claims: Int32Array;
  #parts = 0;

  constructor(peers: Peers, pass: SharedPass) {
    this.#peers = peers;
    this.#pass = pass.number;
    this.#claims = new Int32Array(pass.claims);
    peers.begin(pass.number);
  }
  /** The next part of the chain; all workers ask in the same order. Undefined for more parts than can be shared. */
  part(): SharedPart | undefined {
    const part = this.#parts++;
    if (part >= maxParts || this.#peers.count > maxWorkers) return undefined;
    return new SharedPart(this.#peers, this.#pass, part, this.#claims.subarray(part * slots, (part + 1) * slots));
  }
}

/** A part of the chain that needs a fact about each item. */
export class SharedPart {
  readonly #peers: Peers;
  readonly #pass: number;
  readonly #part: number;
  readonly #claims: Int32Array;

  constructor(peers: Peers, pass: number, part: number, claims: Int32Array) {
    this.#peers = peers;
    this.#pass = pass;
    this.#part = part;
    this.#claims = claims;
  }
  /** How many blocks are read ahead while another worker computes one. */
  get maxAhead(): number {
    return 4 * this.#peers.count;
  }
  /** Whether this worker has to compute the block; otherwise another one computes it or has done so. */
  claim(block: number): boolean {
    const slot = block % slots;
    const value = (block + 1) * maxWorkers + this.#peers.id;
    for (;;) {
      const known = Atomics.load(this.#claims, slot);
      if (known >= (block + 1) * maxWorkers) return false;
      if (Atomics.compareExchange(this.#claims, slot, known, value) === known) return true;
    }
  }
  /** Whether the worker that has claimed the block has ended. */
  isAbandoned(block: number): boolean {
    const known = Atomics.load(this.#claims, block % slots);
    return Math.floor(known / maxWorkers) === block + 1 && this.#peers.isGone(known % maxWorkers);
  }
  take(block: number): SentBlock | undefined {
    return this.#peers.take(this.#pass, this.#part, block);
  }
  news(): Promise<void> {
    return this.#peers.news();
  }
  send(block: number, facts: Int32Array | undefined, items: readonly unknown[]): void {
    const { ends, bytes } = facts === undefined ? { ends: undefined, bytes: undefined } : packed(facts, items);
    this.#peers.send({ pass: this.#pass, part: this.#part, block, facts, ends, bytes });
  }
}

function packed(facts: Int32Array, items: readonly unknown[]): Pick<SentBlock, 'ends' | 'bytes'> {
  const nothing = { ends: undefined, bytes: undefined };
  const chunks: Uint8Array[] = [];
  const ends = new Float64Array(facts.length);
  let end = 0;
  for (let i = 0; i < facts.length; i++) {
    if (facts[i] !== 0) {
      // An object of a class would arrive without its class.
      if (!isPlain(items[i])) return nothing;
      chunks.push(serialize(items[i]));
      end += chunks.at(-1)!.length;
      if (end > maxBlockBytes) return nothing;
    }
    ends[i] = end;
  }
  const bytes = new SharedArrayBuffer(end);
  const all = new Uint8Array(bytes);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return { ends, bytes };
}

function isPlain(value: unknown): boolean {
  if (typeof value === 'function' || typeof value === 'symbol') return false;
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return true;
  // Long arrays contain numbers or strings.
  if (Array.isArray(value))
    return value.every(entry => (typeof entry === 'number' || typeof entry === 'string' ? true : isPlain(entry)));
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return false;
  return Object.values(value).every(isPlain);
}

/** An entry, and the decision about its item. */
export interface Decided<T> {
  readonly fact: number;
  readonly lazy: Lazy<T>;
}
/** Computes a fact about an item, an integer from 0; items with 0 are not used. */
export type Decide<T> = (item: T, index: number) => number | Promise<number>;

interface Block<T> {
  readonly number: number;
  readonly entries: readonly Lazy<T>[];
  /** The result that this worker has computed ahead of its turn; null: the computation failed. */
  result: readonly Decided<T>[] | null | undefined;
}

/** The entries with the result of `decide` for each: with `part`, computed once by all workers together. */
export async function* decided<T>(
  entries: AsyncIterable<Lazy<T>>,
  decide: Decide<T>,
  part: SharedPart | undefined,
): AsyncGenerator<Decided<T>> {
  if (part === undefined) {
    let index = 0;
    for await (const lazy of entries) yield await decidedNow(lazy, decide, index++);
    return;
  }
  const blocks = blocksOf(entries);
  const ahead: Block<T>[] = [];
  let hasEnded = false;
  let end: End | undefined;
  const readAhead = async (): Promise<Block<T> | undefined> => {
    if (hasEnded) return undefined;
    const { value } = await blocks.next();
    hasEnded = value?.end !== undefined;
    if (value?.block !== undefined) ahead.push(value.block);
    end = value?.end;
    return value?.block;
  };
  /** Computes another block while a worker computes the first one; returns false if there is none left. */
  const computeOther = async (): Promise<boolean> => {
    for (let i = 0; i < part.maxAhead; i++) {
      const block = ahead[i] ?? (await readAhead());
      if (block === undefined) return false;
      if (block.result !== undefined || !part.claim(block.number)) continue;
      block.result = await computed(block, decide, part);
      return true;
    }
    return false;
  };
  const resultOf = async (block: Block<T>): Promise<readonly Decided<T>[] | null> => {
    if (block.result !== undefined) return block.result;
    for (;;) {
      if (part.claim(block.number)) return await computed(block, decide, part);
      const sent = part.take(block.number);
      if (sent !== undefined) return received(sent, block);
      if (part.isAbandoned(block.number)) return null;
      if (await computeOther()) continue;
      // It may have arrived in the meantime; from here on nothing is awaited before the next message.
      const late = part.take(block.number);
      if (late !== undefined) return received(late, block);
      if (part.isAbandoned(block.number)) return null;
      await part.news();
    }
  };
  try {
    for (;;) {
      if (ahead.length === 0 && (await readAhead()) === undefined) {
        if (end !== undefined && 'error' in end) throw end.error;
        return;
      }
      const block = ahead.shift()!;
      const result = await resultOf(block);
      if (result !== null) yield* result;
      else
        for (const [i, lazy] of block.entries.entries())
          yield await decidedNow(lazy, decide, block.number * blockSize + i);
    }
  } finally {
    await blocks.return(undefined);
  }
}

async function decidedNow<T>(lazy: Lazy<T>, decide: Decide<T>, index: number): Promise<Decided<T>> {
  const item = await lazy();
  return { fact: await decide(item, index), lazy: () => item };
}

/** How the entries have ended. */
type End = { readonly error: unknown } | Readonly<Record<string, never>>;

/** An error comes after the entries before it, which may not all be read. */
async function* blocksOf<T>(
  entries: AsyncIterable<Lazy<T>>,
): AsyncGenerator<{ readonly block?: Block<T>; readonly end?: End }, undefined> {
  let block: Lazy<T>[] = [];
  let number = 0;
  let end: End = {};
  try {
    for await (const lazy of entries) {
      block.push(lazy);
      if (block.length < blockSize) continue;
      yield { block: { number: number++, entries: block, result: undefined } };
      block = [];
    }
  } catch (error) {
    end = { error };
  }
  if (block.length > 0) yield { block: { number, entries: block, result: undefined } };
  yield { end };
  return undefined;
}

/** Computes a block that this worker has claimed, and sends the result, a failure too; null if it fails. */
async function computed<T>(
  { number, entries }: Block<T>,
  decide: Decide<T>,
  part: SharedPart,
): Promise<readonly Decided<T>[] | null> {
  const facts = new Int32Array(entries.length);
  const items: T[] = [];
  try {
    for (const [i, lazy] of entries.entries()) {
      const item = await lazy();
      facts[i] = await decide(item, number * blockSize + i);
      items.push(item);
    }
  } catch {
    // It is thrown again where the entry is reached.
    part.send(number, undefined, []);
    return null;
  }
  part.send(number, facts, items);
  return items.map((item, i) => ({ fact: facts[i]!, lazy: () => item }));
}

function received<T>({ facts, ends, bytes }: SentBlock, { entries }: Block<T>): readonly Decided<T>[] | null {
  if (facts === undefined) return null;
  return entries.map((lazy, i) => {
    if (ends === undefined || bytes === undefined || facts[i] === 0) return { fact: facts[i]!, lazy };
    const [start, end] = [i === 0 ? 0 : ends[i - 1]!, ends[i]!];
    // A copy: V8 does not read from shared memory.
    return { fact: facts[i]!, lazy: () => deserialize(new Uint8Array(bytes).slice(start, end)) as T };
  });
}
