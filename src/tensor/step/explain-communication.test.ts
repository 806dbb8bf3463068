import { expect, test } from 'vitest';
import type { Communication } from '../../transforms/partition/communication.ts';
import { explainCommunication, replicationText } from './explain-communication.ts';
import type { CompileEvent } from './metrics.ts';

const event = (kind: CompileEvent['kind'], communication: readonly Communication[]): CompileEvent => ({
  ...{ kind, at: 'train.ts:9', ops: 3, compileMs: 1, fromCache: false, isFromKernels: false, kernels: 1 },
  ...{ arenaBytes: 0, because: undefined, communication, replicated: [] },
});
const sent = (kind: Communication['kind'], line: number, bytes: number, devices = 2): Communication => ({
  ...{ kind, bytes, devices, shape: [bytes / 4] },
  location: { file: '/home/me/train.ts', line, column: 1 },
});

const waited = { collectiveMs: 50, stepsMarked: 4 };

test('a row for each line, kind and group, most bytes first, of the last step', () => {
  const communication = [
    sent('all_reduce', 5, 512),
    sent('all_gather', 7, 1024, 4),
    sent('all_reduce', 5, 2048),
    sent('all_reduce', 5, 256, 4),
  ];
  const history = [event('step', []), event('step', communication), event('read', [])];
  expect(explainCommunication(history, waited)).toBe(
    [
      'each rank sends in the step at train.ts:9 (collectives of a loop count once):',
      'line        collective  ranks  count    bytes',
      '──────────  ──────────  ─────  ─────  ───────',
      'train.ts:5  all_reduce      2      2  2.5 KiB',
      'train.ts:7  all_gather      4      1  1.0 KiB',
      'train.ts:5  all_reduce      4      1    256 B',
      'total                              4  3.8 KiB',
      'this rank waited 12.50 ms a step for collectives and late ranks (mean of 4)',
    ].join('\n'),
  );
});

test('activations that are sent along a pipeline', () => {
  const send: Communication = { kind: 'send', bytes: 4096, devices: 2, shape: [1024], location: undefined };
  const text = explainCommunication([event('step', [send, send])], waited);
  expect(text).toMatch(/^between stages {2}send +2 +2 {2}8.0 KiB$/m);
});

test('steps that send nothing, and no step', () => {
  expect(explainCommunication([event('step', [])], waited)).toBe('the step at train.ts:9 sends nothing between ranks');
  expect(explainCommunication([event('read', [])], waited)).toBe('no step was compiled yet');
});

test('an op that every rank computes whole, and the call that avoids it', () => {
  const location = { file: '/home/me/train.ts', line: 7, column: 1 };
  const layouts = { divided: [[], ['tp']], instead: [['tp'], []] };
  const op = { name: 'sort', isOperator: false, location, bytes: 2 << 20, ...layouts };
  expect(replicationText(op)).toBe(
    "every rank computes the sort at train.ts:7 whole, and gathers 2.0 MiB that are divided as [null, 'tp']: withShardingConstraint(x, ['tp', null]) before it keeps it divided",
  );
  expect(replicationText({ ...op, instead: undefined })).toContain(
    'withShardingConstraint(x, [null, null]) before it shows',
  );
  expect(replicationText({ ...op, name: 'swish', isOperator: true })).toBe(
    "every rank computes the custom operator swish at train.ts:7 whole, and gathers 2.0 MiB that are divided as [null, 'tp']: it has no sharding rule; call it in shardMap if parts can be computed alone",
  );
});
