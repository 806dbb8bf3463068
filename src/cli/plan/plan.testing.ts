// For tests: `trenio plan` in this process, on the real catalog and simulator.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect } from 'vitest';
import { inheritedVariables } from '../../base/environment.ts';
import type { Layout } from '../../simulator/layout.ts';
import { type Outcome, runWords } from '../run-cli.testing.ts';

/** The working directory of every plan of this test file; removed after it. */
export const folder = mkdtempSync(join(tmpdir(), 'trenio-plan-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

export const plan = (...words: string[]): Promise<Outcome> =>
  runWords(['plan', ...words], {
    cwd: folder,
    environment: { ...inheritedVariables(), TRENIO_CACHE_DIR: join(folder, 'cache') },
  });

export const rowsOf = (stdout: string): readonly string[] =>
  stdout.split('\n').filter(line => /^(ml\.)?(trn|p\d|g\d)/.test(line));

export interface Row {
  readonly kind: string;
  readonly machine: string;
  readonly nodes: number;
  readonly recipe: string | null;
  readonly stepSeconds: number;
  readonly samplesPerStep: number;
  readonly mfu: number;
  readonly byPhase: Readonly<Record<string, number>>;
  readonly byBound: Readonly<Record<string, number>>;
  readonly dataLoading: Readonly<
    Record<'sampleBytes' | 'nodeBytes' | 'readSeconds' | 'waitSeconds' | 'storageBandwidth', number>
  > | null;
  readonly memory: {
    readonly fits: boolean;
    readonly total: number;
    readonly capacity: number;
    readonly byKind: Readonly<Record<string, number>>;
  };
  readonly training: {
    readonly seconds: number;
    readonly steps: number;
    readonly purchase: string | null;
    readonly usd: number | null;
  } | null;
  readonly cheapest: boolean;
  readonly fastest: boolean;
  readonly layout: Layout;
  readonly reason?: string;
}
export interface SearchRow extends Omit<Row, 'training' | 'recipe'> {
  readonly seconds: number | null;
  readonly purchase: string | null;
  readonly usd: number | null;
  readonly why: string;
}
export interface Plan {
  readonly model: string;
  readonly rows: readonly Row[];
  readonly search: {
    readonly priced: number;
    readonly feasible: number;
    readonly best: SearchRow | null;
    readonly runnersUp: readonly SearchRow[];
    readonly rejected: readonly SearchRow[];
    readonly withoutAny: readonly { readonly machine: string; readonly why: string }[];
  } | null;
  readonly purchase: readonly {
    readonly options: readonly { kind: string; purchase: string; service: string; usd: number | null }[];
  }[];
  readonly warnings: readonly string[];
  readonly assumptions: readonly string[];
}
export async function planJson(...words: string[]): Promise<Plan> {
  const { stdout, stderr } = await plan(...words, '--json');
  // On a slow machine, the search prints its progress.
  expect(stderr.replaceAll(/^trenio plan: [\d,]+ layouts priced in \d+ s, now .*\n/gm, '')).toBe('');
  return JSON.parse(stdout) as Plan;
}
