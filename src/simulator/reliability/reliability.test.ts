import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sampleFailures } from './failures.ts';
import {
  checkpointSeconds,
  dalyInterval,
  expectedGoodput,
  type LongRun,
  llama3NodeMtbf,
  restartSeconds,
  runAssumptions,
  runDefaults,
  simulateReliability,
  youngInterval,
} from './index.ts';
import { playRun, timeCauses } from './play-run.ts';

const day = 86_400;
const run: LongRun = {
  ...runDefaults,
  nodes: 1875,
  nodeMtbf: llama3NodeMtbf(16),
  seconds: 30 * day,
  checkpoint: { blocking: 60, background: 0 },
  spares: 1000,
};
/** A failure at each of these times, replaced after the given number of seconds, or not at all. */
const history = (...failures: readonly (readonly [at: number, repair: number])[]) => ({
  times: Float64Array.from(failures, f => f[0]),
  repairs: Float64Array.from(failures, f => f[1]),
});
const small: LongRun = {
  ...run,
  seconds: 1000,
  checkpoint: { blocking: 10, background: 0 },
  restart: { detect: 5, reschedule: 5, load: 5, recompile: 5 },
  spares: 0,
};

describe('one history', () => {
  it('without failures trains and writes checkpoints', () => {
    expect(playRun(small, history(), 90)).toEqual({
      useful: 900,
      checkpoint: 100,
      'lost work': 0,
      restart: 0,
      'waiting for repair': 0,
    });
  });

  it('loses the work since the last checkpoint', () => {
    // 90 + 10 + 50 s, then 20 s to restart and 830 s: 8 cycles of 100 s and 30 s.
    expect(playRun(small, history([150, -1]), 90)).toEqual({
      useful: 90 + 8 * 90 + 30,
      checkpoint: 90,
      'lost work': 50,
      restart: 20,
      'waiting for repair': 0,
    });
  });

  it('a failure while a checkpoint is written also loses that checkpoint', () => {
    expect(playRun(small, history([195, -1]), 90)).toMatchObject({ 'lost work': 90, restart: 20 });
  });

  it('waits for the repair if there is no spare, and uses a spare if there is one', () => {
    expect(playRun(small, history([150, 300]), 90)).toMatchObject({ 'waiting for repair': 300, restart: 20 });
    expect(playRun({ ...small, spares: 1 }, history([150, 300]), 90)).toMatchObject({ 'waiting for repair': 0 });
    // The second failure finds the spare in use until 450.
    const two = history([150, 300], [250, 600]);
    expect(playRun({ ...small, spares: 1 }, two, 90)).toMatchObject({ 'waiting for repair': 200, restart: 40 });
  });

  it('repeats a restart that itself fails', () => {
    expect(playRun(small, history([150, -1], [160, -1]), 90)).toMatchObject({ restart: 10 + 20, 'lost work': 50 });
  });

  it('a checkpoint in the background counts once it is written', () => {
    const async = { ...small, checkpoint: { blocking: 10, background: 40 } };
    // Started at 100, written at 140.
    expect(playRun(async, history([130, -1]), 90)).toMatchObject({ 'lost work': 120 });
    expect(playRun(async, history([150, -1]), 90)).toMatchObject({ 'lost work': 50 });
    // Checkpoints are more frequent than they can be written: the next one waits.
    expect(playRun({ ...small, checkpoint: { blocking: 10, background: 100 } }, history(), 1)).toMatchObject({
      useful: 900,
      checkpoint: 100,
    });
  });

  it('accounts for all of the time in any case', () => {
    const failure = fc.tuple(
      fc.double({ min: 0, max: 999, noNaN: true }),
      fc.double({ min: -1, max: 2000, noNaN: true }),
    );
    fc.assert(
      fc.property(
        fc.array(failure, { maxLength: 20 }),
        fc.integer({ min: 1, max: 400 }),
        fc.integer({ min: 0, max: 3 }),
        fc.integer({ min: 0, max: 100 }),
        (failures, interval, spares, background) => {
          failures.sort((a, b) => a[0] - b[0]);
          const spent = playRun(
            { ...small, spares, checkpoint: { blocking: 10, background } },
            history(...failures),
            interval,
          );
          expect(timeCauses.reduce((sum, cause) => sum + spent[cause], 0)).toBeCloseTo(1000, 6);
          for (const cause of timeCauses) expect(spent[cause]).toBeGreaterThanOrEqual(-1e-9);
        },
      ),
      { seed: 1, numRuns: 500 },
    );
  });
});

describe('many histories', () => {
  it("meet Daly's expected time for blocking checkpoints", () => {
    const { goodput, failures, expectedGoodput: expected, interval, mtbf } = simulateReliability(run, { seed: 7 });
    expect(goodput.mean).toBeCloseTo(expected!, 2);
    expect(expected).toBe(expectedGoodput(interval, 60, restartSeconds(run), mtbf));
    expect(failures.mean / (run.seconds / mtbf)).toBeCloseTo(1, 1);
    expect(goodput.p5).toBeLessThan(goodput.mean);
    expect(goodput.p95).toBeGreaterThan(goodput.mean);
  });

  it('find an interval near the formulas', () => {
    const { optimum } = simulateReliability(run);
    expect(optimum.simulated.interval / optimum.daly.interval).toBeGreaterThan(0.6);
    expect(optimum.simulated.interval / optimum.daly.interval).toBeLessThan(1.6);
    expect(optimum.simulated.goodput).toBeGreaterThan(optimum.daly.goodput - 1e-3);
  });

  it('are the same for the same seed, and others for another', () => {
    expect(simulateReliability(run, { histories: 20, seed: 3 })).toEqual(
      simulateReliability(run, { histories: 20, seed: 3 }),
    );
    expect(sampleFailures(run, 3, 0).times).not.toEqual(sampleFailures(run, 4, 0).times);
    expect(sampleFailures(run, 3, 0).times).not.toEqual(sampleFailures(run, 3, 1).times);
  });

  it("reproduce Llama 3's interruptions, and its 90 % of useful time", () => {
    const llama = {
      ...run,
      nodes: 2048,
      nodeMtbf: llama3NodeMtbf(8),
      seconds: 54 * day,
      checkpoint: { blocking: 5, background: 120 },
    };
    const { failures, goodput } = simulateReliability(llama, { histories: 50 });
    expect(failures.mean).toBeGreaterThan(405);
    expect(failures.mean).toBeLessThan(433);
    expect(goodput.mean).toBeGreaterThan(0.9);
  });

  it('show the benefit of spares', () => {
    const without = simulateReliability({ ...run, spares: 0 }, { histories: 20 });
    const few = simulateReliability({ ...run, spares: 10 }, { histories: 20 });
    expect(few.goodput.mean).toBeGreaterThan(without.goodput.mean + 0.3);
    expect(without.byCause['waiting for repair']).toBeGreaterThan(few.byCause['waiting for repair']);
  });
});

describe('formulas', () => {
  it('are those of Young and Daly', () => {
    expect(youngInterval(50, 10_000)).toBe(1000);
    expect(dalyInterval(50, 10_000)).toBeCloseTo(1000 * (1 + 0.05 / 3 + 0.0025 / 9) - 50, 9);
    expect(dalyInterval(30_000, 10_000)).toBe(10_000);
  });

  it("Daly's interval is where his expected time is best", () => {
    const at = (interval: number) => expectedGoodput(interval, 60, 300, 6000);
    const daly = dalyInterval(60, 6000);
    expect(at(daly)).toBeGreaterThan(at(daly * 1.1));
    expect(at(daly)).toBeGreaterThan(at(daly / 1.1));
  });

  it('a checkpoint takes as long as the slower of nodes and storage', () => {
    const options = { bytes: 1e12, nodes: 100, nodeBandwidth: 1e9, storageBandwidth: 50e9 };
    expect(checkpointSeconds(options)).toBe(20);
    expect(checkpointSeconds({ ...options, storageBandwidth: 500e9 })).toBe(10);
    expect(() => checkpointSeconds({ ...options, nodes: 0 })).toThrow('nodes is 0, expected more than 0');
  });
});

it('lists the assumptions of a result', () => {
  expect(runAssumptions({ ...run, spares: 1 })).toEqual([
    'an instance is the cause of an interruption every 132.0 days, the job is interrupted every 1 h 41 min',
    '78 % of interruptions break an instance, which is back after 4 h 00 min on average; 1 stands by',
    'a restart takes 5 min 00 s: 1 min 00 s to notice, 2 min 00 s to start processes, 1 min 00 s to read the checkpoint, 1 min 00 s to load the compiled step',
    'a checkpoint stops the training for 1 min 00 s',
  ]);
});

it('rejects impossible inputs', () => {
  const refused = (more: Partial<LongRun>) => () => simulateReliability({ ...run, ...more });
  expect(refused({ nodes: 0 })).toThrow('nodes is 0');
  expect(refused({ nodeMtbf: 0 })).toThrow('nodeMtbf is 0, expected more than 0 seconds');
  expect(refused({ nodeMtbf: 1 })).toThrow('a million failures a run');
  expect(refused({ spares: -1 })).toThrow('spares is -1');
  expect(refused({ replacementShare: 2 })).toThrow('replacementShare is 2');
  expect(refused({ checkpoint: { blocking: -1, background: 0 } })).toThrow('checkpoint.blocking is -1');
  expect(refused({ checkpoint: { blocking: 1, background: 0, interval: 0 } })).toThrow('checkpoint.interval is 0');
  expect(() => simulateReliability(run, { histories: 0 })).toThrow('histories is 0');
  expect(() => simulateReliability(run, { seed: -1 })).toThrow('seed is -1');
});
