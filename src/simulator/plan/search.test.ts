import { describe, expect, test } from 'vitest';
import { TrenioError } from '../../base/errors.ts';
import { usd } from '../../base/money.ts';
import { devicesOf, globalBatchOf } from '../layout.ts';
import type { RecordedProgram, Workload } from '../workload.ts';
import { fakePredict, smallModel, smallWorkload, testMachine, testPrice } from './fake-predict.testing.ts';
import { formatLayout } from './format.ts';
import { divisors, layoutsOf } from './layouts.ts';
import type { Predict } from './predict-type.ts';
import { type SearchQuestion, searchLayouts } from './search.ts';
import { comparedLoss, describeLoss } from './why-lost.ts';

const program: RecordedProgram = {
  kind: 'program',
  name: 'train.ts',
  forward: [],
  backward: [],
  optimizer: [],
  kernels: 0,
  ops: 0,
  parameters: 0,
  gradientBytes: 0,
  isRecordedAnew: false,
  scratchBytes: 0,
  memory: {},
  samplesPerStep: 8,
  tokensPerStep: undefined,
};

describe('layouts', () => {
  test('divisors', () => {
    expect([divisors(1), divisors(36), divisors(7)]).toEqual([[1], [1, 2, 3, 4, 6, 9, 12, 18, 36], [1, 7]]);
  });

  test('each uses every device, has the global batch, and divides what it splits', () => {
    const workload: Workload = { ...smallWorkload, model: { ...smallModel, experts: { count: 4, perToken: 2 } } };
    const all = [...layoutsOf(workload, 32, { globalBatch: 256 })];
    expect(all.length).toBeGreaterThan(500);
    expect(new Set(all.map(layout => JSON.stringify(layout))).size).toBe(all.length);
    for (const layout of all) {
      expect([devicesOf(layout), globalBatchOf(layout)]).toEqual([32, 256]);
      expect(smallModel.heads % layout.tensor).toBe(0);
      expect(layout.pipeline * layout.interleave).toBeLessThanOrEqual(smallModel.layers);
      expect([4 % layout.expert, layout.data % layout.expert]).toEqual([0, 0]);
      if (layout.interleave > 1) expect(layout.microBatches % layout.pipeline).toBe(0);
      if (layout.tensor === 1) expect(layout.sequenceParallel).toBe(false);
      if (layout.data === 1) expect(layout.zero1).toBe(false);
    }
  });

  test('keeps the given sizes', () => {
    const all = [
      ...layoutsOf(smallWorkload, 32, { tensor: 4, recompute: 'full', zero1: true, microBatch: 2, globalBatch: 64 }),
    ];
    expect(all.length).toBeGreaterThan(0);
    for (const layout of all)
      expect(layout).toMatchObject({ tensor: 4, recompute: 'full', zero1: true, microBatch: 2 });
    expect([...layoutsOf(smallWorkload, 32, { tensor: 3 })]).toEqual([]);
    expect([...layoutsOf(smallWorkload, 32, { tensor: 1, globalBatch: 33, pipeline: 1 })]).toEqual([]);
  });

  test('a recorded program is data parallel, with its own batch', () => {
    const workload: Workload = { ...smallWorkload, model: program };
    expect([...layoutsOf(workload, 16, { globalBatch: 256, zero1: false })].map(formatLayout)).toEqual([
      'dp16 · 2 × 8',
    ]);
    expect([...layoutsOf(workload, 16, { globalBatch: 100 })]).toEqual([]);
  });
});

const machine = testMachine('p.large');
const question: SearchQuestion = {
  workload: smallWorkload,
  machines: [machine],
  nodes: [1, 2],
  space: { globalBatch: 128 },
  amount: { kind: 'tokens', tokens: 1e9 },
  objective: 'time',
  constraints: {},
};

test('the fastest layout wins; the next ones say why they are slower, and faster ones that do not fit by how much they exceed memory', () => {
  // The fastest layout, with everything on each device, does not fit in 400 MB.
  const small = { ...machine, device: { ...machine.device, memoryBytes: 0.4e9 } };
  const result = searchLayouts({ ...question, machines: [small], top: 4 }, fakePredict);
  const line = ({ prediction }: { readonly prediction: ReturnType<Predict> }): string =>
    `${prediction.nodes} × ${formatLayout(prediction.layout)}`;
  expect({
    best: line(result.best!),
    runnersUp: result.runnersUp.map(c => `${line(c)}: ${describeLoss(c.loss)}`),
    rejected: result.rejected.map(c => `${line(c)}: ${describeLoss(c.loss)}`),
  }).toMatchInlineSnapshot(`
    {
      "best": "2 × dp8 pp2×4 zero1 · 16 × 1",
      "rejected": [
        "2 × dp16 zero1 · 8 × 1: does not fit by 22.0 MiB (gradients: 158.5 MiB)",
      ],
      "runnersUp": [
        "2 × dp16 zero1 recompute-selective · 8 × 1: 0.7 % slower: recompute +1.4 %",
        "2 × dp4 pp4×2 · 32 × 1: 1.3 % slower: pipeline bubble +1.3 %",
        "2 × dp8 tp2 zero1 · 16 × 1: 3.5 % slower: layer collectives +4.2 %",
      ],
    }
  `);
  expect(result.feasible).toBeLessThan(result.priced);
});

test('no layout that was tried is better than the best', () => {
  const result = searchLayouts(question, fakePredict);
  const seconds = [...layoutsOf(smallWorkload, 16, question.space)].map(
    l => fakePredict({ workload: smallWorkload, machine, nodes: 2, layout: l }).stepSeconds,
  );
  expect(result.best!.prediction.stepSeconds).toBeCloseTo(Math.min(...seconds), 9);
});

test('by cost, fewer machines; a machine without any price is not shown, with the reason', () => {
  const free = testMachine('trn2', { prices: [] });
  const result = searchLayouts({ ...question, machines: [free, machine], objective: 'cost' }, fakePredict);
  expect(result.best!.prediction).toMatchObject({ nodes: 1, machine: { name: 'p.large' } });
  expect(result.runnersUp.every(c => c.prediction.machine.name === 'p.large')).toBe(true);
  expect(describeLoss(result.runnersUp[0]!.loss)).toMatch(/dearer/);
  expect(result.withoutAny.map(({ machine: { name }, why }) => [name, why])).toEqual([
    ['trn2', 'no public price (on-demand)'],
  ]);
});

test('deadline and budget', () => {
  const slow = searchLayouts({ ...question, constraints: { deadlineSeconds: 1 } }, fakePredict);
  expect(slow.best).toBeUndefined();
  expect(describeLoss(slow.rejected[0]!.loss)).toMatch(/after the deadline$/);
  const dear = searchLayouts({ ...question, constraints: { budget: usd(0.01) } }, fakePredict);
  expect(dear.feasible).toBe(0);
  expect(describeLoss(dear.rejected[0]!.loss)).toMatch(/over the budget$/);
  const fits = searchLayouts({ ...question, constraints: { budget: usd(1000), deadlineSeconds: 1e6 } }, fakePredict);
  expect(fits.feasible).toBeGreaterThan(0);
  const little = searchLayouts({ ...question, constraints: { memoryBytes: 1e6 } }, fakePredict);
  expect(describeLoss(little.rejected[0]!.loss)).toMatch(/more than the memory limit$/);
});

test('without an amount, layouts are compared per sample', () => {
  const prices = [testPrice('on-demand', 36)];
  const result = searchLayouts(
    { ...question, machines: [{ ...machine, prices }], amount: undefined, objective: 'cost', nodes: [1] },
    fakePredict,
  );
  const { prediction, measure, totals } = result.best!;
  expect(totals).toBeUndefined();
  expect(measure).toBeCloseTo((36e6 * prediction.stepSeconds) / 3600 / 128, 6);
});

test('layouts that the simulator rejects are counted with their reason', () => {
  const refusing: Predict = asked => {
    if (asked.layout.tensor > 2)
      throw new TrenioError('INVALID_OPTION', { what: 'layout', option: 'tensor', got: '4', expected: '2' });
    return fakePredict(asked);
  };
  const result = searchLayouts(question, refusing);
  expect(result.impossible).toEqual([{ reason: 'layout: tensor is 4, expected 2', count: expect.any(Number) }]);
  // If nothing divides evenly, the failing division is reported.
  const none = searchLayouts({ ...question, nodes: [1], space: { tensor: 3 } }, refusing);
  expect([none.priced, none.impossible[0]?.reason]).toEqual([
    0,
    'invalid layout: 2 × 3 × 1 (data × tensor × pipeline) is 6 devices, and 1 × p.large has 8',
  ]);
  const broken: Predict = () => {
    throw new RangeError('a bug');
  };
  expect(() => searchLayouts(question, broken)).toThrow('a bug');
});

test('reports differences outside of the step, too', () => {
  const best = fakePredict({
    workload: smallWorkload,
    machine,
    nodes: 1,
    layout: [...layoutsOf(smallWorkload, 8, { globalBatch: 64 })][0]!,
  });
  const compared = (ratio: number) =>
    describeLoss(comparedLoss(best, best, { kind: 'slower', rates: { lost: 1, best: 1 }, ratio, stepsShare: 0.5 }));
  expect(compared(1.25)).toBe('25 % slower: start-up and rounding to whole steps +25 %');
  expect(compared(4)).toBe('4.0 × slower: start-up and rounding to whole steps +300 %');
  expect(compared(1)).toBe('as good, within 0.05 %');
});

test('searches without a result', () => {
  const ask = (more: Partial<SearchQuestion>) => () => searchLayouts({ ...question, ...more }, fakePredict);
  expect(ask({ amount: { kind: 'steps', steps: 5 }, space: {} })).toThrow(
    'steps of different batches are not the same',
  );
  expect(ask({ amount: undefined, constraints: { deadlineSeconds: 5 } })).toThrow('to compare with the deadline');
  expect(ask({ amount: undefined, constraints: { budget: usd(5) } })).toThrow('to compare with the budget');
  expect(ask({ nodes: [0] })).toThrow('nodes is 0, expected an integer, 1 or more');
  expect(ask({ machines: [] })).toThrow('machines is none');
});
