// A wall clock that is set by hours ends, skips and stretches nothing of an endpoint.
import { expect, test } from 'vitest';
import { Ages } from '../../jobs/ages.ts';
import { nextChange } from './endpoint-changes.ts';
import type { Fleet, Replica, ServingEndpoint } from './resources.ts';
import { VariantMeter } from './traffic.ts';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

function clocksAt(wallMs: number) {
  let [wall, steady] = [wallMs, 0];
  return {
    wall: () => wall,
    steady: () => steady,
    pass: (ms: number) => {
      wall += ms;
      steady += ms;
    },
    set: (ms: number) => {
      wall += ms;
    },
  };
}

test.each([3 * HOUR_MS, -3 * HOUR_MS])('a step of an update lasts as long as it should: %d ms', stepMs => {
  const clocks = clocksAt(10 * HOUR_MS);
  const ages = new Ages(clocks);
  const fleet = (id: string) => ({ id, configName: id, variants: [] }) as unknown as Fleet;
  const endpoint = {
    name: 'e',
    status: 'Updating',
    fleet: fleet('old'),
    update: {
      fleet: fleet('new'),
      plan: { steps: [{ waitMs: MINUTE_MS }, { waitMs: MINUTE_MS }] },
      startedMs: clocks.wall(),
      step: 0,
      stepMs: clocks.wall(),
    },
  } as unknown as ServingEndpoint;
  const next = () => nextChange(endpoint, [] as Replica[], clocks.wall, ages);
  expect(next()).toBeUndefined();
  clocks.set(stepMs);
  clocks.pass(MINUTE_MS - 1);
  expect(next()).toBeUndefined();
  clocks.pass(2);
  const change = next();
  expect(typeof change === 'function' ? change(endpoint).update?.step : change).toBe(1);
});

test('minutes of traffic go on when the clock is set back', () => {
  const clocks = clocksAt(10 * HOUR_MS);
  const minutes: [startMs: number, invocations: number][] = [];
  const meter = new VariantMeter(
    clocks.wall,
    () => 1,
    ({ startMs, invocations }) => minutes.push([startMs, invocations]),
  );
  const ask = (): void => {
    meter.begin();
    meter.end({ modelMs: 1, overheadMs: 0, status: 200 });
  };
  ask();
  clocks.set(-3 * HOUR_MS);
  ask();
  ask();
  clocks.pass(MINUTE_MS);
  ask();
  expect(minutes).toEqual([
    [10 * HOUR_MS, 1],
    [7 * HOUR_MS, 2],
  ]);
});
