// The store over real sockets: its operations, many clients at once, and who is let in.
import { connect } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { MAX_VALUE_LENGTH, storeBarrier, withPrefix } from './store.ts';
import { openChannel, RemoteStore } from './store-client.ts';
import { StoreServer } from './store-server.ts';

const secret = 'a secret for this test alone';
const open: { close(): void }[] = [];
afterEach(() => {
  for (const one of open.splice(0)) one.close();
});

async function host(run = 'run'): Promise<StoreServer> {
  const server = await StoreServer.listen({ endpoint: { host: '127.0.0.1', port: 0 }, secret, run });
  open.push(server);
  return server;
}
async function client(server: StoreServer, run = 'run', key = secret): Promise<RemoteStore> {
  const channel = await openChannel({ endpoint: server.endpoint, secret: key, run, timeoutMs: 2000 });
  const store = new RemoteStore(channel);
  open.push(store);
  return store;
}

describe('many connections', () => {
  test('400 at once are all let in, while 1,500 strangers are idle', async () => {
    const server = await host();
    const { port } = server.endpoint;
    const strangers = Array.from({ length: 1500 }, () => connect({ host: '127.0.0.1', port }).on('error', () => {}));
    open.push({ close: () => strangers.forEach(socket => void socket.destroy()) });
    await Promise.all(
      strangers.map(socket => new Promise(resolve => socket.once('connect', resolve).once('close', resolve))),
    );
    const channels = await Promise.all(
      Array.from({ length: 400 }, () =>
        openChannel({ endpoint: server.endpoint, secret, run: 'run', timeoutMs: 30_000 }),
      ),
    );
    for (const channel of channels) channel.close('done');
    expect(channels).toHaveLength(400);
  });
});

describe('the store', () => {
  test('set, get, add, compareSet, delete are seen by every client', async () => {
    const server = await host();
    const [a, b] = [await client(server), await client(server)];
    await a.set('key', 'välue');
    expect(await b.get('key')).toBe('välue');
    expect(await b.get('none')).toBeUndefined();
    expect([await a.add('n', 2), await b.add('n', -5)]).toEqual([2, -3]);
    expect(await a.compareSet('lock', undefined, 'a')).toBe('a');
    expect(await b.compareSet('lock', undefined, 'b')).toBe('a');
    expect(await b.compareSet('lock', 'a', 'b')).toBe('b');
    expect([await a.delete('lock'), await a.delete('lock')]).toEqual([true, false]);
    expect(await withPrefix(a, 'k').get('ey')).toBe('välue');
  });

  test('wait returns when the last key exists, and names the missing ones on timeout', async () => {
    const server = await host();
    const [a, b] = [await client(server), await client(server)];
    const waited = a.wait(['x', 'y']);
    await b.set('x', '1');
    await b.set('y', '2');
    await waited;
    await expect(a.wait(['x', 'late'], 20)).rejects.toMatchObject({
      code: 'STORE_TIMEOUT',
      data: { missing: ['late'] },
    });
  });

  test('of many that compete, exactly one wins, and a barrier holds all', async () => {
    const server = await host();
    const stores = await Promise.all(Array.from({ length: 40 }, () => client(server)));
    const winners = await Promise.all(stores.map((store, i) => store.compareSet('first', undefined, `${i}`)));
    expect(new Set(winners).size).toBe(1);
    let arrived = 0;
    await Promise.all(
      stores.map(async store => {
        arrived++;
        await storeBarrier(store, 'all', stores.length);
        expect(arrived).toBe(stores.length);
      }),
    );
    const sums = await Promise.all(stores.map(store => store.add('count', 1)));
    expect(sums.toSorted((x, y) => x - y)).toEqual(stores.map((_, i) => i + 1));
  });

  test('values beyond the limit are refused and leave the store as it was', async () => {
    const store = await client(await host());
    await expect(store.set('k', 'x'.repeat(MAX_VALUE_LENGTH + 1))).rejects.toMatchObject({ code: 'STORE_FAILED' });
    await store.set('text', 'not a number');
    await expect(store.add('text', 1)).rejects.toMatchObject({ code: 'STORE_FAILED' });
    expect([await store.get('k'), await store.get('text')]).toEqual([undefined, 'not a number']);
  });

  test('a host that goes away is an error for those that wait', async () => {
    const server = await host();
    const store = await client(server);
    const waiting = store.wait(['never']);
    server.close();
    await expect(waiting).rejects.toMatchObject({ code: 'STORE_FAILED' });
    await expect(store.get('x')).rejects.toMatchObject({ code: 'STORE_FAILED' });
  });
});

describe('who is let in', () => {
  test('not a client with another secret, and not one of another run', async () => {
    const server = await host();
    await expect(client(server, 'run', 'another secret, of others')).rejects.toMatchObject({
      code: 'RENDEZVOUS_REFUSED',
      data: { reason: 'it has another secret' },
    });
    await expect(client(server, 'other')).rejects.toThrow("rendezvous of the run 'run', not of 'other'");
    await (await client(server)).set('still', 'served');
  });

  test.each([
    ['an HTTP request', Buffer.from('GET / HTTP/1.1\r\nhost: x\r\n\r\n')],
    ['a huge length', Buffer.from([0xff, 0xff, 0xff, 0xff, ...new Array<number>(16).fill(0)])],
    ['a store request without a greeting', frame({ op: 'get', key: 'k', id: 1 })],
    ['no JSON', frame('[')],
    ['a JSON list', frame([1])],
  ])('%s closes the connection and nothing else', async (_, bytes) => {
    const server = await host();
    const socket = connect(server.endpoint.port, '127.0.0.1');
    socket.on('error', () => {});
    const closed = new Promise(resolve => socket.once('close', resolve));
    socket.on('data', () => {});
    socket.write(bytes);
    await closed;
    await (await client(server)).set('still', 'served');
  });

  test('a server that does not know the secret is not believed', async () => {
    const server = await StoreServer.listen({
      endpoint: { host: '127.0.0.1', port: 0 },
      secret: 'what an impostor made up',
      run: 'run',
    });
    open.push(server);
    await expect(client(server)).rejects.toMatchObject({ code: 'RENDEZVOUS_REFUSED' });
  });

  test('no server: an error that names the endpoint', async () => {
    const server = await host();
    const { endpoint } = server;
    server.close();
    await expect(openChannel({ endpoint, secret, run: 'run', timeoutMs: 300 })).rejects.toMatchObject({
      code: 'RENDEZVOUS_UNREACHABLE',
      data: { endpoint: `127.0.0.1:${endpoint.port}` },
    });
  });
});

function frame(message: unknown): Buffer {
  const body = Buffer.from(typeof message === 'string' ? message : JSON.stringify(message));
  const head = Buffer.alloc(20);
  head.writeUInt32BE(body.length);
  return Buffer.concat([head, body]);
}
