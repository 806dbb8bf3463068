// A step of a loop of a long-lived process: its failure, such as while the disk is full, is logged and ends neither the process
// nor the loop.

/** The same failure is logged at most this often. */
const LOG_EVERY_MS = 60_000;

/** `step`, whose failures are logged instead of thrown. @param what the loop, for the log */
export function guarded(what: string, step: () => void, log: (line: string) => void): () => void {
  let last = '';
  let lastMs = Number.NEGATIVE_INFINITY;
  return () => {
    try {
      step();
    } catch (error) {
      const text = `${what}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
      const nowMs = performance.now();
      if (text === last && nowMs - lastMs < LOG_EVERY_MS) return;
      [last, lastMs] = [text, nowMs];
      log(text);
    }
  };
}
