// One execution on a stream as native code sees it: a small record in JavaScript's memory, laid out as `struct job` in
// native/runtime.h, so that JavaScript sees the state of a step without a call.
//
//   0 state i32 │ 4 status i32 │ 8 start ns │ 16 end ns │ 24 next │ 32 entry │ 40 arena │ 48 args i32 │ 52 deps i32 │ 56 profile
//   64 program │ 72 …
import { type Address, addressOf } from './native-library.ts';

const done = 2;
const words = 72 / 8;

export class Job {
  readonly address: Address;
  readonly #state: Int32Array;
  readonly #words: BigInt64Array;

  /**
   * `deps`: jobs submitted before this one to the same stream; if one of them failed, this one fails alike and is not
   * run. `profile`: where times are added up (profile.ts). `program`: its name, for a crash.
   */
  constructor(
    program: string,
    entry: Address,
    arena: Address,
    args: readonly Address[],
    deps: readonly Job[],
    profile: Address = 0n,
  ) {
    const memory = new ArrayBuffer((words + args.length + deps.length) * 8);
    this.address = addressOf(memory);
    this.#state = new Int32Array(memory);
    this.#words = new BigInt64Array(memory);
    this.#words[4] = entry;
    this.#words[5] = arena;
    this.#state[12] = args.length;
    this.#state[13] = deps.length;
    this.#words[7] = profile;
    this.#words[8] = nameAddress(program);
    let at = words;
    for (const arg of args) this.#words[at++] = arg;
    for (const dep of deps) this.#words[at++] = dep.address;
  }

  get isDone(): boolean {
    return Atomics.load(this.#state, 0) === done;
  }
  /** What the step returned; 0 is success. Only when done. */
  get status(): number {
    return this.#state[1]!;
  }
  /** When it started and ended, of the monotonic clock (`process.hrtime`). Only when done. */
  get startNs(): bigint {
    return this.#words[1]!;
  }
  get endNs(): bigint {
    return this.#words[2]!;
  }
}

/** Names of programs as native code reads them, for as long as the process lives: there are few. */
const names = new Map<string, { readonly address: Address; readonly memory: ArrayBuffer }>();
function nameAddress(program: string): Address {
  let name = names.get(program);
  if (name === undefined) {
    const text = new TextEncoder().encode(`${program}\0`);
    const memory = new ArrayBuffer(text.length);
    new Uint8Array(memory).set(text);
    name = { address: addressOf(memory), memory };
    names.set(program, name);
  }
  return name.address;
}
