import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import type { Fleet, FleetVariant, Replica } from './resources.ts';
import { LiveVariant } from './router.ts';
import { VariantMeter } from './traffic.ts';

/** The part of a variant that the router reads. */
const spec = { name: 'AllTraffic', routing: 'LEAST_OUTSTANDING_REQUESTS' } as FleetVariant;
const fleet: Fleet = { id: 'f', configName: 'c', variants: [spec], capture: undefined, asyncInference: undefined };
const replicaAt = (port: number): Replica => ({
  ...{ id: 'i-1', endpoint: 'e', fleet: 'f', variant: 'AllTraffic', status: 'ready', createdMs: 0, readyMs: 0 },
  ...{ process: undefined, address: { port }, reason: undefined },
});

test('a replica whose connection was lost gets no requests until it answers a ping', async () => {
  const seen: string[] = [];
  let pings = 0;
  const server = createServer((request, response) => {
    if (request.url === '/ping') {
      response.writeHead(++pings < 3 ? 503 : 200).end();
      seen.push(`ping ${response.statusCode}`);
      return;
    }
    seen.push('request');
    if (seen.length === 1) request.socket.destroy();
    else response.end('answer');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const variant = new LiveVariant(
    spec,
    new VariantMeter(
      Date.now,
      () => 1,
      () => {},
    ),
  );
  onTestFinished(() => {
    variant.close();
    server.close();
  });
  variant.sync([replicaAt((server.address() as AddressInfo).port)]);
  const invoke = () =>
    variant.invoke(fleet, {
      ...{ path: '/invocations', headers: {}, body: Buffer.from('x'), timeoutMs: 30_000, signal: undefined },
    });
  await expect(invoke()).rejects.toThrow();
  const { answer, done } = await invoke();
  expect((await answer.whole(100)).toString()).toBe('answer');
  done(true);
  expect(seen).toEqual(['request', 'ping 503', 'ping 503', 'ping 200', 'request']);
});
