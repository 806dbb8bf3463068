// Commands whose output is shown on pages of the console (console-commands.ts), run one after another in a separate thread: a
// large search does not block the server.
import { Worker } from 'node:worker_threads';
import type { RunCommand } from '../../api/console/console-api.ts';
import { neighbor } from '../../base/neighbor.ts';
import { consoleCommand, type StoredProgram } from './console-commands.ts';
import type { Answer, Question } from './server-commands-worker.ts';

const worker = neighbor(import.meta.url, './server-commands-worker.ts');
/** A thread that has not responded by then is replaced. */
const TIMEOUT_MS = 60_000;

export type CommandAnswer = Omit<Answer, 'id'>;

export class ServerCommands {
  #worker: Worker | undefined;
  #last = 0;
  readonly #waiting = new Map<number, (answer: CommandAnswer) => void>();

  /** @throws {CONSOLE_COMMAND_REFUSED} */
  readonly run: RunCommand = async (given, readProgram) => {
    const { words, program: named } = consoleCommand(given);
    const program =
      named === undefined
        ? undefined
        : { name: `s3://${named.bucket}/${named.key}`, bytes: await readProgram(named.bucket, named.key) };
    return this.#run(words, program);
  };

  #run(words: readonly string[], program: StoredProgram | undefined): Promise<CommandAnswer> {
    const id = ++this.#last;
    const { promise, resolve } = Promise.withResolvers<CommandAnswer>();
    const timer = setTimeout(() => this.#replace('the command took longer than a minute'), TIMEOUT_MS);
    this.#waiting.set(id, answer => {
      clearTimeout(timer);
      resolve(answer);
    });
    this.#started().postMessage({ id, words, program } satisfies Question);
    return promise;
  }

  async close(): Promise<void> {
    await this.#replace('the server stops');
  }

  #started(): Worker {
    if (this.#worker !== undefined) return this.#worker;
    const started = new Worker(worker);
    this.#worker = started;
    started.unref();
    started.on('message', ({ id, ...answer }: Answer) => {
      this.#waiting.get(id)?.(answer);
      this.#waiting.delete(id);
    });
    started.on('error', error => this.#replace(error.message));
    return started;
  }

  async #replace(reason: string): Promise<void> {
    const old = this.#worker;
    this.#worker = undefined;
    for (const answer of this.#waiting.values()) answer({ exitCode: 1, stdout: '', stderr: reason });
    this.#waiting.clear();
    await old?.terminate();
  }
}
