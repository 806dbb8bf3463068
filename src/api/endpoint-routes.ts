// What the endpoint server answers, as data: a method and a path to a reply. Knows nothing of sockets.
import { z } from 'zod';
import { TrenioError } from '../base/errors.ts';
import type { Endpoint } from '../jobs/endpoint.ts';

export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
}

export interface RouteRequest {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  /** Reads the body; only routes that need one call it. */
  readonly json: () => Promise<unknown>;
  /** Aborted when the client has gone. */
  readonly signal: AbortSignal;
}

const INVOCATIONS = /^\/endpoints\/([^/]+)\/invocations\/?$/;

/** @throws the errors of the catalogue's `api` group; http-errors.ts makes answers of them. */
export async function route(request: RouteRequest, endpoints: readonly Endpoint[]): Promise<Reply> {
  const path = request.path.length > 1 ? request.path.replace(/\/$/, '') : request.path;
  if (path === '/ping' || path === '/health') {
    allow(request, ['GET', 'HEAD']);
    return health(endpoints);
  }
  if (path === '/endpoints') {
    allow(request, ['GET', 'HEAD']);
    return { status: 200, body: { endpoints: endpoints.map(describe) } };
  }
  const invoked = INVOCATIONS.exec(path)?.[1];
  if (invoked === undefined) throw new TrenioError('PATH_NOT_FOUND', { path });
  const endpoint = endpoints.find(e => e.name === invoked);
  if (endpoint === undefined)
    throw new TrenioError('ENDPOINT_NOT_FOUND', { name: invoked, known: endpoints.map(e => e.name) });
  allow(request, ['POST']);
  // Before the body is read: a server that is stopping should not wait for one.
  if (endpoint.state !== 'ready')
    throw new TrenioError('ENDPOINT_NOT_READY', { name: endpoint.name, state: endpoint.state });
  const texts = readTexts(await request.json(), endpoint.maxWaiting);
  return { status: 200, body: await endpoint.classify(texts, request.signal) };
}

function allow({ method, path }: RouteRequest, allowed: readonly string[]): void {
  if (!allowed.includes(method)) throw new TrenioError('METHOD_NOT_ALLOWED', { method, path, allowed });
}

function health(endpoints: readonly Endpoint[]): Reply {
  const ready = endpoints.length > 0 && endpoints.every(e => e.state === 'ready');
  return {
    status: ready ? 200 : 503,
    headers: ready ? {} : { 'retry-after': '1' },
    body: { status: ready ? 'ready' : (endpoints.find(e => e.state !== 'ready')?.state ?? 'empty') },
  };
}

function describe(endpoint: Endpoint): unknown {
  return {
    name: endpoint.name,
    state: endpoint.state,
    labels: endpoint.labels,
    invocations: `/endpoints/${endpoint.name}/invocations`,
  };
}

// One spelling for us, and the two others that clients of other servers send.
const KEYS = ['inputs', 'instances', 'text'] as const;

function readTexts(body: unknown, most: number): readonly string[] {
  const texts = z.union([z.string().transform(text => [text]), z.array(z.string()).min(1).max(most)], {
    error: issue => describeTexts(issue.input, most),
  });
  const object = z.record(z.string(), z.unknown()).safeParse(body);
  if (!object.success) throw new TrenioError('REQUEST_INVALID', { field: '', problem: 'it is not an object' });
  const given = KEYS.filter(key => Object.hasOwn(object.data, key));
  if (given.length !== 1) {
    const problem =
      given.length === 0 ? "'inputs' is missing" : `${given.join(' and ')} are given, expected one of them`;
    throw new TrenioError('REQUEST_INVALID', { field: '', problem });
  }
  const unknown = Object.keys(object.data).find(key => !given.some(g => g === key));
  if (unknown !== undefined)
    throw new TrenioError('REQUEST_INVALID', { field: unknown, problem: 'there is no such field' });
  const parsed = texts.safeParse(object.data[given[0]!]);
  if (parsed.success) return parsed.data;
  throw new TrenioError('REQUEST_INVALID', { field: given[0]!, problem: parsed.error.issues[0]!.message });
}

/** Says what is wrong with what was given for the texts. */
function describeTexts(input: unknown, most: number): string {
  if (!Array.isArray(input))
    return `expected a text or a list of texts, got ${input === null ? 'null' : `a ${typeof input}`}`;
  if (input.length === 0) return 'the list of texts is empty';
  if (input.length > most) return `${input.length} texts, at most ${most} in one request`;
  const at = input.findIndex(item => typeof item !== 'string');
  return `item ${at} is not a text`;
}
