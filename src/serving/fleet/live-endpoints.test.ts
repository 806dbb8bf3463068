import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { EndpointStore } from './endpoint-store.ts';
import { LiveEndpoints } from './live-endpoints.ts';
import type { Fleet, FleetVariant, ServingEndpoint } from './resources.ts';
import { TrafficStore } from './traffic.ts';

const MINUTE_MS = 60_000;

test('the first look at an endpoint after a quiet minute sees the requests of the minute before', () => {
  const folder = mkdtempSync(join(tmpdir(), 'trenio-traffic-'));
  const store = new EndpointStore(folder);
  const traffic = new TrafficStore(folder);
  let nowMs = 600 * MINUTE_MS;
  const live = new LiveEndpoints(store, traffic, { wall: () => nowMs, steady: () => nowMs }, () => {});
  onTestFinished(() => {
    live.close();
    traffic.close();
    store.close();
    rmSync(folder, { recursive: true });
  });
  const spec = { name: 'AllTraffic', currentWeight: 1, desiredCount: 1 } as FleetVariant;
  const fleet: Fleet = { id: 'f', configName: 'c', variants: [spec], capture: undefined, asyncInference: undefined };
  const endpoint = {
    name: 'e',
    status: 'InService',
    configName: 'c',
    createdMs: 0,
    modifiedMs: 0,
    fleet,
  } as unknown as ServingEndpoint;
  store.endpoints.add(endpoint);
  live.sync('e', endpoint);

  const meter = live.variants()[0]?.variant.meter;
  meter?.begin();
  nowMs += 5;
  meter?.end({ modelMs: 4, overheadMs: 1, status: 200 });
  nowMs += MINUTE_MS;

  const minutes = () => live.traffic('e', 0)?.variants[0]?.minutes.map(({ invocations }) => invocations);
  expect(minutes()).toEqual([1, 0]);
  expect(minutes()).toEqual([1, 0]);
});
