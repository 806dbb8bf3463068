// HOST:PORT of a rendezvous: parses it, and determines whether this machine is that host.
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { hostname, networkInterfaces } from 'node:os';
import { expectFileError } from '../../base/file-error.ts';

export interface Endpoint {
  readonly host: string;
  readonly port: number;
}

/** The default port of torchrun. */
export const DEFAULT_PORT = 29500;

/** `host`, `host:port`, `[::1]:port`; undefined for any other text. */
export function parseEndpoint(text: string, defaultPort = DEFAULT_PORT): Endpoint | undefined {
  const match = /^(?:\[([0-9a-fA-F:.%\w]+)\]|([^\s:[\]]+))(?::(\d{1,5}))?$/.exec(text.trim());
  const host = match?.[1] ?? match?.[2];
  if (match === null || host === undefined) return undefined;
  const port = match[3] === undefined ? defaultPort : Number(match[3]);
  return port <= 65_535 ? { host, port } : undefined;
}

export const formatEndpoint = ({ host, port }: Endpoint): string =>
  host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|::1)$/;

/** Whether the host is this machine: one of its names or addresses. */
export async function isThisMachine(host: string): Promise<boolean> {
  if (LOOPBACK.test(host) || host === hostname() || host === hostname().split('.')[0]) return true;
  const own = new Set(Object.values(networkInterfaces()).flatMap(list => (list ?? []).map(({ address }) => address)));
  if (own.has(host)) return true;
  try {
    const found = await lookup(host, { all: true });
    return found.some(({ address }) => own.has(address));
  } catch (error) {
    expectFileError(error);
    // A name that cannot be resolved here; connecting will report it.
    return false;
  }
}

/**
 * The address to listen on: the endpoint's own if it is an IP address, else all, since a name may resolve differently elsewhere.
 */
export function listenAddress(host: string): string | undefined {
  if (host === 'localhost') return '127.0.0.1';
  return /^[\d.]+$|:/.test(host) ? host : undefined;
}

/** The address of this machine under the name by which the others know it. A loopback address if there is no other. */
export async function addressOf(host: string): Promise<string> {
  if (isIP(host) !== 0) return host;
  const own = Object.values(networkInterfaces()).flatMap(list => (list ?? []).filter(({ internal }) => !internal));
  try {
    const found = (await lookup(host, { all: true })).map(({ address }) => address);
    const outside = found.find(address => own.some(one => one.address === address));
    // Debian's /etc/hosts gives the host's own name a loopback address, which the others cannot use.
    return (
      outside ??
      (host === 'localhost' ? found[0]! : (own.find(({ family }) => family === 'IPv4')?.address ?? found[0]!))
    );
  } catch (error) {
    expectFileError(error);
    return '127.0.0.1';
  }
}
