// The content of the store, in the process that hosts it: a map, who waits for which keys, and limits on its size.
import { TrenioError } from '../../base/errors.ts';
import { MAX_KEY_LENGTH, MAX_KEYS, MAX_STORED, MAX_VALUE_LENGTH, STORE_TIMEOUT_MS, type Store } from './store.ts';

interface Waiter {
  readonly missing: Set<string>;
  readonly done: () => void;
}

export class StoreTable implements Store {
  readonly #values = new Map<string, string>();
  readonly #waiters = new Set<Waiter>();
  #stored = 0;

  async set(key: string, value: string): Promise<void> {
    this.#put(key, value);
  }

  async get(key: string): Promise<string | undefined> {
    return this.#values.get(key);
  }

  /** @param signal gives up without an error, since the caller has ended */
  async wait(keys: readonly string[], timeoutMs = STORE_TIMEOUT_MS, signal?: AbortSignal): Promise<void> {
    const missing = new Set(keys.filter(key => !this.#values.has(key)));
    if (missing.size === 0) return;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiter: Waiter = { missing, done: resolve };
    this.#waiters.add(waiter);
    const timer = setTimeout(
      () => reject(new TrenioError('STORE_TIMEOUT', { missing: [...missing], seconds: timeoutMs / 1000 })),
      timeoutMs,
    );
    signal?.addEventListener('abort', resolve as () => void, { once: true });
    try {
      await promise;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', resolve as () => void);
      this.#waiters.delete(waiter);
    }
  }

  async add(key: string, amount: number): Promise<number> {
    const sum = Number(this.#values.get(key) ?? '0') + amount;
    if (!Number.isSafeInteger(sum)) throw unusable(`add to '${key}'`, 'the sum is not an integer');
    this.#put(key, `${sum}`);
    return sum;
  }

  async compareSet(key: string, expected: string | undefined, value: string): Promise<string | undefined> {
    const found = this.#values.get(key);
    if (found !== expected) return found;
    this.#put(key, value);
    return value;
  }

  async delete(key: string): Promise<boolean> {
    const value = this.#values.get(key);
    if (value === undefined) return false;
    this.#stored -= key.length + value.length;
    return this.#values.delete(key);
  }

  /** Removes all keys with this prefix: those of an attempt that has ended. */
  deletePrefix(prefix: string): void {
    for (const [key, value] of this.#values) {
      if (!key.startsWith(prefix)) continue;
      this.#stored -= key.length + value.length;
      this.#values.delete(key);
    }
  }

  #put(key: string, value: string): void {
    if (key.length > MAX_KEY_LENGTH) throw unusable('set a key', `it is longer than ${MAX_KEY_LENGTH} characters`);
    if (value.length > MAX_VALUE_LENGTH)
      throw unusable(`set '${key}'`, `the value is longer than ${MAX_VALUE_LENGTH} characters`);
    const before = this.#values.get(key);
    const stored = this.#stored + value.length - (before === undefined ? -key.length : before.length);
    if (stored > MAX_STORED || (before === undefined && this.#values.size >= MAX_KEYS))
      throw unusable(`set '${key}'`, `the store is full (${this.#values.size} keys, ${this.#stored} characters)`);
    this.#stored = stored;
    this.#values.set(key, value);
    for (const waiter of this.#waiters) if (waiter.missing.delete(key) && waiter.missing.size === 0) waiter.done();
  }
}

const unusable = (action: string, reason: string): TrenioError => new TrenioError('STORE_FAILED', { action, reason });
