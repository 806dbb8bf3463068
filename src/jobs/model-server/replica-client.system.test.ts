import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { AnswerTooLargeError } from './replica-answer.ts';
import { NotTakenError, ReplicaClient, type ReplicaRequest, ReplicaTimeoutError } from './replica-client.ts';

const request = (more: Partial<ReplicaRequest> = {}): ReplicaRequest => ({
  path: '/invocations',
  headers: { 'content-type': 'text/plain' },
  body: Buffer.from('body'),
  timeoutMs: 10_000,
  signal: undefined,
  ...more,
});

/** A client of a program that does this with each connection. */
async function clientOf(onConnection: (socket: Socket) => void): Promise<ReplicaClient> {
  const sockets = new Set<Socket>();
  const server = createServer(socket => {
    sockets.add(socket);
    socket.on('error', () => {});
    onConnection(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = new ReplicaClient({ port: (server.address() as AddressInfo).port });
  onTestFinished(async () => {
    client.close();
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
  });
  return client;
}

const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';

test('connections are reused, and several are used concurrently', async () => {
  let [connections, requests] = [0, 0];
  const server = createHttpServer((incoming, response) => {
    requests++;
    incoming.resume().once('end', () => setTimeout(() => response.end(String(incoming.headers['content-type'])), 20));
  });
  server.on('connection', () => connections++);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const client = new ReplicaClient({ port: (server.address() as AddressInfo).port });
  onTestFinished(() => client.close());
  const ask = async (): Promise<string> => (await (await client.post(request())).whole(100)).toString();
  expect(await ask()).toBe('text/plain');
  expect(await ask()).toBe('text/plain');
  expect(connections).toBe(1);
  expect(await Promise.all(Array.from({ length: 5 }, ask))).toEqual(new Array(5).fill('text/plain'));
  expect(connections).toBe(5);
  expect(requests).toBe(7);
});

test('an answer abandoned by its reader does not disturb the next one', async () => {
  const client = await clientOf(socket => socket.on('data', () => socket.write(OK)));
  const first = await client.post(request());
  const parts = first[Symbol.asyncIterator]();
  expect((await parts.next()).value?.toString()).toBe('ok');
  const second = await client.post(request());
  await parts.return();
  expect((await second.whole(10)).toString()).toBe('ok');
});

test('a large answer waits for its reader', async () => {
  const size = 32 * 1024 * 1024;
  let written = 0;
  const client = await clientOf(socket =>
    socket.once('data', () => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${size}\r\n\r\n`);
      const part = Buffer.alloc(1024 * 1024);
      const more = (): void => {
        while (written < size) {
          written += part.length;
          if (!socket.write(part)) return void socket.once('drain', more);
        }
      };
      more();
    }),
  );
  const answer = await client.post(request());
  await sleep(100);
  expect(written).toBeLessThan(size);
  let read = 0;
  for await (const part of answer) read += part.length;
  expect(read).toBe(size);
});

test('an answer that is too large, too late, or not HTTP is an error', async () => {
  const large = await clientOf(socket => socket.once('data', () => socket.write(OK)));
  const answer = await large.post(request());
  await expect(answer.whole(1)).rejects.toThrow(AnswerTooLargeError);
  const late = await clientOf(() => {});
  await expect(late.post(request({ timeoutMs: 20 }))).rejects.toThrow(ReplicaTimeoutError);
  const other = await clientOf(socket => socket.once('data', () => socket.write('220 mail.example.com ESMTP\r\n')));
  await expect(other.post(request())).rejects.toThrow('HTTP/1.');
  const half = await clientOf(socket => socket.once('data', () => socket.end(`${OK.slice(0, -1)}`)));
  await expect((await half.post(request())).whole(10)).rejects.toThrow('in the middle of its answer');
  const none = await clientOf(socket => socket.once('data', () => socket.end()));
  await expect(none.post(request())).rejects.toThrow('the program closed the connection');
});

test('a client that disconnects ends its request', async () => {
  const left = new AbortController();
  const client = await clientOf(() => {});
  const answer = client.post(request({ signal: left.signal }));
  left.abort();
  await expect(answer).rejects.toThrow('the client closed the connection');
  await expect(client.post(request({ signal: left.signal }))).rejects.toThrow('the client closed the connection');
});

test('requests that were not accepted may be sent to another replica', async () => {
  const gone = new ReplicaClient({ socketPath: '/nonexistent/socket' });
  await expect(gone.post(request())).rejects.toThrow(NotTakenError);
  let isFirst = true;
  const client = await clientOf(socket =>
    socket.on('data', () => {
      // The connection is closed when the second request comes, without an answer.
      if (isFirst) socket.write(OK);
      else socket.resetAndDestroy();
      isFirst = false;
    }),
  );
  await (await client.post(request())).whole(10);
  await sleep(1100);
  await expect(client.post(request())).rejects.toThrow(NotTakenError);
});

test('headers cannot be injected', async () => {
  const client = await clientOf(socket => socket.on('data', () => socket.write(OK)));
  await expect(client.post(request({ headers: { accept: 'a\r\nx-forged: b' } }))).rejects.toThrow('Invalid character');
});
