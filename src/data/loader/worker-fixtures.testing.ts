// Datasets and functions that tests send to loader workers.
import { appendFileSync } from 'node:fs';
import { threadId } from 'node:worker_threads';
import { ItemRandom } from '../datasets/item-random.ts';
import * as transforms from '../transforms/namespace.ts';
import { exportToWorkers } from './worker-exports.ts';
import { getWorkerInfo } from './worker-info.ts';

/** Items with their own random numbers, in separate arrays. */
export class Noise {
  readonly length: number;
  readonly failAt: number;
  readonly kept = Float32Array.of(1, 2, 3);

  constructor(length: number, failAt = -1) {
    this.length = length;
    this.failAt = failAt;
  }
  get(index: number, epoch = 0) {
    if (index === this.failAt) throw new RangeError('no such noise');
    const random = new ItemRandom(7, epoch, index);
    return { index, x: Float32Array.of(random.uniform(), random.uniform()), kept: this.kept };
  }
}
/** Lists of different lengths. */
export class Texts {
  readonly length = 12;
  get(index: number) {
    return { inputIds: Int32Array.from({ length: 1 + ((index * 5) % 12) }, (_, i) => i + 1), label: index };
  }
}
/** The thread in which each item was made. */
export class Places {
  readonly length = 8;
  get(index: number): readonly [index: number, worker: number, numWorkers: number, isThread: boolean] {
    const info = getWorkerInfo();
    return [index, info?.id ?? -1, info?.numWorkers ?? 0, threadId !== 0];
  }
}
export class Hidden {
  readonly #length = 4;
  readonly length = 4;
  get(): number {
    return this.#length;
  }
}
/** Ends its thread, or never responds. */
export class Ends {
  readonly length = 4;
  readonly how: 'exit' | 'hang' | 'promise' | 'throw';
  constructor(how: Ends['how']) {
    this.how = how;
  }
  get(index: number): number | Promise<number> {
    if (index < 2) return index;
    if (this.how === 'exit') process.exit(3);
    if (this.how === 'promise') return new Promise(() => {});
    if (this.how === 'throw') throw 'a text';
    for (;;);
  }
}
export const keep = (items: readonly unknown[]): readonly unknown[] => items;
export class NotRegistered {
  readonly length = 1;
  get(): number {
    return 1;
  }
}
export const started: number[] = [];
export function init(id: number): void {
  started.push(id);
  if (id === 7) throw new Error('not seven');
}
export class Started {
  readonly length = 6;
  get(): readonly [readonly number[]] {
    return [[...started]];
  }
}
/** The thread that made it, and the contents of the dataset at that time. */
export class Threads {
  readonly length = 4;
  value = 0;
  get(): readonly [number, number] {
    return [threadId, this.value];
  }
}
export function misnamed(): void {}
exportToWorkers(import.meta.url, { otherName: misnamed });
export const double = (x: number): number => 2 * x;
export const isEven = (x: number): boolean => x % 2 === 0;
/** The tokens of a number; records each number that it has computed. */
export class Counted {
  readonly file: string;
  readonly failAt: number;
  readonly how: 'throw' | 'exit';
  constructor(file: string, failAt = -1, how: Counted['how'] = 'throw') {
    this.file = file;
    this.failAt = failAt;
    this.how = how;
  }
  apply({ n }: { readonly n: number }): { readonly n: number; readonly inputIds: readonly number[] } {
    appendFileSync(this.file, `${n}\n`);
    if (n === this.failAt && this.how === 'exit') process.exit(3);
    if (n === this.failAt) throw new RangeError(`number ${n}`);
    return { n, inputIds: Array.from({ length: n % 7 }, (_, i) => 10 * n + i) };
  }
}
export const hasTokens = ({ n }: { readonly n: number }): boolean => n % 5 !== 0;

exportToWorkers(import.meta.url, { Counted, hasTokens });
exportToWorkers(import.meta.url, { Noise, Texts, Places, Hidden, Ends, keep, init, Started, Threads, double, isEven });

/** Images that a transform, called by the dataset, changes at random. */
export class AugmentedItems {
  readonly length = 8;
  readonly transform = new transforms.Compose([
    new transforms.RandomCrop(2),
    new transforms.RandomApply([new transforms.ColorJitter(0.5, 0.5)], 0.5),
    new transforms.ToTensor(),
  ]);
  async get(index: number) {
    await Promise.resolve();
    const data = Uint8Array.from({ length: 75 }, (_, i) => 3 * i + index);
    return this.transform({ width: 5, height: 5, channels: 3, data });
  }
}
exportToWorkers(import.meta.url, { AugmentedItems });
