// The key-value store of a run: text by key, in the memory of the launcher that hosts the rendezvous. Ranks exchange small
// facts through it, such as the addresses of their sockets. Not for tensors, and not durable.
//
//     const store = await connectStore();                 // in a rank started by trenio run
//     await store.set(`address/${rank}`, 'host:4711');
//     await store.wait(['address/0', 'address/1']);
//
// Keys live in one attempt of a run: after a restart the store of the ranks is empty.

/** A key-value store that all ranks of a run share. Every operation happens at once for all of them. */
export interface Store {
  /** Replaces the previous value. */
  set(key: string, value: string): Promise<void>;
  /** Undefined if there is no such key. */
  get(key: string): Promise<string | undefined>;
  /** Waits until all keys exist. @throws {STORE_TIMEOUT} after `timeoutMs`, five minutes by default */
  wait(keys: readonly string[], timeoutMs?: number): Promise<void>;
  /** Adds to a number, which starts as 0; returns the sum. */
  add(key: string, amount: number): Promise<number>;
  /** Sets the key if its value is `expected` (undefined: if there is none); returns the value that it has afterwards. */
  compareSet(key: string, expected: string | undefined, value: string): Promise<string | undefined>;
  /** True if the key existed. */
  delete(key: string): Promise<boolean>;
}

export const STORE_TIMEOUT_MS = 300_000;
export const MAX_KEY_LENGTH = 4096;
export const MAX_VALUE_LENGTH = 256 * 1024;
export const MAX_KEYS = 1_000_000;
/** The maximum size of all keys and values, in characters. */
export const MAX_STORED = 64 * 1024 * 1024;

/** A store whose keys all start with a prefix within another one. */
export function withPrefix(store: Store, prefix: string): Store {
  const inner = (key: string): string => `${prefix}${key}`;
  return {
    set: (key, value) => store.set(inner(key), value),
    get: key => store.get(inner(key)),
    wait: (keys, timeoutMs) => store.wait(keys.map(inner), timeoutMs),
    add: (key, amount) => store.add(inner(key), amount),
    compareSet: (key, expected, value) => store.compareSet(inner(key), expected, value),
    delete: key => store.delete(inner(key)),
  };
}

/**
 * Waits until `size` callers have come to the barrier of this name. A name may be used once.
 * @throws {STORE_TIMEOUT}
 */
export async function storeBarrier(store: Store, name: string, size: number, timeoutMs?: number): Promise<void> {
  if ((await store.add(`barrier/${name}/arrived`, 1)) === size) await store.set(`barrier/${name}/open`, '1');
  await store.wait([`barrier/${name}/open`], timeoutMs);
}

/** The prefix of the ranks' keys in one attempt. */
export const storePrefix = (attempt: number): string => `attempt/${attempt}/`;
