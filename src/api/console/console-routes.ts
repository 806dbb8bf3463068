// The console over HTTP, as a plugin of the job server: its files, its sessions, and a private JSON API for its pages.
//
//   /_console/…           files and pages; no bucket can have this name
//   /_console/api/login   exchanges a one-time token or an access key for a session: a cookie that scripts cannot read, and a
//                         proof
//   /_console/api/…       the requests of the pages (route-table.ts), with the role of the session's key
//
// Protected against pages of other origins, which include other ports of this machine: Host and Origin are checked on every
// request (../allowed-hosts.ts), requests of the API must not come from another site (Sec-Fetch-Site) and need the proof of the
// session besides its cookie (console-sessions.ts), changes need a JSON body, and no page may frame the console or inject a
// script. Rejected requests are recorded in the audit log.
import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod';
import { isTrenioError, TrenioError } from '../../base/errors.ts';
import { ObjectError } from '../../objects/object-error.ts';
import { recordRequest } from '../access/audited.ts';
import type { AllowedHosts } from '../allowed-hosts.ts';
import { AwsError } from '../aws/aws-error.ts';
import type { RequestNote } from '../aws/aws-request.ts';
import { allows } from '../aws/permissions.ts';
import { toWireError } from '../http-errors.ts';
import { checked } from './checked.ts';
import { type ConsoleApi, registerApi } from './console-api.ts';
import { type ConsoleFile, readConsoleFiles } from './console-files.ts';
import {
  type ConsoleSessions,
  type FoundSession,
  type OpenedSession,
  SESSION_SECONDS,
  type Signed,
} from './console-sessions.ts';
import { type DownloadAddress, PROOF_HEADER, type SignedIn, type WireFault } from './messages.ts';
import { ConsoleRouter, routeName } from './route-table.ts';

export const CONSOLE_PATH = '/_console';
const API = `${CONSOLE_PATH}/api/`;
/** By its route: an address may be encoded. */
const isOfApi = ({ routeOptions: { url = '' } }: FastifyRequest): boolean => url.startsWith(API);
/** Pages of the console, and the address bar. */
const ownSites: ReadonlySet<string> = new Set(['same-origin', 'none']);
const TICKET = '&ticket=';
const MAX_BODY_BYTES = 4 * 1024 * 1024;

/**
 * No resources from other origins, and no inline code. uPlot and the virtual lists set styles as properties, which is allowed.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const HEADERS = {
  'content-security-policy': POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

export interface ConsoleOptions extends ConsoleApi {
  readonly hosts: AllowedHosts;
  readonly sessions: ConsoleSessions;
  /** The folder with the built files. */
  readonly folder: () => Promise<string>;
  /** How long the body of a request may take to arrive. */
  readonly bodyTimeoutMs: number;
  readonly log: (line: string) => void;
}

export function consolePlugin(options: ConsoleOptions) {
  const { hosts, sessions, audit, keyUse, bodyTimeoutMs, log } = options;
  const slowBodies = new WeakMap<FastifyRequest, NodeJS.Timeout>();
  let files: Promise<ReadonlyMap<string, ConsoleFile>> | undefined;
  const readFiles = (): Promise<ReadonlyMap<string, ConsoleFile>> => {
    files ??= options.folder().then(readConsoleFiles);
    // A failed build is retried at the next request.
    files.catch(() => {
      files = undefined;
    });
    return files;
  };
  // Cookies are not separated by port, so the name contains it, for several servers on one machine.
  const cookieName = (request: FastifyRequest): string => `trenio-console-${request.raw.socket.localPort}`;
  const sessionCookie = (request: FastifyRequest): string | undefined =>
    cookieOf(request.headers.cookie ?? '', cookieName(request));
  const sessionOf = (request: FastifyRequest): FoundSession | undefined => {
    const proof = request.headers[PROOF_HEADER];
    const [address = '', ticket] = request.url.slice(API.length).split(TICKET);
    return sessions.find({
      cookie: sessionCookie(request),
      proof: typeof proof === 'string' ? proof : undefined,
      ...{ ticket, address },
    });
  };
  const setCookie = (request: FastifyRequest, reply: FastifyReply, value: string, seconds: number): void => {
    void reply.header(
      'set-cookie',
      `${cookieName(request)}=${value}; Path=${CONSOLE_PATH}; HttpOnly; SameSite=Strict; Max-Age=${seconds}`,
    );
  };
  const recordSignIn = (request: FastifyRequest, id: unknown, session: OpenedSession | undefined): void => {
    const note: RequestNote = { attempt: { action: 'console:SignIn', kind: 'write' } };
    const claimedId = typeof id === 'string' ? id : undefined;
    const key = session && sessions.find({ ...session, ticket: undefined, address: '' })?.key;
    recordRequest(audit, { key, claimedId, note, from: request.ip, requestId: randomUUID(), status: key ? 200 : 401 });
  };
  const recordRefusal = (request: FastifyRequest, error: unknown): void => {
    const { status, body } = toWireError(error);
    if (!isTrenioError(error) || (status !== 401 && status !== 403) || isTrenioError(error, 'SIGN_IN_REFUSED')) return;
    const found = sessionOf(request);
    const { words } = (request.query ?? {}) as Readonly<Record<string, unknown>>;
    const resource = [...Object.values(request.params ?? {}), words].filter(one => one !== undefined).join(' ');
    recordRequest(audit, {
      key: found?.key,
      isUnproven: found?.isProven === false,
      note: { attempt: { action: routeName(request), kind: 'read', resource: resource || undefined } },
      ...{ from: request.ip, requestId: randomUUID(), status, code: body.error.code },
    });
  };
  const signed: Signed = (request, action) => {
    const found = sessionOf(request);
    if (found === undefined || !found.isProven) throw new TrenioError('NOT_SIGNED_IN', {});
    const { key } = found;
    keyUse.note(key.id);
    // Pages need many operations, so a key that is limited to some of them cannot use the console.
    if (!allows(key.role, action) || key.actions !== undefined)
      throw new TrenioError('ROLE_NOT_ALLOWED', { role: key.role, action });
    return key;
  };

  return async (app: FastifyInstance): Promise<void> => {
    // Only JSON, because forms of other pages can send text.
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('application/json', { parseAs: 'string', bodyLimit: MAX_BODY_BYTES }, (_r, body, done) => {
      try {
        done(null, JSON.parse(String(body)));
      } catch (error) {
        done(new TrenioError('MALFORMED_JSON', { problem: error instanceof Error ? error.message : String(error) }));
      }
    });
    app.addHook('onRequest', async (request, reply) => {
      void reply.headers(isOfApi(request) ? { ...HEADERS, 'cache-control': 'no-store' } : HEADERS);
      hosts.check(request.headers.host, request.headers.origin);
      const site = request.headers['sec-fetch-site'];
      // Other sites may link to pages, which contain no data.
      if (isOfApi(request) && site !== undefined && !ownSites.has(String(site)))
        throw new TrenioError('ORIGIN_NOT_ALLOWED', { origin: `another site (Sec-Fetch-Site: ${String(site)})` });
    });
    // A missing body must not occupy its connection forever.
    app.addHook('preParsing', async (request, _reply, body) => {
      slowBodies.set(
        request,
        setTimeout(() => request.raw.destroy(), bodyTimeoutMs),
      );
      return body;
    });
    for (const end of ['preValidation', 'onResponse', 'onRequestAbort'] as const)
      app.addHook(end, async (request: FastifyRequest) => clearTimeout(slowBodies.get(request)));
    app.setErrorHandler((error, request, reply) => {
      const { status, body } = faultOf(error);
      recordRefusal(request, error);
      if (status === 500)
        log(`${randomUUID()}: ${request.method} ${request.url.replace(/\?.*/, '')}: ${textOf(error)}`);
      return reply.code(status).send(body);
    });

    const router = new ConsoleRouter(app, signed);
    router.onUnsigned('POST login', (request, reply): SignedIn => {
      const body = (request.body ?? {}) as Readonly<Record<string, unknown>>;
      const session =
        typeof body.token === 'string'
          ? sessions.useToken(body.token)
          : typeof body.accessKeyId === 'string' && typeof body.secretAccessKey === 'string'
            ? sessions.useKey(body.accessKeyId, body.secretAccessKey)
            : undefined;
      recordSignIn(request, body.accessKeyId, session);
      if (session === undefined) throw new TrenioError('SIGN_IN_REFUSED', {});
      setCookie(request, reply, session.cookie, SESSION_SECONDS);
      return { proof: session.proof };
    });
    router.onUnsigned('POST logout', (request, reply) => {
      const cookie = sessionCookie(request);
      if (cookie !== undefined) sessions.end(cookie);
      setCookie(request, reply, '', 0);
      return {};
    });
    router.on('POST download', (request): DownloadAddress => {
      const { address } = checked(download, request.body);
      const ticket = sessions.createTicket(sessionCookie(request)!, address);
      return { address: `${API}${address}${TICKET}${ticket}` };
    });
    registerApi(app, options, router);
    router.finish();
    app.get('/api/*', async request => {
      throw new TrenioError('PATH_NOT_FOUND', { path: request.url.replace(/\?.*/, '') });
    });

    const sendFile = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      const path = request.url.slice(CONSOLE_PATH.length + 1).replace(/\?.*/, '');
      const all = await readFiles();
      const file = all.get(path) ?? (path.includes('.') ? undefined : all.get('index.html'));
      if (file === undefined) throw new TrenioError('PATH_NOT_FOUND', { path: request.url });
      void reply
        .header('etag', file.etag)
        .header('vary', 'accept-encoding')
        .header('cache-control', file.isHashed ? 'public, max-age=31536000, immutable' : 'no-cache');
      if (request.headers['if-none-match'] === file.etag) return reply.code(304).send();
      const encoding = file.encodingFor(request.headers['accept-encoding']);
      if (encoding !== 'identity') void reply.header('content-encoding', encoding);
      return reply.type(file.type).send(file.bytes(encoding));
    };
    app.get('/', sendFile);
    app.get('/*', sendFile);
  };
}

const download = z.strictObject({
  address: z
    .string()
    .regex(/^(?:object|access\/audit\/file)\?[^#]*$/)
    .max(4000),
});

function cookieOf(header: string, name: string): string | undefined {
  for (const pair of header.split(';')) {
    const at = pair.indexOf('=');
    if (at > 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim();
  }
  return undefined;
}

function faultOf(error: unknown): { readonly status: number; readonly body: WireFault } {
  if (error instanceof AwsError)
    return { status: error.status, body: { error: { code: error.code, message: error.message } } };
  if (error instanceof ObjectError)
    return { status: 404, body: { error: { code: error.code, message: error.message } } };
  // Fastify's own errors: the body is too long or has the wrong type.
  const { statusCode, code, message } = error as Error & { readonly statusCode?: number; readonly code?: string };
  if (statusCode !== undefined && statusCode < 500)
    return { status: statusCode, body: { error: { code: code ?? 'BAD_REQUEST', message } } };
  const { status, body } = toWireError(error);
  return { status, body };
}

const textOf = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error));
