// Searching, buying, extending and expiry of blocks; no capacity is sold twice.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { usd } from '../../base/money.ts';
import { admission } from './admission.ts';
import { peakReserved } from './calendar.ts';
import { type CapacityBlock, DAY_MS, HOUR_MS, lengthFor, stateAt, totalFee } from './capacity-block.ts';
import { CapacityStore } from './capacity-store.ts';
import { blockOfferingId } from './offering.ts';

let folder: string;
let nowMs: number;
let store: CapacityStore;
const open = (limit = 64) =>
  new CapacityStore({ folder, limitOf: () => limit, service: 'sagemaker', zone: 'us-east-1a', now: () => nowMs });
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'trenio-capacity-'));
  nowMs = Date.UTC(2026, 0, 5, 8, 20, 30);
  store = open();
});
afterEach(() => {
  store.close();
  rmSync(folder, { recursive: true, force: true });
});

const search = (changes: Partial<Parameters<CapacityStore['search']>[0]> = {}) =>
  store.search({
    instanceType: 'trn1.32xlarge',
    instanceCount: 4,
    durationMs: 2 * DAY_MS,
    startAfterMs: undefined,
    endBeforeMs: undefined,
    ...changes,
  });
const buy = (offeringId: string, name?: string) =>
  store.buy(offeringId, { purpose: 'training-plan', name, tags: {} }) as CapacityBlock;

describe('offerings', () => {
  test('one starts immediately, the others at 11:30, with prices from the catalog', () => {
    const offerings = search();
    expect(offerings.map(({ startMs }) => new Date(startMs).toISOString())).toEqual([
      '2026-01-05T08:20:00.000Z',
      '2026-01-05T11:30:00.000Z',
      '2026-01-06T11:30:00.000Z',
    ]);
    expect(offerings[0]!.fee).toBe(usd(9.532 * 4 * 48));
    expect(offerings[0]!.endMs - offerings[0]!.startMs).toBe(2 * DAY_MS);
  });

  test('are within the requested period, at most eight weeks ahead', () => {
    const startAfterMs = nowMs + 3 * DAY_MS;
    const found = search({ startAfterMs, endBeforeMs: startAfterMs + 3 * DAY_MS });
    expect(found.map(({ startMs }) => new Date(startMs).toISOString())).toEqual(['2026-01-08T11:30:00.000Z']);
    expect(search({ startAfterMs: nowMs + 56.5 * DAY_MS })).toEqual([]);
    expect(search({ startAfterMs: nowMs + 54 * DAY_MS })).not.toEqual([]);
  });

  test('do not exist for sizes, lengths and types that are not for sale', () => {
    expect(search({ instanceCount: 3 })).toEqual([]);
    expect(search({ instanceCount: 64 })).not.toEqual([]);
    expect(search({ durationMs: 15 * DAY_MS })).toEqual([]);
    expect(search({ durationMs: 182 * DAY_MS })).not.toEqual([]);
    expect(search({ durationMs: 189 * DAY_MS })).toEqual([]);
    expect(search({ instanceType: 'none.large' })).toEqual([]);
    expect([1, 24, 25, 14 * 24 + 1, 4368, 4369].map(hours => (lengthFor(hours) ?? 0) / DAY_MS)).toEqual([
      1, 1, 2, 21, 182, 0,
    ]);
  });

  test('start at the first time that fits after the sold blocks', () => {
    store.close();
    store = open(4);
    const first = buy(search()[0]!.id);
    const next = search()[0]!;
    expect(next.startMs).toBeGreaterThanOrEqual(first.endMs);
    expect(next.startMs - first.endMs).toBeLessThan(DAY_MS);
    buy(next.id);
    // Too few are left at the same time, but there are some of another type.
    expect(search({ endBeforeMs: next.endMs })).toEqual([]);
    expect(search({ instanceType: 'p4d.24xlarge', endBeforeMs: next.endMs })).not.toEqual([]);
  });
});

describe('buying', () => {
  test('a block is scheduled, active and expired by the clock, and survives a restart', () => {
    const block = buy(search()[1]!.id, 'mine');
    expect(stateAt(block, nowMs)).toBe('scheduled');
    expect(stateAt(block, block.startMs)).toBe('active');
    expect(stateAt(block, block.endMs)).toBe('expired');
    store.close();
    store = open();
    expect(store.get(block.id)).toEqual(block);
    expect(store.named('training-plan', 'MINE')).toEqual(block);
    expect(store.list()).toEqual([block]);
    expect(store.list('cluster')).toEqual([]);
  });

  test('the same instances are not sold twice', () => {
    store.close();
    store = open(6);
    const { id } = search()[0]!;
    expect(buy(id)).toMatchObject({ instanceCount: 4 });
    expect(buy(id)).toBe('no capacity');
  });

  test('rejects taken names, forged ids and expired offerings', () => {
    const { id, startMs, endMs } = search()[0]!;
    expect(buy(id, 'plan')).toMatchObject({ name: 'plan' });
    expect(buy(id, 'Plan')).toBe('name exists');
    expect(buy('cbo-00')).toBe('unknown offering');
    expect(buy('cbo-7b7d')).toBe('unknown offering');
    const made = (changes: object) =>
      buy(blockOfferingId({ type: 'trn1.32xlarge', count: 4, start: startMs, end: endMs, ...changes }));
    expect(made({ count: 5 })).toBe('unknown offering');
    expect(made({ end: endMs + 1 })).toBe('unknown offering');
    expect(made({ type: 'none' })).toBe('unknown offering');
    expect(made({ start: startMs + 60 * DAY_MS, end: endMs + 60 * DAY_MS })).toBe('unknown offering');
    nowMs += HOUR_MS;
    expect(buy(id, 'late')).toBe('offering is over');
  });

  test('an expired block takes no capacity', () => {
    store.close();
    store = open(4);
    const block = buy(search()[0]!.id);
    expect(store.reserved('trn1.32xlarge', nowMs, nowMs + 1)).toBe(4);
    nowMs = block.endMs;
    expect(store.reserved('trn1.32xlarge', nowMs, nowMs + 1)).toBe(0);
    expect(search()[0]!.startMs - nowMs).toBeLessThan(HOUR_MS);
  });
});

describe('extensions', () => {
  test('move the end and add to the fee', () => {
    const block = buy(search()[0]!.id);
    const offering = store.extension(block.id, DAY_MS)!;
    expect(offering).toMatchObject({ startMs: block.endMs, endMs: block.endMs + DAY_MS, fee: usd(9.532 * 4 * 24) });
    const extended = store.extend(offering.id) as CapacityBlock;
    expect(extended.endMs).toBe(offering.endMs);
    expect(totalFee(extended)).toBe(block.fee + offering.fee);
    expect(store.extend(offering.id)).toBe('offering is over');
    expect(store.extend('cbe-00')).toBe('unknown offering');
    expect(store.extension(block.id, 15 * DAY_MS)).toBe(undefined);
  });

  test('are rejected in the last hour, and if they overlap another block', () => {
    store.close();
    store = open(4);
    const block = buy(search()[0]!.id);
    const offering = store.extension(block.id, DAY_MS)!;
    buy(search()[0]!.id);
    expect(store.extension(block.id, DAY_MS)).toBe(undefined);
    expect(store.extend(offering.id)).toBe('no capacity');
    nowMs = block.endMs - HOUR_MS / 2;
    expect(store.extend(offering.id)).toBe('not extendable');
  });
});

test('peakReserved is the maximum of overlapping blocks', () => {
  const block = (instanceCount: number, startMs: number, endMs: number) => ({ instanceCount, startMs, endMs });
  const blocks = [block(1, 0, 10), block(2, 5, 15), block(4, 10, 20)];
  expect(peakReserved(blocks, 0, 5)).toBe(1);
  expect(peakReserved(blocks, 0, 10)).toBe(3);
  expect(peakReserved(blocks, 0, 11)).toBe(6);
  expect(peakReserved(blocks, 20, 30)).toBe(0);
});

test('a job runs only in its block, and only during the block', () => {
  const block = buy(search()[1]!.id);
  expect(admission(block, 0, 4, nowMs)).toBe('starts later');
  expect(admission(block, 0, 4, block.startMs)).toBe('runs');
  expect(admission(block, 1, 4, block.startMs)).toBe('is full');
  expect(admission(block, 0, 4, block.endMs - 1)).toBe('expired');
  expect(admission(undefined, 0, 4, nowMs)).toBe('expired');
});
