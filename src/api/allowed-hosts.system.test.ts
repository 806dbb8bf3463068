// Hosts and origins with a real server. Uses node:http, because fetch does not allow setting Host.
import { once } from 'node:events';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { networkInterfaces } from 'node:os';
import { json } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { Endpoint } from '../serving/model/endpoint.ts';
import type { HostOptions } from './allowed-hosts.ts';
import { EndpointServer } from './endpoint-server.ts';

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly error: { readonly code: string; readonly message: string; readonly fix: string } | undefined;
}

interface Running extends AsyncDisposable {
  readonly port: number;
  /** GET /ping by default. */
  ask(headers: Readonly<Record<string, string>>, method?: string): Promise<Answer>;
}

async function serving(options: HostOptions & { readonly host?: string } = {}): Promise<Running> {
  const endpoint = new Endpoint('reviews');
  const server = new EndpointServer([endpoint], { host: '127.0.0.1', port: 0, log: () => {}, ...options });
  const url = new URL(await server.listen());
  await endpoint.start(async () => ({
    description: {},
    unit: 'requests',
    parse: body => body,
    run: async () => 'a',
  }));
  const host = url.hostname.replace('0.0.0.0', '127.0.0.1').replace(/^\[|\]$/g, '');
  const ask = async (headers: Readonly<Record<string, string>>, method = 'GET'): Promise<Answer> => {
    const request = httpRequest({ host, port: url.port, path: '/ping', method, headers, agent: false });
    request.end();
    const [response] = await once(request, 'response');
    const body = response.statusCode === 204 ? {} : ((await json(response)) as { error?: Answer['error'] });
    return { status: response.statusCode, headers: response.headers, error: body.error };
  };
  return { port: Number(url.port), ask, [Symbol.asyncDispose]: () => server.close(0) };
}

describe('on a loopback address', () => {
  test('accepts only loopback names with the right port', async () => {
    await using server = await serving();
    const { port, ask } = server;
    for (const host of ['127.0.0.1', 'localhost', 'LOCALHOST', '127.8.9.1', '[::1]'])
      expect([host, (await ask({ host: `${host}:${port}` })).status]).toEqual([host, 200]);
    const others = [
      'evil.example',
      '127.0.0.1.evil.example',
      'localhost.evil.example',
      '10.0.0.1',
      '127.1',
      'a@localhost',
    ];
    for (const host of [...others.map(name => `${name}:${port}`), 'localhost', `localhost:${port + 1}`, 'localhost:x'])
      expect([host, await ask({ host })]).toEqual([
        host,
        expect.objectContaining({ status: 403, error: expect.objectContaining({ code: 'HOST_NOT_ALLOWED' }) }),
      ]);
    expect((await ask({ host: `evil.example:${port}` })).error).toEqual({
      code: 'HOST_NOT_ALLOWED',
      message: `this server does not accept requests for the host 'evil.example:${port}'`,
      fix: `use http://127.0.0.1:${port} or http://localhost:${port}, or start the server with --allow-host evil.example:${port}`,
    });
  });

  test('rejects web pages of another origin, accepts those of the same origin', async () => {
    await using server = await serving();
    const host = `localhost:${server.port}`;
    expect((await server.ask({ host, origin: `http://${host}` })).status).toBe(200);
    for (const origin of ['https://evil.example', 'null', '', `http://localhost:${server.port + 1}`, 'file://'])
      expect([origin, (await server.ask({ host, origin })).error?.code]).toEqual([origin, 'ORIGIN_NOT_ALLOWED']);
    expect(await server.ask({ host, origin: 'https://evil.example' })).toMatchObject({
      status: 403,
      error: {
        message: "this server does not accept requests from web pages at 'https://evil.example'",
        fix: 'to allow them, start the server with --allow-origin https://evil.example',
      },
    });
    // Text from a client is not repeated in a command that a user may paste into a shell.
    expect((await server.ask({ host, origin: 'http://a;rm -rf' })).error?.fix).toContain('--allow-origin ORIGIN');
  });

  test('additional hosts, with any port or a specific one', async () => {
    await using server = await serving({ allowHosts: ['Models.example.com', 'proxy:8443'] });
    const status = async (host: string) => (await server.ask({ host })).status;
    expect(await status('models.example.com')).toBe(200);
    expect(await status('models.example.com:1234')).toBe(200);
    expect(await status('proxy:8443')).toBe(200);
    expect(await status('proxy')).toBe(403);
    expect(await status('other.example.com')).toBe(403);
    expect(await status(`127.0.0.1:${server.port}`)).toBe(200);
  });

  test('allowed origins can read responses and send JSON', async () => {
    const origin = 'https://app.example.com';
    await using server = await serving({ allowOrigins: [origin] });
    const host = `127.0.0.1:${server.port}`;
    expect(await server.ask({ host, origin })).toMatchObject({
      status: 200,
      headers: { 'access-control-allow-origin': origin, vary: 'origin' },
    });
    const preflight = { host, origin, 'access-control-request-method': 'POST' };
    expect(await server.ask(preflight, 'OPTIONS')).toMatchObject({
      status: 204,
      headers: { 'access-control-allow-origin': origin, 'access-control-allow-headers': 'content-type' },
    });
    expect((await server.ask({ ...preflight, origin: 'https://evil.example' }, 'OPTIONS')).status).toBe(403);
    // Also errors, so that the page can show the message.
    expect(await server.ask({ host, origin }, 'DELETE')).toMatchObject({
      status: 405,
      headers: { 'access-control-allow-origin': origin },
    });
    expect((await server.ask({ host })).headers['access-control-allow-origin']).toBeUndefined();
  });

  test.runIf(hasIPv6Loopback())('of IPv6', async () => {
    await using server = await serving({ host: '::1' });
    expect((await server.ask({ host: `[::1]:${server.port}` })).status).toBe(200);
    expect((await server.ask({ host: `evil.example:${server.port}` })).status).toBe(403);
  });
});

describe('on other addresses', () => {
  test('accepts any host, but the origin must have the same host', async () => {
    await using server = await serving({ host: '0.0.0.0' });
    expect((await server.ask({ host: 'any.example' })).status).toBe(200);
    expect((await server.ask({ host: 'any.example', origin: 'https://any.example' })).status).toBe(200);
    expect((await server.ask({ host: 'any.example', origin: 'https://evil.example' })).status).toBe(403);
  });

  test('with a list of hosts, accepts those and this machine', async () => {
    await using server = await serving({ host: '0.0.0.0', allowHosts: ['models.example.com'] });
    expect((await server.ask({ host: 'models.example.com' })).status).toBe(200);
    expect((await server.ask({ host: `localhost:${server.port}` })).status).toBe(200);
    expect((await server.ask({ host: 'any.example' })).status).toBe(403);
  });
});

test('rejects invalid hosts and origins', () => {
  const make = (options: HostOptions) => () =>
    new EndpointServer([], { host: '127.0.0.1', port: 0, log: () => {}, ...options });
  for (const host of ['', 'http://x', 'x/y', 'x:0', 'x:99999', '*'])
    expect(make({ allowHosts: [host] }), host).toThrow('allow-host');
  for (const origin of ['', 'x', 'null', '*', 'https://x/', 'https://x/y', 'https://u@x'])
    expect(make({ allowOrigins: [origin] }), origin).toThrow('allow-origin');
});

function hasIPv6Loopback(): boolean {
  return Object.values(networkInterfaces()).some(all => all?.some(({ address }) => address === '::1'));
}
