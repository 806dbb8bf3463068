// When each access key was last used, to about a minute: kept in memory, written to DATA/key-use.json at most once a minute and
// when the server ends. A server that is killed loses the last minute. Not a record of what was done: that is the audit log.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { writeFileAtomically } from '../../base/atomic-write.ts';
import { expectFileError } from '../../base/file-error.ts';

const FILE = 'key-use.json';
const WRITE_EVERY_MS = 60_000;
const fileSchema = z.record(z.string(), z.number());

export interface KeyUseOptions {
  readonly data: string;
  readonly now: () => number;
  /** Logs internal errors. */
  readonly log: (line: string) => void;
}

export class KeyUse {
  readonly #options: KeyUseOptions;
  readonly #lastMs: Map<string, number>;
  #writtenMs: number;
  #writing: Promise<void> = Promise.resolve();
  #isChanged = false;

  constructor(options: KeyUseOptions) {
    this.#options = options;
    this.#lastMs = new Map(Object.entries(this.#read()));
    this.#writtenMs = options.now();
  }

  /** Records that the key, or a session of it, has made a request. */
  note(id: string): void {
    const nowMs = this.#options.now();
    this.#lastMs.set(id, nowMs);
    this.#isChanged = true;
    if (nowMs - this.#writtenMs < WRITE_EVERY_MS) return;
    this.#writtenMs = nowMs;
    this.#write();
  }

  /** Undefined: never, as far as is known. */
  lastMs(id: string): number | undefined {
    return this.#lastMs.get(id);
  }

  forget(id: string): void {
    this.#isChanged = this.#lastMs.delete(id) || this.#isChanged;
  }

  async close(): Promise<void> {
    if (this.#isChanged) this.#write();
    await this.#writing;
  }

  #write(): void {
    this.#isChanged = false;
    const text = JSON.stringify(Object.fromEntries(this.#lastMs));
    const file = join(this.#options.data, FILE);
    this.#writing = this.#writing
      .then(async () => {
        await writeFileAtomically(file, [text], 0o600);
      })
      .catch((error: Error) => this.#options.log(`${file} cannot be written: ${error.message}`));
  }

  /** A damaged file loses only these times. */
  #read(): Readonly<Record<string, number>> {
    const file = join(this.#options.data, FILE);
    try {
      const found = fileSchema.safeParse(JSON.parse(readFileSync(file, 'utf8')));
      if (found.success) return found.data;
    } catch (error) {
      if (!(error instanceof SyntaxError)) {
        expectFileError(error, 'ENOENT');
        return {};
      }
    }
    this.#options.log(`${file} is damaged: the times of the last use of keys are reset`);
    return {};
  }
}
