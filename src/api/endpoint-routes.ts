// What the endpoint server answers, as data: a method and a path to a reply. Knows nothing of sockets.
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
  // Before the body is read: a server that is stopping should not wait for one, and refusing has to cost little.
  endpoint.admit();
  const texts = readTexts(await request.json(), endpoint.maxTexts);
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
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw invalid('', 'it is not an object');
  const given = KEYS.filter(key => Object.hasOwn(body, key));
  const [key] = given;
  if (key === undefined) throw invalid('', "'inputs' is missing");
  if (given.length > 1) throw invalid('', `${given.join(' and ')} are given, expected one of them`);
  const unknown = Object.keys(body).find(other => other !== key);
  if (unknown !== undefined) throw invalid(unknown, 'there is no such field');
  const texts: unknown = (body as Readonly<Record<string, unknown>>)[key];
  if (typeof texts === 'string') return [texts];
  if (!Array.isArray(texts))
    throw invalid(key, `expected a text or a list of texts, got ${texts === null ? 'null' : `a ${typeof texts}`}`);
  if (texts.length === 0) throw invalid(key, 'the list of texts is empty');
  if (texts.length > most) throw invalid(key, `${texts.length} texts, at most ${most} in one request`);
  const at = texts.findIndex(item => typeof item !== 'string');
  if (at >= 0) throw invalid(key, `item ${at} is not a text`);
  return texts as readonly string[];
}

function invalid(field: string, problem: string): TrenioError {
  return new TrenioError('REQUEST_INVALID', { field, problem });
}
