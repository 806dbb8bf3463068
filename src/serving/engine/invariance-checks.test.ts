// Repetitions of requests: equal ones, and those of a model whose tokens depend on what else is in a step.
import { expect, test } from 'vitest';
import { FakeModel } from './fake-model.testing.ts';
import { InvarianceChecks } from './invariance-checks.ts';
import { PagedEngine } from './paged-engine.ts';
import { requestOf } from './same-tokens.testing.ts';
import type { Chosen, StepPart } from './step-model.ts';

class Careless extends FakeModel {
  override async run(parts: readonly StepPart[]): Promise<readonly (readonly Chosen[])[]> {
    const results = await super.run(parts);
    return parts.length === 1 ? results : results.map(chosen => chosen.map(one => ({ ...one, id: (one.id + 1) % 50 })));
  }
}

test.each([
  ['a model that keeps the promise', new FakeModel(), 1, 8, false],
  ['half of the requests', new FakeModel(), 0.5, 4, false],
  ['none', new FakeModel(), 0, 0, false],
  ['a model whose tokens depend on the others', new Careless(), 1, 8, true],
])('%s', async (_, model, share, checked, differs) => {
  const engine = new PagedEngine(model);
  const lines: string[] = [];
  const checks = new InvarianceChecks(engine, share, line => lines.push(line));
  const answers = Array.from({ length: 8 }, (__, i) =>
    Array.fromAsync(
      checks.submit(requestOf({ prompt: [1 + (i % 3), 2, 3], sampling: { maxTokens: 6, n: 1 + (i % 2) } })),
    ),
  );
  await Promise.all(answers);
  await expect.poll(() => checks.checked).toBe(checked);
  expect(checks.differing > 0).toBe(differs);
  expect(lines.length).toBe(checks.differing);
});

test('an aborted request is not repeated', async () => {
  const engine = new PagedEngine(new FakeModel());
  const checks = new InvarianceChecks(engine, 1, () => {});
  checks.submit(requestOf({ prompt: [1], sampling: { maxTokens: 200 } })).abort('by its client');
  await Array.fromAsync(checks.submit(requestOf({ prompt: [2], sampling: { maxTokens: 2 } })));
  await expect.poll(() => checks.checked).toBe(1);
  await engine.whenIdle();
  expect(checks.checked).toBe(1);
});
