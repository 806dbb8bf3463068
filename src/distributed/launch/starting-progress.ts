// On a terminal, the time since the ranks were started, until one of them prints: they load Trenio and their data first.
import type { OutputStream } from '../../base/output-stream.ts';
import { TaskProgress } from '../../base/task-progress.ts';

/** The streams of the launcher as its ranks are to write to them; the first text removes the progress. */
export interface StartingProgress extends Disposable {
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
}

export function startingProgress(ranks: number, stdout: OutputStream, stderr: OutputStream): StartingProgress {
  const progress = new TaskProgress({ stream: stderr, quiet: stderr.isTTY !== true, afterMs: 1000 });
  progress.update({ what: `starting ${ranks} ranks` });
  const ending = (stream: OutputStream): OutputStream => ({
    isTTY: stream.isTTY === true,
    write: text => {
      progress.done();
      return stream.write(text);
    },
    once: (event, listener) => stream.once(event, listener),
  });
  return { stdout: ending(stdout), stderr: ending(stderr), [Symbol.dispose]: () => progress.done() };
}
