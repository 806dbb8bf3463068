// The adapters of an engine by name. One that is unloaded keeps its slot until the last request that uses it has ended.
import { TrenioError } from '../../base/errors.ts';
import type { AdapterRoom } from './step-model.ts';

export interface LoadedAdapter {
  readonly name: string;
  readonly directory: string;
  readonly slot: number;
  /** Different for each load: requests with other adapters, or with an earlier one of this name, share no keys and values. */
  readonly key: string;
}

export class Adapters {
  readonly #room: AdapterRoom | undefined;
  readonly #loaded = new Map<string, LoadedAdapter>();
  /** The number of requests of each; those that are unloaded, too. */
  readonly #users = new Map<LoadedAdapter, number>();
  readonly #free: number[];
  readonly #loading = new Set<string>();
  #loads = 0;

  constructor(room: AdapterRoom | undefined) {
    this.#room = room;
    this.#free = Array.from({ length: room?.count ?? 0 }, (_, slot) => slot);
  }

  /** The number that can be loaded. */
  get count(): number {
    return this.#room?.count ?? 0;
  }
  get all(): readonly LoadedAdapter[] {
    return [...this.#loaded.values()];
  }
  /** Those that requests use. */
  get used(): readonly LoadedAdapter[] {
    return [...this.#users.keys()];
  }
  find(name: string): LoadedAdapter | undefined {
    return this.#loaded.get(name);
  }

  /**
   * Requests may use the adapter of a directory from then on. `replaces`: those that come later use it in place of the one with
   * its name.
   * @throws {INVALID_OPTION} if the name is in use, or no slot is free
   * @throws the errors of `AdapterSlots.load`
   */
  async load(name: string, directory: string, onWarning: (message: string) => void, replaces = false): Promise<void> {
    if (this.#loading.has(name) || (this.#loaded.has(name) && !replaces))
      throw invalid('name', name, 'a name that no other adapter has');
    const slot = this.#free.shift();
    if (slot === undefined) throw invalid('count', 'one more', `at most ${this.count} at once (--max-loras)`);
    this.#loading.add(name);
    try {
      await this.#room!.load(slot, directory, onWarning);
      this.unload(name);
      this.#loaded.set(name, { name, directory, slot, key: `${name} ${this.#loads++}` });
    } catch (error) {
      this.#free.push(slot);
      throw error;
    } finally {
      this.#loading.delete(name);
    }
  }

  /** Requests that run keep it. False if there is none. */
  unload(name: string): boolean {
    const adapter = this.#loaded.get(name);
    if (adapter === undefined) return false;
    this.#loaded.delete(name);
    if (!this.#users.has(adapter)) this.#free.push(adapter.slot);
    return true;
  }

  hold(adapter: LoadedAdapter): void {
    this.#users.set(adapter, (this.#users.get(adapter) ?? 0) + 1);
  }
  release(adapter: LoadedAdapter): void {
    const users = this.#users.get(adapter)! - 1;
    if (users > 0) {
      this.#users.set(adapter, users);
      return;
    }
    this.#users.delete(adapter);
    if (this.#loaded.get(adapter.name) !== adapter) this.#free.push(adapter.slot);
  }
}

const invalid = (option: string, got: string, expected: string): TrenioError =>
  new TrenioError('INVALID_OPTION', { what: 'adapter', option, got, expected });
