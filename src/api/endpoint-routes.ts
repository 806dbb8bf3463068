// The routes of the endpoint server as data: maps a method and a path to a reply. Independent of sockets.
import { TrenioError } from '../base/errors.ts';
import { formatRuns, RUNS_HEADER } from '../serving/fleet/runs-header.ts';
import type { Endpoint } from '../serving/model/endpoint.ts';

/** A response as a whole, or as a stream of parts. */
export type Reply = WholeReply | StreamReply;

export interface WholeReply {
  readonly kind: 'whole';
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
}

export interface StreamReply {
  readonly kind: 'stream';
  readonly headers?: Readonly<Record<string, string>>;
  /** The first part, which is computed before the status is sent, so that errors can still set the status. */
  readonly first: IteratorResult<unknown, void>;
  readonly rest: AsyncGenerator<unknown, void, undefined>;
}

export interface RouteRequest {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  /** Reads the body; called only by routes that need one. */
  readonly json: () => Promise<unknown>;
  /** Aborted when the client has disconnected. */
  readonly signal: AbortSignal;
}

const INVOCATIONS = /^\/endpoints\/([^/]+)\/invocations\/?$/;

/** @throws the errors of the catalog's `api` group; http-errors.ts converts them to responses. */
export async function route(request: RouteRequest, endpoints: readonly Endpoint[]): Promise<Reply> {
  const path = request.path.length > 1 ? request.path.replace(/\/$/, '') : request.path;
  if (path === '/ping' || path === '/health') {
    allow(request, ['GET', 'HEAD']);
    return health(endpoints);
  }
  if (path === '/endpoints') {
    allow(request, ['GET', 'HEAD']);
    return { kind: 'whole', status: 200, body: { endpoints: endpoints.map(describe) } };
  }
  // The path of serving containers, which have one model.
  const invoked = path === '/invocations' && endpoints.length === 1 ? endpoints[0]!.name : INVOCATIONS.exec(path)?.[1];
  if (invoked === undefined) throw new TrenioError('PATH_NOT_FOUND', { path });
  const endpoint = endpoints.find(e => e.name === invoked);
  if (endpoint === undefined)
    throw new TrenioError('ENDPOINT_NOT_FOUND', { name: invoked, known: endpoints.map(e => e.name) });
  allow(request, ['POST']);
  // Checked before the body is read, because a stopping server should not wait for it, and rejecting must be cheap.
  endpoint.admit();
  const answer = endpoint.answer(await request.json(), request.signal);
  if (answer.kind === 'whole') {
    const body = await answer.part;
    const ran = endpoint.takeRuns();
    const headers = ran === undefined || ran.runs === 0 ? {} : { [RUNS_HEADER]: formatRuns(ran) };
    return { kind: 'whole', status: 200, headers, body };
  }
  return { kind: 'stream', first: await answer.parts.next(), rest: answer.parts };
}

function allow({ method, path }: RouteRequest, allowed: readonly string[]): void {
  if (!allowed.includes(method)) throw new TrenioError('METHOD_NOT_ALLOWED', { method, path, allowed });
}

function health(endpoints: readonly Endpoint[]): Reply {
  const ready = endpoints.length > 0 && endpoints.every(e => e.state === 'ready');
  return {
    kind: 'whole',
    status: ready ? 200 : 503,
    headers: ready ? {} : { 'retry-after': '1' },
    body: { status: ready ? 'ready' : (endpoints.find(e => e.state !== 'ready')?.state ?? 'empty') },
  };
}

function describe(endpoint: Endpoint): unknown {
  return {
    name: endpoint.name,
    state: endpoint.state,
    ...endpoint.description,
    invocations: `/endpoints/${endpoint.name}/invocations`,
  };
}
