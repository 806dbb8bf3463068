// Replays on a simulated clock, and the machines that they choose.
import { expect, test } from 'vitest';
import { machineOf } from '../../hardware/machine-of.ts';
import { modelOf } from '../../simulator/index.ts';
import { type Replica, stepTimer } from '../../simulator/inference/index.ts';
import { replay } from './replay.ts';
import { planServing, type ServingQuestion } from './serving-plan.ts';

const replica: Replica = { model: modelOf('llama3-8b'), machine: machineOf('p5.48xlarge'), tensor: 1, weights: 'bf16' };
const traffic = { input: 512, output: 64 };

test('requests one after another take the time of their steps', () => {
  const seconds = stepTimer(replica);
  const { firstToken, token, sequences, preemptions } = replay(replica, { ...traffic, rate: 0.01 })!;
  const prompt = { tokens: 512, sequences: 1, chosen: 1, positions: 512, pairs: (512 * 513) / 2 };
  expect(firstToken.median).toBeCloseTo(seconds(prompt), 9);
  const last = { tokens: 1, sequences: 1, chosen: 1, positions: 544, pairs: 544 };
  expect(token.median).toBeCloseTo(seconds(last), 5);
  expect(sequences).toBeCloseTo(1, 1);
  expect(preemptions).toBe(0);
});

test('more requests wait longer, until they are too many; the same seed gives the same latencies', () => {
  const [few, many, most] = [1, 20, 500].map(rate => replay(replica, { ...traffic, rate })!);
  expect(many!.firstToken.p99).toBeGreaterThan(few!.firstToken.p99);
  expect(many!.tokensPerSecond).toBeGreaterThan(5 * few!.tokensPerSecond);
  expect([few!.isOverloaded, many!.isOverloaded, most!.isOverloaded]).toEqual([false, false, true]);
  expect(replay(replica, { ...traffic, rate: 20 })).toEqual(many);
  expect(replay({ ...replica, model: modelOf('llama3-70b') }, { ...traffic, rate: 1 })).toBeUndefined();
});

const question: ServingQuestion = {
  model: modelOf('llama3-8b'),
  machines: ['g5.48xlarge', 'p5.48xlarge'].map(name => machineOf(name)),
  weights: 'bf16',
  ...traffic,
  limits: { firstToken: 0.3, token: 0.03 },
  storageBandwidth: 2e9,
};

test('the rows keep the limits at the asked rate, with as many machines as they need; the frontier is cheaper with more load', () => {
  const { rows, frontier } = planServing({ ...question, rate: 400 });
  expect(rows.length).toBeGreaterThan(0);
  for (const row of rows) {
    expect(row.capacity * row.replicasPerMachine * row.machines).toBeGreaterThanOrEqual(400);
    expect(row.latencies.firstToken.p99).toBeLessThanOrEqual(0.3);
    expect(row.latencies.token.p99).toBeLessThanOrEqual(0.03);
    expect(row.loadSeconds).toBeCloseTo(16.1e9 / 2e9, 0);
  }
  const costs = frontier.map(({ dollarsPerMillion }) => dollarsPerMillion!);
  expect(costs).toEqual(costs.toSorted((a, b) => b - a));
});

test('machines that cannot do it say why', () => {
  const { rows, refused } = planServing({ ...question, limits: { token: 0.0001 } });
  expect(rows).toEqual([]);
  expect(refused.map(({ reason }) => reason)).toEqual(
    new Array(2).fill('no size meets the limits for a single request'),
  );
  const large = planServing({ ...question, model: modelOf('llama3-405b'), machines: [machineOf('g5.48xlarge')] });
  expect(large.refused[0]!.reason).toBe('the weights and one request do not fit');
});
