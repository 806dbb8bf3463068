// Connects a launcher to the hub of its run: it hosts the rendezvous itself if it is responsible for it, or connects
// to the launcher that does. Several launchers on the machine of the endpoint try to listen: exactly one succeeds.
import { isTrenioError } from '../../base/errors.ts';
import type { Channel } from '../rendezvous/channel.ts';
import { addressOf, isThisMachine } from '../rendezvous/endpoint.ts';
import { type Store, storePrefix } from '../rendezvous/store.ts';
import { openChannel, RemoteStore } from '../rendezvous/store-client.ts';
import { StoreServer } from '../rendezvous/store-server.ts';
import { Hub, TICK_MS } from './hub.ts';
import type { NodeLink } from './hub-state.ts';
import { type HubMessage, type NodeMessage, nodeMessage, toWire } from './messages.ts';
import type { RunSettings } from './run-settings.ts';

/** The launcher's end of the connection to the hub. */
export interface HubLink {
  /** The hub is in this process: the connection cannot be lost. */
  readonly isLocal: boolean;
  readonly closed: Promise<string>;
  send(message: NodeMessage): void;
  onMessage(listener: (message: HubMessage) => void): void;
  close(reason: string): void;
}

export interface Meeting {
  readonly link: HubLink;
  /** The address of the store for the ranks. */
  readonly master: { readonly host: string; readonly port: number; readonly secret: string; readonly run: string };
  /** The store of the launchers. */
  readonly store: Store;
  /** The address at which the others reach this machine. */
  readonly address: string;
  close(): Promise<void>;
}

export interface MeetOptions {
  readonly settings: RunSettings;
  readonly restarts: number;
  readonly graceMs: number;
  readonly signalGraceMs: number;
  readonly signal: AbortSignal;
}

/** The time the host waits for launchers that have not read the end of the run. */
const LINGER_MS = 2000;

/** @throws {RENDEZVOUS_UNREACHABLE} @throws {RENDEZVOUS_REFUSED} @throws {PORT_IN_USE} @throws {CANNOT_LISTEN} */
export async function meet(options: MeetOptions): Promise<Meeting> {
  const { settings } = options;
  if (await mayHost(settings)) {
    try {
      return await host(options);
    } catch (error) {
      // Another launcher listens there; connect to it. Where this one alone may listen, it is another program.
      const isForeign = settings.isAlone || settings.isHost === true || settings.backend === 'static';
      if (!isTrenioError(error, 'PORT_IN_USE') || isForeign) throw error;
    }
  }
  return join(options);
}

async function mayHost({ isHost, backend, nodeRank, endpoint, isAlone }: RunSettings): Promise<boolean> {
  if (isAlone) return true;
  if (isHost !== undefined) return isHost;
  if (backend === 'static') return nodeRank === 0;
  return isThisMachine(endpoint.host);
}

async function host(options: MeetOptions): Promise<Meeting> {
  const { settings, graceMs, signalGraceMs } = options;
  const { run, secret, endpoint } = settings;
  const links = new Map<Channel, NodeLink>();
  const hub = new Hub({
    ...settings,
    graceMs,
    signalGraceMs,
    clock: () => performance.now(),
    onAttemptEnd: attempt => server.table.deletePrefix(storePrefix(attempt)),
  });
  const server = await StoreServer.listen({
    endpoint,
    secret,
    run,
    onMessage: (peer, message) => {
      const valid = nodeMessage(message);
      if (valid === undefined) {
        peer.close('a message that is not from a launcher');
        return;
      }
      let link = links.get(peer);
      if (link === undefined) {
        const made: NodeLink = {
          isLocal: false,
          send: said => peer.send(toWire(said)),
          close: reason => peer.close(reason),
        };
        link = made;
        links.set(peer, made);
        void peer.closed.then(reason => {
          links.delete(peer);
          hub.disconnected(made, reason);
        });
      }
      hub.receive(link, valid);
    },
  });
  const own = ownLink(hub);
  const ticker = setInterval(() => hub.tick(), TICK_MS);
  return {
    link: own,
    store: server.table,
    address: await addressOf(endpoint.host),
    master: { ...server.endpoint, secret, run },
    close: async () => {
      clearInterval(ticker);
      // They close when they have read the end; those that do not are dropped.
      const until = performance.now() + LINGER_MS;
      while (links.size > 0 && performance.now() < until) await new Promise(resolve => setTimeout(resolve, 20));
      server.close();
    },
  };
}

/** The host's own launcher, without a socket. Messages take a turn of the event loop, as from elsewhere. */
function ownLink(hub: Hub): HubLink {
  let listener: ((message: HubMessage) => void) | undefined;
  const inner: NodeLink = {
    isLocal: true,
    send: message => setImmediate(() => listener?.(message)),
    close: () => {},
  };
  return {
    isLocal: true,
    closed: new Promise(() => {}),
    send: message => hub.receive(inner, message),
    onMessage: given => {
      listener = given;
    },
    close: reason => hub.disconnected(inner, reason),
  };
}

async function join({ settings, signal }: MeetOptions): Promise<Meeting> {
  const { endpoint, secret, run, connectMs } = settings;
  const channel = await openChannel({ endpoint, secret, run, timeoutMs: connectMs, signal });
  let listener: ((message: HubMessage) => void) | undefined;
  const early: HubMessage[] = [];
  // The host knows the secret and has the same version: its messages are trusted.
  const store = new RemoteStore(channel, message => {
    const said = message as unknown as HubMessage;
    if (listener === undefined) early.push(said);
    else listener(said);
  });
  return {
    store,
    link: {
      isLocal: false,
      closed: channel.closed,
      send: message => channel.send(toWire(message)),
      onMessage: given => {
        listener = given;
        for (const message of early.splice(0)) given(message);
      },
      close: reason => channel.close(reason),
    },
    master: { ...endpoint, secret, run },
    address: channel.localAddress,
    close: async () => channel.end('the run has ended'),
  };
}
