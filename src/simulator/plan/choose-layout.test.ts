import { describe, expect, test } from 'vitest';
import type { Layout } from '../layout.ts';
import type { Prediction } from '../prediction.ts';
import type { StepQuestion } from '../question.ts';
import { chooseLayout } from './choose-layout.ts';
import { fakePredict, smallWorkload, testMachine } from './fake-predict.testing.ts';
import { formatLayout } from './format.ts';
import { type LayoutSpace, layoutsOf } from './layouts.ts';
import { allows, recipeOf, recipes } from './recipes.ts';
import { planRows } from './rows.ts';
import { scalingOf, whySuperLinear } from './scaling.ts';

const machine = testMachine('p.large');
const withMemory = (memoryBytes: number) => ({ ...machine, device: { ...machine.device, memoryBytes } });

describe('the default layout', () => {
  // Skipped layouts must not be better: compared with all layouts that a recipe has run, in memories from too small to ample;
  // if none of those fits, against all plain ones.
  test.each([0.05e9, 0.2e9, 0.3e9, 0.45e9, 0.7e9, 1.5e9, 16e9])(
    'is the best published layout that fits into %d bytes',
    memory => {
      const on = withMemory(memory);
      const space: LayoutSpace = { globalBatch: 64 };
      const every = [...layoutsOf(smallWorkload, 16, space)].filter(l => l.tensor <= 8);
      const predicted = (layouts: readonly Layout[]) =>
        layouts.map(l => fakePredict({ workload: smallWorkload, machine: on, nodes: 2, layout: l }));
      const gpu = recipes.filter(recipe => recipe.device === 'gpu');
      const run = predicted(every.filter(layout => gpu.some(recipe => allows(recipe, layout, space))));
      const plain = predicted(every.filter(l => l.interleave === 1 && l.sequenceParallel === l.tensor > 1));
      const { prediction, recipe, from } = chooseLayout(
        { workload: smallWorkload, machine: on, nodes: 2, space },
        fakePredict,
      );
      const hasRun = run.some(p => p.memory.fits);
      const all = hasRun ? run : plain;
      expect(recipe === undefined).toBe(!hasRun);
      if (recipe !== undefined) expect(allows(recipe, prediction.layout, space)).toBe(true);
      const fitting = all.filter(p => p.memory.fits);
      expect([prediction.memory.fits, from]).toEqual([fitting.length > 0, all.length]);
      if (fitting.length > 0)
        expect(prediction.stepSeconds).toBeCloseTo(Math.min(...fitting.map(p => p.stepSeconds)), 9);
      else expect(prediction.memory.total).toBeCloseTo(Math.min(...all.map(p => p.memory.total)), 0);
    },
  );

  test('keeps the given sizes', () => {
    const given = { tensor: 4, zero1: true, microBatch: 3, recompute: 'full', globalBatch: 48 } as const;
    const { prediction } = chooseLayout({ workload: smallWorkload, machine, nodes: 1, space: given }, fakePredict);
    expect(prediction.layout).toMatchObject({ tensor: 4, zero1: true, microBatch: 3, recompute: 'full' });
  });

  test('of one recipe, or the reason why there is none', () => {
    const choose = (name: string, space: LayoutSpace = { globalBatch: 64 }) =>
      chooseLayout({ workload: smallWorkload, machine, nodes: 1, space, recipe: recipeOf(name) }, fakePredict);
    expect(choose('pytorch-ddp').prediction.layout).toMatchObject({ data: 8, zero1: false });
    expect(choose('llm.c').prediction.layout).toMatchObject({ data: 8, zero1: true });
    expect(choose('llama3').prediction.layout).toMatchObject({ tensor: 8, microBatch: 1, recompute: 'none' });
    expect(() => choose('nxd-training')).toThrow('the recipe nxd-training (NxD Training) does not run on p.large');
    expect(() =>
      chooseLayout(
        {
          workload: smallWorkload,
          machine: { ...machine, devices: 4 },
          nodes: 1,
          space: {},
          recipe: recipeOf('llama3'),
        },
        fakePredict,
      ),
    ).toThrow('the recipe llama3 has no layout of small-gpt for 1 × p.large: it was run with tensor-parallel sizes 8');
  });

  test('names the division that fails', () => {
    const choose = (space: LayoutSpace) => () =>
      chooseLayout({ workload: smallWorkload, machine, nodes: 1, space }, fakePredict);
    expect(choose({ tensor: 3 })).toThrow('2 × 3 × 1 (data × tensor × pipeline) is 6 devices, and 1 × p.large has 8');
    expect(choose({ data: 8, globalBatch: 12 })).toThrow(
      'a global batch of 12 cannot be divided among 8 copies of the model\n  fix: choose a multiple of 8: 16',
    );
    expect(choose({ tensor: 8, microBatch: 5, globalBatch: 12 })).toThrow('in micro-batches of 5');
    expect(choose({ interleave: 2, pipeline: 1 })).toThrow('interleaving needs more than one pipeline stage');
  });
});

test('rows: several machines, one of them impossible', () => {
  const small = { ...testMachine('g.small'), devices: 2, chips: 2 };
  const rows = planRows(
    {
      workload: smallWorkload,
      machines: [machine, small],
      nodes: [1, 2],
      space: { tensor: 4, globalBatch: 64 },
      amount: { kind: 'steps', steps: 1000 },
    },
    fakePredict,
  );
  expect(
    rows.map(row =>
      row.kind === 'predicted'
        ? `${row.nodes} × ${row.machine.name} ${formatLayout(row.prediction.layout)}${row.cheapest ? ', cheapest' : ''}${row.fastest ? ', fastest' : ''}`
        : `${row.nodes} × ${row.machine.name} ${row.kind}: ${row.reason}`,
    ),
  ).toMatchInlineSnapshot(`
    [
      "1 × p.large dp1 tp4 pp2×4 sp · 64 × 1, cheapest",
      "2 × p.large dp1 tp4 pp4×2 sp · 64 × 1, fastest",
      "1 × g.small impossible: invalid layout: 1 × 4 × 1 (data × tensor × pipeline) is 4 devices, and 1 × g.small has 2",
      "2 × g.small dp1 tp4 · 64 × 1",
    ]
  `);
});

describe('scaling', () => {
  const question: StepQuestion = {
    workload: smallWorkload,
    machine,
    nodes: 1,
    layout: {
      data: 4,
      tensor: 2,
      pipeline: 1,
      interleave: 1,
      expert: 1,
      sequenceParallel: false,
      zero1: false,
      microBatch: 4,
      microBatches: 4,
      recompute: 'none',
    },
  };
  const base = fakePredict(question);

  test('strong keeps the global batch, weak the batch of each copy', () => {
    const batches = new Map<number, readonly number[]>();
    const { strong, weak } = scalingOf(question, [1, 2, 4, 16, 32], asked => {
      const prediction = fakePredict(asked);
      const { nodes } = asked;
      batches.set(nodes, [...(batches.get(nodes) ?? []), prediction.samplesPerStep]);
      return prediction;
    });
    // 64 samples cannot be divided among 128 copies.
    expect(strong.map(point => point.nodes)).toEqual([1, 2, 4, 16]);
    expect(weak.map(point => point.nodes)).toEqual([1, 2, 4, 16, 32]);
    expect(batches.get(16)).toEqual([64, 64 * 16]);
    expect([strong[0]!.efficiency, weak[0]!.efficiency]).toEqual([1, 1]);
    // The all-reduce of gradients does not get faster with a smaller batch.
    expect(strong[3]!.efficiency).toBeLessThan(weak[3]!.efficiency);
    expect(weak[3]!.samplesPerSecond).toBeCloseTo(16 * base.samplesPerSecond, 6);
  });

  test('superlinear scaling is explained', () => {
    const shared: Prediction = { ...base, byPhase: { ...base.byPhase, optimizer: 1 } };
    const of = (p: Prediction, nodes: number, optimizer: number, layout: Partial<Layout>): Prediction => {
      const stepSeconds = p.stepSeconds + optimizer;
      const samplesPerStep = p.samplesPerStep * nodes;
      return {
        ...p,
        nodes,
        stepSeconds,
        samplesPerStep,
        samplesPerSecond: samplesPerStep / stepSeconds,
        byPhase: { ...p.byPhase, optimizer },
        layout: { ...p.layout, ...layout },
      };
    };
    const one = of(shared, 1, 0.01, { zero1: true });
    expect(whySuperLinear(one, of(shared, 2, 0.005, { zero1: true, data: 8 }))).toMatch(
      /^1 to 2 nodes is 2\.\d+ × the throughput: ZeRO-1 shares the optimizer's work among 8 copies instead of 4$/,
    );
    expect(whySuperLinear(one, of(shared, 2, 0.005, { zero1: true, data: 2, tensor: 8 }))).toContain('another layout');
    expect(whySuperLinear(one, of(shared, 2, 0.01, { zero1: true, data: 8 }))).toBeUndefined();
    expect(whySuperLinear(one, of(shared, 2, 0.02, { zero1: true, data: 8 }))).toBeUndefined();
  });

  test('numbers of nodes that do not divide the model evenly have no point', () => {
    const odd = scalingOf({ ...question, machine: { ...machine, devices: 3 } }, [1, 2], fakePredict);
    expect(odd.weak.map(point => point.nodes)).toEqual([2]);
  });
});
