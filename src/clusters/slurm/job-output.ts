// The output of a job, by rank and node. `trenio run` writes `[rank 3] ` before the lines of its ranks, `srun --label` `3: `.
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

export interface OutputLine {
  readonly rank: number | undefined;
  readonly node: string | undefined;
  readonly text: string;
}

const LABEL = /^(?:\[rank (\d+)\] |(\d+): )/;

/** @param nodes of the job, in Slurm's order: ranks are in blocks on them */
export function outputLines(text: string, nodes: readonly string[]): readonly OutputLine[] {
  const lines = text.split('\n').map(line => {
    const [label = '', ours, theirs] = LABEL.exec(line) ?? [];
    const digits = ours ?? theirs;
    return { rank: digits === undefined ? undefined : Number(digits), text: line.slice(label.length) };
  });
  if (lines.at(-1)?.text === '') lines.pop();
  const ranks = Math.max(0, ...lines.map(({ rank = -1 }) => rank + 1));
  // If not all ranks have printed, the number of ranks per node is unknown.
  const perNode = nodes.length > 0 && ranks % nodes.length === 0 ? ranks / nodes.length : 0;
  const nodeOf = (rank: number | undefined): string | undefined =>
    nodes.length === 1 ? nodes[0] : rank === undefined || perNode === 0 ? undefined : nodes[Math.floor(rank / perNode)];
  return lines.map(({ rank, text: line }) => ({ rank, node: nodeOf(rank), text: line }));
}

export interface OutputEnd {
  readonly text: string;
  readonly hasMore: boolean;
}

/** The last whole lines of a file. @param most bytes */
export function readEnd(path: string, most: number): OutputEnd {
  const file = openSync(path, 'r');
  try {
    const { size } = fstatSync(file);
    const from = Math.max(0, size - most);
    const bytes = Buffer.alloc(size - from);
    const text = bytes.toString('utf8', 0, readSync(file, bytes, 0, bytes.length, from));
    return from === 0 ? { text, hasMore: false } : { text: text.slice(text.indexOf('\n') + 1), hasMore: true };
  } finally {
    closeSync(file);
  }
}
