// The host of a rendezvous: listens, lets in who knows the secret, and answers requests for the store. Messages that are not for
// the store go to `onMessage` (the launchers' own messages, launch/hub.ts).
import { createServer, type Server, type Socket } from 'node:net';
import { isTrenioError, TrenioError } from '../../base/errors.ts';
import { type Channel, greetClient, type Message, sendAway } from './channel.ts';
import { type Endpoint, listenAddress } from './endpoint.ts';
import { STORE_TIMEOUT_MS } from './store.ts';
import { StoreTable } from './store-table.ts';

/** Connections that have not yet proved anything. With more, the oldest is told to try again: idle ones hold no places. */
const MAX_STRANGERS = 1024;
const MAX_CONNECTIONS = 16_384;

export interface StoreServerOptions {
  readonly endpoint: Endpoint;
  readonly secret: string;
  readonly run: string;
  /** A message of a peer that is not for the store. */
  readonly onMessage?: (peer: Channel, message: Message) => void;
}

export class StoreServer {
  readonly table = new StoreTable();
  readonly #server: Server;
  readonly #options: StoreServerOptions;
  readonly #sockets = new Set<Socket>();
  /** In the order of their arrival. */
  readonly #strangers = new Set<Socket>();

  private constructor(server: Server, options: StoreServerOptions) {
    this.#server = server;
    this.#options = options;
    server.on('connection', socket => void this.#accept(socket));
  }

  /** @throws {PORT_IN_USE} @throws {CANNOT_LISTEN} */
  static async listen(options: StoreServerOptions): Promise<StoreServer> {
    const { host, port } = options.endpoint;
    const server = createServer();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    server.once('error', reject);
    const address = listenAddress(host);
    server.listen({ port, ...(address === undefined ? {} : { host: address }) }, resolve);
    try {
      await promise;
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (code === 'EADDRINUSE') throw new TrenioError('PORT_IN_USE', { host, port });
      throw new TrenioError('CANNOT_LISTEN', { host, port, reason: message });
    }
    return new StoreServer(server, options);
  }

  /** With the port that was chosen if the endpoint's is 0. */
  get endpoint(): Endpoint {
    const address = this.#server.address();
    const { host } = this.#options.endpoint;
    return { host, port: typeof address === 'object' && address !== null ? address.port : 0 };
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  async #accept(socket: Socket): Promise<void> {
    if (this.#sockets.size >= MAX_CONNECTIONS && this.#strangers.size === 0) {
      sendAway(socket);
      return;
    }
    if (this.#strangers.size >= MAX_STRANGERS || this.#sockets.size >= MAX_CONNECTIONS) {
      const [oldest] = this.#strangers;
      this.#strangers.delete(oldest!);
      sendAway(oldest!);
    }
    this.#sockets.add(socket);
    socket.once('close', () => {
      this.#sockets.delete(socket);
      this.#strangers.delete(socket);
    });
    this.#strangers.add(socket);
    const channel = await greetClient(socket, this.#options.secret, this.#options.run);
    this.#strangers.delete(socket);
    if (channel === undefined) return;
    const gone = new AbortController();
    void channel.closed.then(() => gone.abort());
    channel.onMessage(message => {
      if (message.op === undefined) this.#options.onMessage?.(channel, message);
      else void this.#answer(channel, message, gone.signal);
    });
  }

  async #answer(channel: Channel, message: Message, gone: AbortSignal): Promise<void> {
    const { id } = message;
    try {
      const value = await this.#perform(message, gone);
      channel.send({ id, value: value ?? null });
    } catch (error) {
      if (!isTrenioError(error)) throw error;
      channel.send({ id, failed: error.code, data: error.data as unknown as Message });
    }
  }

  async #perform(message: Message, gone: AbortSignal): Promise<string | number | boolean | undefined> {
    const { op, key = '', value, keys, amount, expected, timeoutMs = STORE_TIMEOUT_MS } = message;
    const malformed = new TrenioError('STORE_FAILED', {
      action: typeof op === 'string' ? op : 'answer a request',
      reason: 'the request is malformed',
    });
    if (typeof key !== 'string') throw malformed;
    switch (op) {
      case 'set':
        if (typeof value !== 'string') throw malformed;
        await this.table.set(key, value);
        return undefined;
      case 'get':
        return this.table.get(key);
      case 'wait':
        if (!Array.isArray(keys) || !keys.every(k => typeof k === 'string') || typeof timeoutMs !== 'number')
          throw malformed;
        await this.table.wait(keys as readonly string[], timeoutMs, gone);
        return undefined;
      case 'add':
        if (typeof amount !== 'number') throw malformed;
        return this.table.add(key, amount);
      case 'compareSet':
        if (typeof value !== 'string' || (typeof expected !== 'string' && expected !== null)) throw malformed;
        return this.table.compareSet(key, expected ?? undefined, value);
      case 'delete':
        return this.table.delete(key);
      default:
        throw malformed;
    }
  }
}
