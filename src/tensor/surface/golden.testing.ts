// PyTorch's results for the samples of rows: test/golden/pytorch/rows.jsonl, written by scripts/golden/write.ts. A line for each
// row, followed by one for each of its cases.
import { existsSync, readFileSync } from 'node:fs';
import type { ArgumentsJson, TensorJson } from './samples.testing.ts';

/** The results of PyTorch: the results and the gradients of tensors by the name of their parameter, or why it raised. */
export type GoldenOutcome =
  | { readonly results: readonly TensorJson[]; readonly gradients?: Readonly<Record<string, readonly TensorJson[]>> }
  | { readonly raises: string };
export interface GoldenCase {
  readonly variant: number;
  readonly arguments: ArgumentsJson;
  readonly outcome: GoldenOutcome;
}
export interface Golden {
  readonly torch: string;
  readonly cases: readonly GoldenCase[];
}

export const goldenFile = new URL('../../../test/golden/pytorch/rows.jsonl', import.meta.url);

/** The golden values of all rows, by name. */
export function readGolden(): Map<string, Golden> {
  const found = new Map<string, Golden & { readonly cases: GoldenCase[] }>();
  let cases: GoldenCase[] = [];
  const lines = existsSync(goldenFile) ? readFileSync(goldenFile, 'utf8').trimEnd().split('\n') : [];
  for (const line of lines) {
    const entry = JSON.parse(line) as GoldenCase | { readonly row: string; readonly torch: string };
    if ('row' in entry) {
      cases = [];
      found.set(entry.row, { torch: entry.torch, cases });
    } else cases.push(entry);
  }
  return found;
}

let all: ReadonlyMap<string, Golden> | undefined;
/** The golden values of a row; undefined where there are none. */
export function goldenOf(name: string): Golden | undefined {
  all ??= readGolden();
  return all.get(name);
}
