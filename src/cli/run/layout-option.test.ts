import { expect, test } from 'vitest';
import { runWords } from '../run-cli.testing.ts';
import { ranksForLayout } from './layout-option.ts';

const here = { oneRankEach: false, nprocPerNode: 1, nnodes: { min: 1, max: 1 }, isCounted: false } as const;
const counted = { ...here, isCounted: true };

test('the ranks of a layout: the product of its sizes, divided over the machines', () => {
  expect(ranksForLayout('tp=2,dp_shard=2', here)).toBe(4);
  expect(ranksForLayout('dp_shard=2, tp=4', { ...here, nnodes: 2 })).toBe(4);
  expect(ranksForLayout('dp_shard=-1,tp=2', { ...counted, nprocPerNode: 4 })).toBe(4);
  expect(ranksForLayout('dp_shard=-1,tp=2', { ...counted, nprocPerNode: 2, nnodes: { min: 1, max: 3 } })).toBe(2);
  // One task of srun for each rank.
  expect(ranksForLayout('dp_shard=2,tp=2', { ...here, oneRankEach: true, nnodes: 4 })).toBe(1);
});

test.each([
  ['tp', here, /--layout is 'tp', expected axes and their sizes, each axis once, such as/],
  ['tp=2,tp=2', here, /each axis once/],
  ['tp', { ...here, command: 'profile run' }, /trenio profile run: --layout is 'tp'/],
  ['tp=x', here, /axes and their sizes/],
  ['tensr=2', here, /unknown mesh axis 'tensr'[\s\S]*did you mean tensor/],
  ['tp=0', here, /invalid mesh \{ tp: 0 \}/],
  ['tp=2', { ...counted, nprocPerNode: 4 }, /the product of its axes is 2, and the run has 4 ranks/],
  ['tp=-1', here, /or --nproc-per-node with the number of ranks/],
  ['tp=2', { ...counted, nprocPerNode: 'auto' }, /not --nproc-per-node=auto/],
  ['tp=3', { ...here, nnodes: 2 }, /a multiple of 2, the number of machines/],
  ['tp=2', { ...here, nnodes: { min: 1, max: 2 } }, /the size -1 for one axis/],
  ['dp_shard=2,tp=2', { ...here, oneRankEach: true, nnodes: 2 }, /the run has 2 ranks/],
] as const)('%s is refused', (layout, place, message) => {
  expect(() => ranksForLayout(layout, place)).toThrow(message);
});

test('a layout that does not fit is refused before the script is looked for', async () => {
  const { exitCode, stderr } = await runWords(['run', '--nproc_per_node=3', '--layout', 'tp=2', 'absent.ts']);
  expect(exitCode).not.toBe(0);
  expect(stderr).toMatch(/invalid mesh \{ tp: 2 \}: the product of its axes is 2, and the run has 3 ranks/);
});
