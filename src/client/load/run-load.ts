// Sends a load to a server with OpenAI's API: requests at their times of arrival, at most some at once.
import { setTimeout as delay } from 'node:timers/promises';
import { type ArrivalOptions, arrivals } from './arrivals.ts';
import { type RequestResult, type StreamTarget, streamRequest } from './stream-request.ts';

export interface LoadOptions extends ArrivalOptions {
  readonly target: StreamTarget;
  readonly mostAtOnce: number;
  readonly onDone?: ((done: number, failed: number) => void) | undefined;
}

/** The results of requests with these bodies, in order. */
export async function runLoad(bodies: readonly object[], options: LoadOptions): Promise<readonly RequestResult[]> {
  const { target, mostAtOnce, onDone } = options;
  const times = arrivals(bodies.length, options);
  const startMs = performance.now();
  const results = new Array<RequestResult>(bodies.length);
  const running = new Set<Promise<void>>();
  let [done, failed] = [0, 0];
  for (const [i, body] of bodies.entries()) {
    const waitMs = startMs + times[i]! * 1000 - performance.now();
    if (waitMs > 0) await delay(waitMs, undefined, { signal: target.signal });
    while (running.size >= mostAtOnce) await Promise.race(running);
    target.signal.throwIfAborted();
    const one = streamRequest(target, body).then(result => {
      results[i] = result;
      running.delete(one);
      if (result.error !== undefined) failed++;
      onDone?.(++done, failed);
    });
    running.add(one);
  }
  await Promise.all(running);
  target.signal.throwIfAborted();
  return results;
}
