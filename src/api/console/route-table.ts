// The requests of the console, and what each needs: the permissions of a role (../aws/permissions.ts), or nothing. A request that
// is not in this table does not exist; what changes something is a POST.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { invariant } from '../../base/errors.ts';
import type { Action } from '../aws/attempt.ts';
import type { AccessKey } from '../aws/signature/access-keys.ts';
import type { Signed } from './console-sessions.ts';

type Method = 'GET' | 'POST';

export const consoleRoutes = {
  'POST login': 'none',
  'POST logout': 'none',
  'POST download': 'read',
  'GET session': 'read',
  'GET overview': 'read',
  'GET jobs': 'read',
  'GET jobs/:name': 'read',
  'GET jobs/:name/log': 'read',
  'GET jobs/:name/series': 'read',
  'GET jobs/:name/use': 'read',
  'GET jobs/:name/code': 'read',
  'POST jobs/:name/run-again': 'write',
  'GET object': 'read',
  'POST object/remove': 'write',
  'GET buckets': 'read',
  'GET objects': 'read',
  'GET clusters': 'read',
  'GET clusters/:name': 'read',
  'GET clusters/:name/jobs/:id': 'read',
  'GET endpoints': 'read',
  'GET endpoints/:name': 'read',
  'POST endpoints/:name/try': 'write',
  'GET tunings': 'read',
  'GET tunings/:name': 'read',
  'GET blocks': 'read',
  'GET models': 'read',
  'GET pool': 'read',
  'GET events': 'read',
  'GET command': 'read',
  // The service checks the role again, for the operation.
  'POST sagemaker/:operation': 'read',
  'POST trenio/:operation': 'read',
  'GET access/keys': 'administer',
  'POST access/keys': 'administer',
  'POST access/keys/:id/rotate': 'administer',
  'POST access/keys/:id/disable': 'administer',
  'POST access/keys/:id/enable': 'administer',
  'POST access/keys/:id/remove': 'administer',
  'GET access/audit': 'administer',
  'GET access/audit/file': 'administer',
} as const satisfies Readonly<Record<`${Method} ${string}`, Action | 'none'>>;
export type ConsoleRoute = keyof typeof consoleRoutes;

export type ConsoleRequest = FastifyRequest<{
  Querystring: Readonly<Record<string, string | undefined>>;
  Params: Readonly<Record<string, string>>;
}>;
type SignedRoute = { [R in ConsoleRoute]: (typeof consoleRoutes)[R] extends 'none' ? never : R }[ConsoleRoute];

/** Registers the handlers of routes; each is called only for requests that may do what its route needs. */
export class ConsoleRouter {
  readonly #app: FastifyInstance;
  readonly #signed: Signed;
  readonly #missing = new Set<string>(Object.keys(consoleRoutes));

  constructor(app: FastifyInstance, signed: Signed) {
    this.#app = app;
    this.#signed = signed;
  }

  on(route: SignedRoute, handle: (request: ConsoleRequest, key: AccessKey, reply: FastifyReply) => unknown): void {
    const action = consoleRoutes[route];
    const keys = new WeakMap<object, AccessKey>();
    this.#add(route, {
      // Before the body is read.
      onRequest: async request => void keys.set(request, this.#signed(request, action)),
      handler: async (request, reply) => handle(request as ConsoleRequest, keys.get(request)!, reply),
    });
  }

  /** A request without a session. */
  onUnsigned(
    route: Exclude<ConsoleRoute, SignedRoute>,
    handle: (request: ConsoleRequest, reply: FastifyReply) => unknown,
  ): void {
    this.#add(route, { handler: async (request, reply) => handle(request as ConsoleRequest, reply) });
  }

  /** Call this when all handlers are registered. */
  finish(): void {
    invariant(this.#missing.size === 0, `routes of the console without a handler: ${[...this.#missing].join(', ')}`);
  }

  #add(route: ConsoleRoute, options: Pick<Parameters<FastifyInstance['route']>[0], 'handler' | 'onRequest'>): void {
    const [method, path] = route.split(' ') as [Method, string];
    this.#missing.delete(route);
    this.#app.route({ method, url: `/api/${path}`, ...options });
  }
}

/** The name of a request in the audit log, such as `console:GET jobs/:name`. */
export const routeName = ({ method, routeOptions: { url = '' } }: FastifyRequest): string =>
  `console:${method} ${url.replace(/^.*?\/api\//, '')}`;
