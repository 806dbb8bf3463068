// Capacity blocks in clusters: their nodes, their times, and the checks of the blocks in a file.
import { describe, expect, test } from 'vitest';
import { usd } from '../../base/money.ts';
import { type CapacityBlock, DAY_MS } from '../../jobs/capacity/capacity-block.ts';
import { planCluster } from '../cluster-plan.ts';
import { parseConfig } from '../config/parse-config.ts';
import { exampleConfig } from '../example-config.testing.ts';
import { blockProblems } from './block-rules.ts';
import { absentNodes, CLUSTER_TAG, clusterBlocks, DRAIN_MS, phaseAt } from './cluster-block.ts';

const START = Date.UTC(2026, 10, 23);
const block = (id: string, changes: Partial<CapacityBlock> = {}): CapacityBlock => ({
  id,
  purpose: 'capacity-block',
  name: id,
  instanceType: 'trn1.32xlarge',
  instanceCount: 2,
  zone: 'us-east-1a',
  startMs: START,
  endMs: START + DAY_MS,
  createdMs: START,
  fee: usd(1),
  extensions: [],
  tags: {},
  ...changes,
});
const withBlock = exampleConfig.replace('CapacityType: SPOT', 'CapacityType: CAPACITY_BLOCK').replace(
  'InstanceType: p4d.24xlarge',
  `InstanceType: trn1.32xlarge
          MinCount: 2
          MaxCount: 2
          CapacityReservationTarget:
            CapacityReservationId: cr-one`,
);
const parsed = parseConfig(withBlock, 'demo');
const plan = planCluster('demo', parsed.file!);
const problems = (blocks: readonly CapacityBlock[], nowMs = START, { file, lineOf } = parsed) =>
  blockProblems(file!, blocks, nowMs, lineOf).map(({ line, message }) => `${line}: ${message}`);

test('a block is scheduled, active, draining half an hour before its end, expired', () => {
  const one = block('one');
  expect(
    [START - 1, START, one.endMs - DRAIN_MS - 1, one.endMs - DRAIN_MS, one.endMs].map(t => phaseAt(one, t)),
  ).toEqual(['scheduled', 'active', 'active', 'draining', 'expired']);
});

describe('nodes', () => {
  test('of a block in the file exist only while the block is active', () => {
    const own = ['spare-st-p4-1', 'spare-st-p4-2'];
    const blocks = clusterBlocks(plan, [block('one'), block('two')]);
    expect(blocks).toMatchObject([{ id: 'cr-one', nodes: own, ownsNodes: true }]);
    expect([...absentNodes(plan, blocks, START - 1)]).toEqual(own);
    expect([...absentNodes(plan, blocks, START)]).toEqual([]);
    expect([...absentNodes(plan, blocks, START + DAY_MS)]).toEqual(own);
    // The table of blocks may have been deleted.
    expect([...absentNodes(plan, [], START)]).toEqual(own);
  });

  test('of a block that was bought for the cluster are free nodes of its type', () => {
    const bought = (id: string, changes: Partial<CapacityBlock> = {}) =>
      block(id, { purpose: 'cluster', tags: { [CLUSTER_TAG]: 'demo' }, ...changes });
    const blocks = clusterBlocks(plan, [
      bought('a', { instanceCount: 1 }),
      bought('b'),
      bought('c', { startMs: START + DAY_MS, endMs: START + 2 * DAY_MS }),
      bought('other', { tags: { [CLUSTER_TAG]: 'other' } }),
      bought('type', { instanceType: 'p5.48xlarge' }),
    ]);
    expect(blocks.map(({ id, nodes }) => [id, nodes])).toEqual([
      ['cr-a', ['train-st-trn1-1']],
      ['cr-b', ['train-st-trn1-2', 'train-dy-trn1-1']],
      ['cr-c', ['train-st-trn1-1', 'train-st-trn1-2']],
    ]);
  });
});

describe('a file with capacity blocks', () => {
  test('is valid if they exist and match', () => {
    expect(parsed.problems).toEqual([]);
    expect(problems([block('one')])).toEqual([]);
  });

  test('is rejected with the line of the problem', () => {
    expect(problems([])).toEqual(['34: is cr-one, which was not bought here: trenio capacity ls lists the blocks']);
    expect(problems([block('one')], START + DAY_MS)).toEqual([
      '34: is cr-one, which ended at 2026-11-24T00:00:00.000Z: buy another one',
    ]);
    expect(problems([block('one', { instanceType: 'p5.48xlarge', instanceCount: 1 })])).toEqual([
      '30: is trn1.32xlarge, expected p5.48xlarge, the instance type of cr-one',
      '32: requests 2 nodes of cr-one in total, which has 1',
    ]);
  });

  test('needs the id of a block', () => {
    const without = withBlock.replace(/\n +CapacityReservationTarget:\n.*/, '');
    expect(parseConfig(without, 'demo').problems).toMatchObject([
      { line: 29, message: expect.stringContaining('needs CapacityReservationTarget') },
    ]);
  });
});
