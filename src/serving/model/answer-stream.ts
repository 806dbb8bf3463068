// A model's stream of parts, read for a client: ends immediately when the client disconnects, even if the model does not
// check its signal, and reports its end once.

/** @throws what the model throws, and the signal's reason once it is aborted. */
export async function* followStream(
  parts: AsyncIterable<unknown>,
  signal: AbortSignal,
  onEnd: () => void,
): AsyncGenerator<unknown, void, undefined> {
  const iterator = parts[Symbol.asyncIterator]();
  // One listener for the whole stream: a race against one long-lived promise would keep a reaction for each part.
  let giveUp: (reason: unknown) => void = () => {};
  const onAbort = (): void => giveUp(signal.reason);
  signal.addEventListener('abort', onAbort);
  let isOver = false;
  try {
    for (;;) {
      signal.throwIfAborted();
      const { promise, resolve, reject } = Promise.withResolvers<IteratorResult<unknown>>();
      giveUp = reject;
      iterator.next().then(resolve, error => {
        isOver = true;
        reject(error);
      });
      const { done, value } = await promise;
      if (done) {
        isOver = true;
        return;
      }
      yield value;
    }
  } finally {
    signal.removeEventListener('abort', onAbort);
    onEnd();
    // Not awaited: a generator that is in the middle of a part ends after that part. The client has disconnected, so later errors
    // cannot be reported to it.
    if (!isOver) iterator.return?.().catch(() => {});
  }
}
