// The native record of one execution on a stream, in JavaScript's memory, with the layout of `struct launch` in
// native/runtime.h, so that JavaScript can read the state of a step without a call.
import { launchLayout, launchStates } from '../../compiler/index.ts';
import { type Address, addressOf } from './native-library.ts';

const { done } = launchStates;
/** Positions of the fields in arrays of 8 and of 4 bytes, as constants, because a launch is created at every step. */
const words = launchLayout.words / 8;
const [startAt, endAt, entryAt] = [launchLayout.start_ns / 8, launchLayout.end_ns / 8, launchLayout.entry / 8];
const [arenaAt, profileAt, programAt] = [launchLayout.arena / 8, launchLayout.profile / 8, launchLayout.program / 8];
const [stateAt, codeAt, argsAt, depsAt] = [
  launchLayout.state,
  launchLayout.code,
  launchLayout.args,
  launchLayout.deps,
].map(offset => offset / 4) as [number, number, number, number];

export class Launch {
  readonly address: Address;
  readonly #state: Int32Array;
  readonly #words: BigInt64Array;

  /**
   * `deps`: launches submitted before this one to the same stream; if one of them failed, this one fails with the same error and
   * does not run. `profile`: where times are accumulated (profile.ts). `program`: its name, for crash messages.
   */
  constructor(
    program: string,
    entry: Address,
    arena: Address,
    args: readonly Address[],
    deps: readonly Launch[],
    profile: Address = 0n,
  ) {
    const memory = new ArrayBuffer((words + args.length + deps.length) * 8);
    this.address = addressOf(memory);
    this.#state = new Int32Array(memory);
    this.#words = new BigInt64Array(memory);
    this.#words[entryAt] = entry;
    this.#words[arenaAt] = arena;
    this.#state[argsAt] = args.length;
    this.#state[depsAt] = deps.length;
    this.#words[profileAt] = profile;
    this.#words[programAt] = nameAddress(program);
    let at = words;
    for (const arg of args) this.#words[at++] = arg;
    for (const dep of deps) this.#words[at++] = dep.address;
  }

  get isDone(): boolean {
    return Atomics.load(this.#state, stateAt) === done;
  }
  /** The return value of the step; 0 is success. Valid only when done. */
  get status(): number {
    return this.#state[codeAt]!;
  }
  /** When it started and ended, by the monotonic clock (`process.hrtime`). Only when done. */
  get startNs(): bigint {
    return this.#words[startAt]!;
  }
  get endNs(): bigint {
    return this.#words[endAt]!;
  }
}

/** Names of programs for native code. They are never freed, because there are few. */
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
