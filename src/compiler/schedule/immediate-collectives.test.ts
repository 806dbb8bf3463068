// Where ranks share memory, each gradient is reduced and used as soon as it is computed.
import { describe, expect, test } from 'vitest';
import { buildFunc } from '../../hlo/builder.ts';
import { interpretReplicas } from '../../hlo/interpreter.ts';
import { bytesOf, literal } from '../../hlo/literal.ts';
import { moduleOf, type Value } from '../../hlo/program.ts';
import { elementCount, tensorType } from '../../hlo/types.ts';
import { interpretProcesses } from '../cpu/in-process/prepare.ts';
import { cpuMachine } from '../cpu/kernels/cpu-machine.ts';
import { targetOf } from '../cpu/target/target.ts';
import type { Step } from '../ir/schedule.ts';
import { isCollective } from '../lowering/lowering-kinds.ts';
import { planProgram } from '../program/plan-program.ts';

const layers = 4;
const width = 128;
const rows = 16;
const weightType = tensorType('f32', [width, width]);
const inputType = tensorType('f32', [rows, width]);

/** A forward and a backward pass; then all gradients are summed over two ranks, and the weights updated in place. */
function step(isClipped = false) {
  const types = [inputType, ...Array.from({ length: layers }, () => weightType)];
  const main = buildFunc('main', types, (b, [x, ...weights]) => {
    const dot = (l: Value, r: Value, lhs: number, rhs: number): Value => {
      const none = { lhsBatchingDimensions: [], rhsBatchingDimensions: [] };
      const product = b.dotGeneral(l, r, { ...none, lhsContractingDimensions: [lhs], rhsContractingDimensions: [rhs] });
      return b.maximum(b.minimum(product, b.like(product, 3)), b.like(product, -3));
    };
    const inputs: Value[] = [];
    let v = x!;
    for (const w of weights) {
      inputs.push(v);
      v = dot(v, w, 1, 0);
    }
    const gradients: Value[] = [];
    for (let i = layers - 1; i >= 0; i--) {
      // The weight is read after its gradient is there.
      gradients[i] = dot(inputs[i]!, v, 0, 0);
      v = dot(v, weights[i]!, 1, 1);
    }
    const sums = b.emit('all_reduce', gradients, { replicaGroups: [[0, 1]] }, [b.combiner('add', 'f32')]);
    const norm = sums.map(sum => b.slice(sum, [0, 0], [1, 1])).reduce((a, c) => b.add(a, c));
    const scale = (sum: Value): Value =>
      b.emit1('broadcast_in_dim', [norm], {
        shape: sum.type.kind === 'tensor' ? sum.type.shape : [],
        broadcastDimensions: [0, 1],
      });
    return sums.map((sum, i) => b.add(weights[i]!, isClipped ? b.multiply(sum, scale(sum)) : sum));
  });
  const aliases = [undefined, ...Array.from({ length: layers }, (_, i) => i)];
  return moduleOf({ ...main, aliases }, { numReplicas: 2 });
}
const target = { ...targetOf('generic'), bucketBytes: 1 };
const prompt = { ...target, overlapsCollectives: false };
const reduces = (s: Step): boolean => s.kind === 'kernel' && isCollective(s.op);
const multiplies = (s: Step): boolean => s.kind !== 'control' && s.dot !== undefined;

test('each all-reduce and the update after it come before the backward pass of earlier layers', () => {
  const { schedule, memory } = planProgram(step(), cpuMachine(prompt), new Map());
  const { steps } = schedule.main;
  expect(steps.filter(reduces)).toHaveLength(layers);
  expect(steps.some(s => s.kind === 'kernel' && s.part !== undefined)).toBe(false);
  const firstUpdate = steps.findIndex(s => s.writes.some(v => schedule.main.results.includes(v)));
  expect(firstUpdate).toBeGreaterThan(steps.findIndex(reduces));
  expect(firstUpdate).toBeLessThan(steps.findLastIndex(multiplies));
  // In place, although a weight is read once more after its gradient is known.
  expect(memory.finalCopies).toEqual([]);
});

test('gradients are not in memory all at once', () => {
  const [now, later] = [prompt, target].map(t => planProgram(step(), cpuMachine(t), new Map()).memory.arenaBytes);
  expect(now).toBeLessThan(later!);
});

describe.each([
  ['updates that need one gradient', false],
  ['updates that need all gradients', true],
] as const)('%s', (_, isClipped) => {
  test('have the results of the program', () => {
    const module = step(isClipped);
    const values = (seed: number, shape: readonly number[]) =>
      literal(
        'f32',
        shape,
        Array.from({ length: elementCount(shape) }, (_, i) => ((i * 7 + seed * 5) % 5) - 2),
      );
    const args = [0, 1].map(rank => [
      values(rank, inputType.shape),
      ...Array.from({ length: layers }, (_, i) => values(i + 7, weightType.shape)),
    ]);
    const wanted = interpretReplicas(module, args);
    const got = interpretProcesses(module, prompt, args);
    wanted.forEach((results, rank) => {
      results.forEach((value, i) => {
        expect(Buffer.compare(bytesOf(got[rank]![i]!), bytesOf(value as never))).toBe(0);
      });
    });
  });
});
