// Entries of a stream that are computed when they are used. Shuffling, skipping and splitting do not compute them: ranks, loader
// workers and resumed runs skip the entries of others at the cost of reading.
import type { Lazy } from './lazy-entry.ts';
import type { SharedWork } from './shared-work.ts';

export type { Lazy };

/** An object that knows its entries without computing them. */
export interface LazyStream<T> {
  /** @internal The entries in one epoch; `shared`: the work that loader workers share. */
  lazyItems(epoch: number, shared?: SharedWork): AsyncIterable<Lazy<T>>;
}

const isLazyStream = (stream: object): stream is LazyStream<never> =>
  'lazyItems' in stream && typeof stream.lazyItems === 'function';

/** The entries of any stream; those of a stream that is not lazy are already computed. */
export async function* lazyItems<T>(
  stream: Iterable<T> | AsyncIterable<T> | LazyStream<T>,
  epoch: number,
  shared?: SharedWork,
): AsyncGenerator<Lazy<T>> {
  if (isLazyStream(stream)) yield* stream.lazyItems(epoch, shared) as AsyncIterable<Lazy<T>>;
  else for await (const item of stream as AsyncIterable<T>) yield () => item;
}
