import { describe, expect, test } from 'vitest';
import { formatUsd, usd } from '../../base/money.ts';
import { blockDates, blockDays, isTooFarAhead } from './capacity-block.ts';
import { testMachine, testPrice } from './fake-predict.testing.ts';
import { type PurchaseOption, purchaseOptions } from './purchase.ts';
import { defaultSpot, expectedSpotTime } from './spot.ts';

const HOUR = 3600;
const DAY = 24 * HOUR;

describe('capacity blocks', () => {
  test('days are whole, weeks after two of them, and half an hour of the last is not usable', () => {
    expect(blockDays(1)).toBe(1);
    expect(blockDays(DAY - 1800)).toBe(1);
    expect(blockDays(DAY - 1799)).toBe(2);
    expect(blockDays(13.9 * DAY)).toBe(14);
    expect(blockDays(14 * DAY)).toBe(21);
    expect(blockDays(182 * DAY - 1800)).toBe(182);
    expect(blockDays(182 * DAY)).toBeUndefined();
  });

  test('blocks start and end at 11:30 UTC', () => {
    const now = new Date('2026-03-01T12:00:00Z');
    const dates = (start: string) => {
      const { starts, ends } = blockDates(3, new Date(start), now);
      return [starts.toISOString(), ends.toISOString()];
    };
    expect(dates('2026-03-01T12:00:00Z')).toEqual(['2026-03-02T11:30:00.000Z', '2026-03-05T11:30:00.000Z']);
    expect(dates('2026-03-02T11:30:00Z')).toEqual(['2026-03-02T11:30:00.000Z', '2026-03-05T11:30:00.000Z']);
    expect(isTooFarAhead(new Date('2026-04-26T11:30:00Z'), now)).toBe(false);
    expect(isTooFarAhead(new Date('2026-04-27T12:00:00Z'), now)).toBe(true);
    expect(() => dates('2026-02-27T12:00:00Z')).toThrow('booked up to eight weeks ahead');
  });
});

describe('spot', () => {
  const spot = { ...defaultSpot, checkpointEverySeconds: 1800 };

  test('without interruptions only checkpoints cost time', () => {
    const { seconds, interruptions, lostSeconds } = expectedSpotTime(10 * HOUR, 4, {
      ...spot,
      interruptionsPerInstanceHour: 0,
    });
    expect([seconds, interruptions, lostSeconds]).toEqual([10 * HOUR + 20 * 60, 0, 0]);
  });

  test('each rare interruption loses half an interval and a restart', () => {
    const rare = { ...spot, interruptionsPerInstanceHour: 1e-4 };
    const { interruptions, lostSeconds } = expectedSpotTime(100 * HOUR, 2, rare);
    expect(lostSeconds / interruptions).toBeCloseTo((1800 + 60) / 2 + 600, -1);
  });

  test('matches a simulation', () => {
    // A fixed generator: the mean of 20,000 training runs is within 1 % of the formula.
    let state = 1;
    const uniform = (): number => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return (state + 0.5) / 2 ** 32;
    };
    const rate = (0.5 * 3) / HOUR;
    const until = (): number => -Math.log(uniform()) / rate;
    const survive = (seconds: number, again: () => number): number => {
      let total = 0;
      for (;;) {
        const next = until();
        if (next >= seconds) return total + seconds;
        total += next + again();
      }
    };
    const restart = (): number => survive(600, () => 0);
    let sum = 0;
    for (let i = 0; i < 20_000; i++) for (let s = 0; s < 4; s++) sum += survive(1860, restart);
    const expected = expectedSpotTime(2 * HOUR, 3, { ...spot, interruptionsPerInstanceHour: 0.5 });
    expect(sum / 20_000 / expected.seconds).toBeCloseTo(1, 2);
  });

  test('the chosen interval loses less than shorter and longer ones', () => {
    const seconds = (every: number | undefined): number =>
      expectedSpotTime(200 * HOUR, 16, { ...defaultSpot, checkpointEverySeconds: every }).seconds;
    const { checkpointEverySeconds: best } = expectedSpotTime(200 * HOUR, 16, defaultSpot);
    expect(seconds(undefined)).toBe(seconds(best));
    expect(seconds(best * 2)).toBeGreaterThan(seconds(best));
    expect(seconds(best / 2)).toBeGreaterThan(seconds(best));
  });

  test('assumptions that are not numbers are rejected', () => {
    expect(() => expectedSpotTime(1, 1, { ...spot, checkpointEverySeconds: 0 })).toThrow(
      'checkpointEverySeconds is 0, expected a number above 0',
    );
    expect(() => expectedSpotTime(1, 1, { ...spot, restartSeconds: -1 })).toThrow('restartSeconds is -1');
  });
});

describe('ways to buy', () => {
  const machine = testMachine('p.large', {
    prices: [
      testPrice('on-demand', 10),
      testPrice('spot', 4),
      testPrice('reserved-1y', 6),
      testPrice('reserved-3y', 4),
      testPrice('capacity-block', 9, { uncertain: true, source: 'a quote' }),
      testPrice('on-demand', 11.5, { service: 'sagemaker' }),
    ],
  });
  const startUp = { provision: 300, prepare: 300 };
  const question = { machine, nodes: 2, stepsSeconds: 20 * HOUR - 600, startUp };
  const told = (options: readonly PurchaseOption[]) =>
    options.map(o =>
      o.kind === 'priced'
        ? `${o.service} ${o.purchase}: ${formatUsd(o.used)} used, ${formatUsd(o.toPay)} to pay${o.commitment ? ', committed' : ''}`
        : `${o.service} ${o.purchase}: ${o.kind === 'impossible' ? o.reason : o.kind}`,
    );

  test('all of them', () => {
    expect(told(purchaseOptions(question))).toMatchInlineSnapshot(`
      [
        "ec2 on-demand: $400.00 used, $400.00 to pay",
        "ec2 spot: $167.04 used, $167.04 to pay",
        "ec2 reserved-1y: $240.00 used, $105,120.00 to pay, committed",
        "ec2 reserved-3y: $160.00 used, $210,240.00 to pay, committed",
        "ec2 savings-plan: no public price",
        "ec2 capacity-block: $360.00 used, $432.00 to pay",
        "sagemaker on-demand: $458.08 used, $458.08 to pay",
        "sagemaker spot: no public price",
        "sagemaker savings-plan: no public price",
      ]
    `);
  });

  test('a capacity block costs whole days of all its instances, up front', () => {
    const start = { at: new Date('2026-03-01T00:00:00Z'), now: new Date('2026-03-01T00:00:00Z') };
    const block = purchaseOptions({ ...question, nodes: 3, stepsSeconds: 1.2 * DAY, start }).find(
      o => o.purchase === 'capacity-block',
    );
    expect(block).toMatchObject({ kind: 'priced', toPay: usd(2 * 24 * 3 * 9), commitment: false });
    if (block?.kind !== 'priced') throw new Error('no price');
    expect(block.block?.ends.toISOString()).toBe('2026-03-03T11:30:00.000Z');
    expect(block.notes.at(-1)).toBe('The price is uncertain: a quote, 2026-07-20.');
  });

  test('options that are not offered are rejected', () => {
    const reasons = (more: object) =>
      purchaseOptions({ ...question, ...more }).flatMap(o =>
        o.kind === 'impossible' ? [`${o.purchase}: ${o.reason}`] : [],
      );
    expect(reasons({ nodes: 65 })).toEqual(['capacity-block: a block has 1 to 64 instances, not 65']);
    expect(reasons({ stepsSeconds: 200 * DAY })).toEqual([
      'capacity-block: a block lasts at most 182 days, and 200 days are needed',
    ]);
    expect(reasons({ spot: { interruptionsPerInstanceHour: 60, checkpointEverySeconds: 600 } })[0]).toMatch(
      /^spot: interrupted every 30.0 s on average, it hardly gets on/,
    );
  });

  test('a reservation shorter than the training is bought again', () => {
    const year = purchaseOptions({ ...question, nodes: 1, stepsSeconds: 400 * DAY }).find(
      o => o.purchase === 'reserved-1y',
    );
    expect(year).toMatchObject({ toPay: usd(2 * 8760 * 6) });
  });
});
