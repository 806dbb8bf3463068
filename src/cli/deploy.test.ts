// `trenio deploy` as a real process with a real, tiny model: files to HTTP answers.
import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect, test } from 'vitest';
import { tinyCheckpoint } from '../jobs/tiny-bert.testing.ts';
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

describe('trenio deploy', { timeout: 60_000 }, () => {
  test.each(['SIGTERM', 'SIGINT'] as const)('answers, survives bad requests, and ends well on %s', async signal => {
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

  test('a port in use: which, and what to do', async () => {
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
    expect(stderr).toContain(
      `trenio: port ${port} on 127.0.0.1 is used by another program\n  fix: choose another with --port`,
    );
  });

  test('a folder that is no checkpoint', async () => {
    const { exitCode, stderr } = await new CliProcess(['deploy', '/no/such/folder', '--port', '0'], environment)
      .finished;
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^trenio: cannot read \/no\/such\/folder\/\S+: there is no such file\n {2}fix: /m);
    expect(stderr).not.toContain('    at ');
  });

  test('a name that cannot be in a URL', async () => {
    const { exitCode, stderr } = await new CliProcess(['deploy', '/tmp', '--port', '0', '--name', 'a/b'], environment)
      .finished;
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining("'a/b' cannot be the name of an endpoint")]);
  });
});
