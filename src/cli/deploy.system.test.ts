// `trenio deploy` as a real process with a real, tiny model: from files to HTTP responses.
import { once } from 'node:events';
import { Agent, request as httpRequest } from 'node:http';
import { createServer } from 'node:net';
import { describe, expect, test } from 'vitest';
import { tinyCheckpoint } from '../serving/model/tiny-bert.testing.ts';
import { CliProcess, gone } from './process.testing.ts';

// The interpreter starts without compiling anything; the program is the same.
const environment = { TRENIO_BACKEND: 'interpreter' };
const options = ['--port', '0', '--max-batch', '2', '--max-length', '16'];

async function start(folder: string, ...more: string[]) {
  const process = new CliProcess(['deploy', folder, ...options, '--json', ...more], environment);
  const [line] = await process.outputs(/^\{.*\}$/gm, 1);
  return {
    process,
    ready: JSON.parse(line![0]) as { name: string; url: string; invocationsUrl: string; labels: string[] },
  };
}

const classify = (url: string, body: unknown) =>
  fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

describe('trenio deploy', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)('answers, survives bad requests, and exits cleanly on %s', async signal => {
    await using checkpoint = await tinyCheckpoint();
    const { process, ready } = await start(checkpoint.folder, '--name', 'reviews');
    expect(ready).toMatchObject({ name: 'reviews', labels: ['negative', 'positive'] });
    expect(ready.invocationsUrl).toBe(`${ready.url}/endpoints/reviews/invocations`);
    expect((await fetch(`${ready.url}/ping`)).status).toBe(200);

    const texts = ['a good book', 'very bad', 'good'];
    const many = (await (await classify(ready.invocationsUrl, { inputs: texts })).json()) as {
      label: string;
      score: number;
    }[];
    expect(many).toHaveLength(3);
    for (const { label, score } of many) {
      expect(ready.labels).toContain(label);
      expect(score).toBeGreaterThanOrEqual(0.5);
    }
    const together = await Promise.all(
      texts.map(async inputs => ((await (await classify(ready.invocationsUrl, { inputs })).json()) as typeof many)[0]!),
    );
    for (const [i, one] of together.entries()) expect(one.score).toBeCloseTo(many[i]!.score, 4);

    expect((await classify(ready.invocationsUrl, { inputs: 3 })).status).toBe(400);
    expect((await classify(ready.invocationsUrl, { inputs: 'x'.repeat(2_000_000) })).status).toBe(413);
    expect((await classify(`${ready.url}/endpoints/other/invocations`, { inputs: 'x' })).status).toBe(404);
    expect((await classify(ready.invocationsUrl, { inputs: 'good' })).status).toBe(200);

    process.child.kill(signal);
    expect(await process.finished).toMatchObject({ exitCode: 0, signal: null, stderr: '' });
    await gone(process.child.pid!);
    await expect(fetch(`${ready.url}/ping`)).rejects.toThrow();
  });

  test('hosts and origins that are allowed by option; others are refused', async () => {
    await using checkpoint = await tinyCheckpoint();
    const origin = 'http://localhost:3000';
    const { process, ready } = await start(
      checkpoint.folder,
      '--allow-host',
      'models.example.com',
      '--allow-origin',
      origin,
    );
    const ping = async (headers: Record<string, string>) => {
      const request = httpRequest(`${ready.url}/ping`, { headers, agent: false });
      request.end();
      const [response] = await once(request, 'response');
      response.resume();
      return [response.statusCode, response.headers['access-control-allow-origin']];
    };
    expect(await ping({})).toEqual([200, undefined]);
    expect(await ping({ host: 'models.example.com' })).toEqual([200, undefined]);
    expect(await ping({ host: 'evil.example' })).toEqual([403, undefined]);
    expect(await ping({ origin })).toEqual([200, origin]);
    expect(await ping({ origin: 'http://evil.example' })).toEqual([403, undefined]);
    process.child.kill('SIGTERM');
    expect(await process.finished).toMatchObject({ exitCode: 0, stderr: '' });
  });

  test('an invalid host: the error names the expected value', async () => {
    const { exitCode, stderr } = await new CliProcess(
      ['deploy', '/tmp', '--port', '0', '--allow-host', 'http://models.example.com'],
      environment,
    ).finished;
    expect([exitCode, stderr]).toEqual([
      1,
      expect.stringContaining(
        "allow-host is 'http://models.example.com', expected a name or an address with or without a port",
      ),
    ]);
  });

  test('SIGTERM while many clients ask: each request is answered or refused, none is cut off', async () => {
    await using checkpoint = await tinyCheckpoint();
    const { process, ready } = await start(checkpoint.folder);
    const agent = new Agent({ keepAlive: true, maxSockets: 20 });
    const statuses: number[] = [];
    let stoppedAt = Number.POSITIVE_INFINITY;
    const ask = async () => {
      let sentAt = Number.POSITIVE_INFINITY;
      const request = httpRequest(ready.invocationsUrl, { method: 'POST', agent });
      request.once('finish', () => {
        sentAt = performance.now();
      });
      request.end('{"inputs": ["good", "bad"]}');
      try {
        const [response] = await once(request, 'response');
        response.resume();
        await once(response, 'end');
        statuses.push(response.statusCode);
        return response.headers.connection === 'close';
      } catch (error) {
        // No request may be lost that is sent while the server keeps connections open: until 300 ms after the signal to stop. On
        // a busy machine this process may be later than that.
        if (sentAt < stoppedAt + 300) throw error;
        return true;
      }
    };
    const client = async () => {
      for (let last = false; !last; ) last = await ask();
    };
    const clients = Array.from({ length: 20 }, client);
    while (statuses.length < 100) await new Promise(setImmediate);
    stoppedAt = performance.now();
    process.child.kill('SIGTERM');
    await Promise.all(clients);
    agent.destroy();
    expect(new Set(statuses).difference(new Set([200, 503])).size).toBe(0);
    expect(await process.finished).toMatchObject({ exitCode: 0, signal: null, stderr: '' });
  });

  test('a port in use: the error names it, with a fix', async () => {
    await using checkpoint = await tinyCheckpoint();
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as { port: number };
    const { exitCode, stdout, stderr } = await new CliProcess(
      ['deploy', checkpoint.folder, '--port', `${port}`],
      environment,
    ).finished;
    other.close();
    expect([exitCode, stdout]).toEqual([1, '']);
    expect(stderr).toContain(`trenio: port ${port} on 127.0.0.1 is already in use\n  fix: choose another with --port`);
  });

  test('a folder that is not a checkpoint', async () => {
    const { exitCode, stderr } = await new CliProcess(['deploy', '/no/such/folder', '--port', '0'], environment)
      .finished;
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^trenio: there is no directory \/no\/such\/folder .*\n {2}fix: /m);
    expect(stderr).not.toContain('    at ');
  });

  test('a name that cannot be in a URL', async () => {
    const { exitCode, stderr } = await new CliProcess(['deploy', '/tmp', '--port', '0', '--name', 'a/b'], environment)
      .finished;
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining("invalid endpoint name 'a/b'")]);
  });
});
