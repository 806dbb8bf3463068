// Layouts, with real processes: each follows the losses of one rank.
import { execFile } from 'node:child_process';
import { PassThrough } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { inheritedVariables } from '../../base/environment.ts';
import { hostsOf } from '../../runtime/comm/ranks.testing.ts';
import { startProcess } from '../../runtime/processes.testing.ts';
import { bubbleOf, paperBubble } from '../../runtime/profiling/pipeline-lane.ts';
import type { Timeline } from '../../runtime/profiling/timeline.ts';
import { actionsOf, type ScheduleName, scheduleNames, schedules } from '../../transforms/pipeline/schedules.ts';
import { launch } from '../launch/launch.ts';

const script = fileURLToPath(new URL('../launch/fixtures/layouts.ts', import.meta.url));
const steps = 6;

interface Outcome {
  readonly layout: string;
  readonly losses: readonly number[];
  /** The first and the last parameter at the end. */
  readonly ends?: unknown;
}
/** The last step of a rank. */
interface Lane {
  readonly layout: string;
  readonly timeline: Timeline;
}
/** The errors of calls to which ranks give other options. */
interface Refusals {
  readonly layout: string;
  readonly refused: readonly string[];
}
const argumentsOf = (layouts: readonly string[]): string[] => [String(steps), 'adamw', ...layouts];
const parsed = (text: string): readonly (Outcome | Lane | Refusals)[] =>
  text
    .split('\n')
    .filter(line => line.includes('{'))
    .map(line => JSON.parse(line.slice(line.indexOf('{'))));
const outcomesOf = (text: string): readonly Outcome[] => parsed(text).filter(one => 'losses' in one);

async function trainAlone(layouts: readonly string[]): Promise<readonly Outcome[]> {
  const { stdout } = await promisify(execFile)(process.execPath, [script, ...argumentsOf(layouts)]);
  return outcomesOf(stdout);
}
async function trainTogether(nprocPerNode: number, layouts: readonly string[]): Promise<string> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const [out, err] = [stdout.toArray(), stderr.toArray()];
  const { exitCode } = await launch({ script, args: argumentsOf(layouts), nprocPerNode, stdout, stderr });
  stdout.end();
  stderr.end();
  const text = Buffer.concat(await out).toString();
  expect(exitCode, `${text}\n${Buffer.concat(await err)}`).toBe(0);
  return text;
}

let alone: readonly Outcome[];
beforeAll(async () => {
  const models = ['gpt2', 'llama', 'mixtral', 'switch', 'bert', 't5', 'vit'].map(model => `${model} tp=1`);
  alone = await trainAlone([...models, 'deep pp=1 stages']);
});

const onTwo = [
  'gpt2 dp_shard=2',
  'llama tp=2 sequence',
  'bert dp_shard=2 zero1',
  'mixtral ep=2',
  'mixtral tp=2',
  'switch ep=2',
  't5 tp=2',
  'vit cp=2',
  'llama cp=2 ring',
  'llama cp=2 headtail',
  'gpt2 cp=2 ulysses',
  'gpt2 pp=2',
  'mixtral pp=2',
  'llama cp=2 alone',
  'mixtral ep=2 alone',
];
const differing = 'mixtral ep=2 differ';
const onFour = [
  'llama dp_shard=2,tp=2',
  'mixtral dp_replicate=2,dp_shard=2 zero2',
  'llama cp=2,tp=2 headtail',
  'llama pp=2,tp=2 nxd',
  'llama pp=2,cp=2 headtail',
  'mixtral pp=2,ep=2',
  'gpt2 pp=2,dp_shard=2',
  'deep pp=4',
];
/** On a busy machine, each layout takes ten seconds to compile. */
const timeout = 400_000;
test.each<readonly [ranks: number, layouts: readonly string[]]>([
  [2, [...onTwo, differing]],
  [4, onFour],
])('on %i ranks, each layout has the losses of one rank', { timeout }, async (ranks, layouts) => {
  const text = await trainTogether(ranks, layouts);
  const refused = parsed(text).flatMap(one => ('refused' in one ? [one.refused] : []));
  expect(refused).toEqual(layouts.includes(differing) ? Array(2).fill(Array(3).fill('PLANS_DIFFER')) : []);
  for (const { layout, losses } of outcomesOf(text)) {
    const expected = alone.find(one => one.layout.split(' ')[0] === layout.split(' ')[0])!.losses;
    expect(expected).toHaveLength(steps);
    for (const [i, loss] of losses.entries())
      expect(Math.abs(loss / expected[i]! - 1), `${layout}, step ${i}: ${loss}, ${expected[i]}`).toBeLessThan(1e-6);
  }
});

test('in each schedule of a pipeline, losses have the bits of one rank with the same stages and micro-batches, and profiles its actions', {
  timeout,
}, async () => {
  const { losses: expected, ends } = alone.find(({ layout }) => layout === 'deep pp=1 stages')!;
  const layoutOf = (schedule: ScheduleName): string => `deep pp=2 ${schedule}+lane`;
  const text = await trainTogether(2, scheduleNames.map(layoutOf));
  const outcomes = outcomesOf(text);
  expect(outcomes).toHaveLength(scheduleNames.length);
  for (const outcome of outcomes) expect(outcome, outcome.layout).toMatchObject({ losses: expected, ends });
  const lanes = parsed(text).filter(one => 'timeline' in one);
  for (const schedule of scheduleNames) {
    const timelines = lanes
      .flatMap(({ layout, timeline }) => (layout === layoutOf(schedule) ? [timeline] : []))
      .sort((a, b) => a.rank - b.rank);
    const sizes = { ranks: 2, stages: 2 * schedules[schedule].stagesPerRank, microBatches: 4 };
    const planned = actionsOf(schedule, sizes).map(list =>
      // The first stage has no gradient to send.
      list.filter(({ kind, stage }) => kind !== 'I' || stage > 0),
    );
    const ran = timelines.map(({ pipeline }) =>
      pipeline[0]!.flatMap(({ kind, stage, microBatch }) => (stage === undefined ? [] : [{ kind, stage, microBatch }])),
    );
    expect(ran, schedule).toEqual(planned);
    expect(bubbleOf(timelines)!.onPaper, schedule).toBe(paperBubble(planned));
    const bytes = (rank: number, kind: string): number =>
      timelines[rank]!.pipeline[0]!.reduce((sum, one) => sum + (one.kind === kind ? one.bytes! : 0), 0);
    expect(bytes(0, 'send'), schedule).toBe(bytes(1, 'receive'));
    expect(bytes(0, 'send'), schedule).toBeGreaterThan(0);
  }
});

test('over two hosts, a pipeline has the same bits', { timeout }, async () => {
  const { losses: expected } = alone.find(({ layout }) => layout === 'deep pp=1 stages')!;
  const env = { ...inheritedVariables(), TRENIO_NUM_THREADS: '1', TRENIO_COMM_TIMEOUT: '100' };
  const args = [script, ...argumentsOf(['deep pp=2 1F1B', 'deep pp=2 DualPipeV'])];
  const hosts = hostsOf(2, 2, env);
  try {
    const ranks = await Promise.all(
      [0, 1].map(rank => startProcess(args, { ...env, ...hosts.variablesOf(rank) }, hosts.listenerOf(rank)).outcome),
    );
    expect(ranks.filter(({ status }) => status !== 0).map(({ stderr }) => stderr)).toEqual([]);
    expect(outcomesOf(ranks[0]!.stdout).map(({ losses }) => losses)).toEqual([expected, expected]);
  } finally {
    hosts.end();
  }
});
