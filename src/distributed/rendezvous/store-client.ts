// The store as a rank or a launcher on any machine sees it: requests over one authenticated connection.
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { readVariable, type Variables } from '../../base/environment.ts';
import { TrenioError } from '../../base/errors.ts';
import { Channel, greetServer, type Message } from './channel.ts';
import { type Endpoint, formatEndpoint } from './endpoint.ts';
import { STORE_TIMEOUT_MS, type Store, storePrefix, withPrefix } from './store.ts';

const RETRY_MS = 100;
const CONNECT_TIMEOUT_MS = 60_000;

export interface ConnectOptions {
  readonly endpoint: Endpoint;
  readonly secret: string;
  readonly run: string;
  /** How long to try: the host may start later. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal | undefined;
}

/** A connection to the host of a rendezvous. @throws {RENDEZVOUS_UNREACHABLE} @throws {RENDEZVOUS_REFUSED} */
export async function openChannel(options: ConnectOptions): Promise<Channel> {
  const { endpoint, secret, run, timeoutMs = CONNECT_TIMEOUT_MS, signal } = options;
  const where = formatEndpoint(endpoint);
  const until = performance.now() + timeoutMs;
  for (;;) {
    signal?.throwIfAborted();
    const socket = connect({ host: endpoint.host, port: endpoint.port });
    const connected = Promise.withResolvers<Error | undefined>();
    socket.once('connect', () => connected.resolve(undefined));
    socket.once('error', error => connected.resolve(error));
    const late = setTimeout(() => connected.resolve(new Error('no answer')), Math.max(0, until - performance.now()));
    const problem = await connected.promise;
    clearTimeout(late);
    const channel = problem ?? (await greetServer(socket, secret, run, where));
    if (channel instanceof Channel) return channel;
    socket.destroy();
    // Many that try again must not do so at the same time.
    const pause = RETRY_MS * (0.5 + Math.random());
    if (performance.now() + pause > until)
      throw new TrenioError('RENDEZVOUS_UNREACHABLE', {
        endpoint: where,
        seconds: Math.round(timeoutMs / 1000),
        reason: typeof channel === 'string' ? channel : channel.message,
      });
    await sleep(pause, undefined, signal === undefined ? {} : { signal });
  }
}

/** A store at the other end of a channel. Answers are matched by number; other messages go to `onMessage`. */
export class RemoteStore implements Store {
  readonly #channel: Channel;
  readonly #pending = new Map<number, PromiseWithResolvers<Message>>();
  #next = 1;

  constructor(channel: Channel, onMessage?: (message: Message) => void) {
    this.#channel = channel;
    channel.onMessage(message => {
      const pending = typeof message.id === 'number' ? this.#pending.get(message.id) : undefined;
      if (pending === undefined) {
        onMessage?.(message);
        return;
      }
      this.#pending.delete(message.id as number);
      pending.resolve(message);
      // An idle store does not keep its process alive.
      if (this.#pending.size === 0) channel.unref();
    });
    channel.unref();
    void channel.closed.then(reason => {
      const lost = new TrenioError('STORE_FAILED', { action: 'wait for an answer', reason });
      for (const { reject } of this.#pending.values()) reject(lost);
      this.#pending.clear();
    });
  }

  async set(key: string, value: string): Promise<void> {
    await this.#ask({ op: 'set', key, value });
  }
  async get(key: string): Promise<string | undefined> {
    return ((await this.#ask({ op: 'get', key })) as string | null) ?? undefined;
  }
  async wait(keys: readonly string[], timeoutMs = STORE_TIMEOUT_MS): Promise<void> {
    await this.#ask({ op: 'wait', keys, timeoutMs });
  }
  async add(key: string, amount: number): Promise<number> {
    return (await this.#ask({ op: 'add', key, amount })) as number;
  }
  async compareSet(key: string, expected: string | undefined, value: string): Promise<string | undefined> {
    const after = await this.#ask({ op: 'compareSet', key, expected: expected ?? null, value });
    return (after as string | null) ?? undefined;
  }
  async delete(key: string): Promise<boolean> {
    return (await this.#ask({ op: 'delete', key })) as boolean;
  }

  close(): void {
    this.#channel.end('closed');
  }

  async #ask(request: Message): Promise<unknown> {
    if (!this.#channel.isOpen)
      throw new TrenioError('STORE_FAILED', { action: `${request.op}`, reason: await this.#channel.closed });
    const id = this.#next++;
    const pending = Promise.withResolvers<Message>();
    this.#pending.set(id, pending);
    this.#channel.ref();
    this.#channel.send({ ...request, id });
    const answer = await pending.promise;
    if (answer.failed === 'STORE_TIMEOUT')
      throw new TrenioError('STORE_TIMEOUT', answer.data as unknown as { missing: readonly string[]; seconds: number });
    if (answer.failed !== undefined)
      throw new TrenioError('STORE_FAILED', answer.data as unknown as { action: string; reason: string });
    return answer.value;
  }
}

/** The store as a rank uses it. */
export interface RankStore extends Store {
  /** Ends the connection. */
  close(): void;
}

/**
 * The store of the run that this rank belongs to, from the variables that `trenio run` sets: MASTER_ADDR, MASTER_PORT,
 * TRENIO_RDZV_SECRET, TORCHELASTIC_RUN_ID, TORCHELASTIC_RESTART_COUNT. Keys of earlier attempts are not seen.
 * @throws {BAD_ENVIRONMENT} outside of `trenio run`
 * @throws {RENDEZVOUS_UNREACHABLE}
 * @throws {RENDEZVOUS_REFUSED}
 * @example
 * ```ts no-run
 * const store = await connectStore();
 * await store.set('ready', 'yes');
 * store.close();
 * ```
 */
export async function connectStore(variables?: Variables): Promise<RankStore> {
  const needed = <T>(name: string, value: T | undefined): T => {
    if (value !== undefined) return value;
    throw new TrenioError('BAD_ENVIRONMENT', { name, value: '', expected: 'what trenio run sets' });
  };
  const host = needed('MASTER_ADDR', readVariable('MASTER_ADDR', variables));
  const port = needed('MASTER_PORT', readVariable('MASTER_PORT', variables));
  const secret = needed('TRENIO_RDZV_SECRET', readVariable('TRENIO_RDZV_SECRET', variables));
  const run = needed('TORCHELASTIC_RUN_ID', readVariable('TORCHELASTIC_RUN_ID', variables));
  const attempt = readVariable('TRENIO_RDZV_ATTEMPT', variables) ?? 0;
  const remote = new RemoteStore(await openChannel({ endpoint: { host, port }, secret, run }));
  return { ...withPrefix(remote, storePrefix(attempt)), close: () => remote.close() };
}
