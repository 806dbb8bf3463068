// PyTorch's results for the samples of a row: test/golden/pytorch/<name>.json, written by scripts/golden/write.ts.
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
const fileOf = (name: string): URL => new URL(`../../../test/golden/pytorch/${name}.json`, import.meta.url);

/** The golden values of a row; undefined where there are none. */
export function goldenOf(name: string): Golden | undefined {
  const file = fileOf(name);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Golden) : undefined;
}
