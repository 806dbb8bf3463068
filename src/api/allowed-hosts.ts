// The host names that a server accepts (Host), and the web pages that may send it requests (Origin). Without this, any web page
// could reach a server on the visitor's machine: its own domain could resolve to 127.0.0.1 (DNS rebinding), and the browser
// would then treat both as the same origin.
//
//   bound to          Host                                                   Origin, if present
//   loopback          a loopback name or address with our port, allowHosts   same as Host, or allowOrigins
//   other addresses   any; with allowHosts: those, and loopback              same as Host, or allowOrigins
//
// On other addresses, the names of the machine are unknown. This is not authentication: programs can send any header.
import { isIP } from 'node:net';
import { TrenioError } from '../base/errors.ts';

export interface HostOptions {
  /** Additional names that clients may use: `models.example.com` with any port, `models.example.com:8443` with this one. */
  readonly allowHosts?: readonly string[] | undefined;
  /** Origins of web pages that may send requests: `https://app.example.com`. */
  readonly allowOrigins?: readonly string[] | undefined;
}

const AUTHORITY = /^(\[[0-9a-f:.]+\]|[\w.-]+)(?::(\d{1,5}))?$/;

export class AllowedHosts {
  readonly #hosts: ReadonlySet<string>;
  readonly #origins: ReadonlySet<string>;
  /** Set by `bind`: the addresses and ports of a server are known once it listens. */
  #isLoopback = false;
  #port = 0;

  /** @throws {INVALID_OPTION} */
  constructor({ allowHosts = [], allowOrigins = [] }: HostOptions) {
    this.#hosts = new Set(allowHosts.map(checkHost));
    this.#origins = new Set(allowOrigins.map(checkOrigin));
  }

  bind(address: string, port: number): void {
    this.#isLoopback = isLoopback(address);
    this.#port = port;
  }

  /**
   * @throws {REQUEST_NOT_HTTP} without a Host
   * @throws {HOST_NOT_ALLOWED}
   * @throws {ORIGIN_NOT_ALLOWED}
   */
  check(host: string | undefined, origin: string | undefined): void {
    if (host === undefined) throw new TrenioError('REQUEST_NOT_HTTP', { reason: 'the Host header is missing' });
    const name = host.toLowerCase();
    if (!this.#allowsHost(name)) throw new TrenioError('HOST_NOT_ALLOWED', { host, port: this.#port });
    if (origin === undefined || this.allowsOrigin(origin)) return;
    if (origin.toLowerCase().replace(/^https?:\/\//, '') !== name)
      throw new TrenioError('ORIGIN_NOT_ALLOWED', { origin });
  }

  /** Whether the origin was allowed by name; responses then have CORS headers. */
  allowsOrigin(origin: string): boolean {
    return this.#origins.has(origin.toLowerCase());
  }

  #allowsHost(host: string): boolean {
    if (!this.#isLoopback && this.#hosts.size === 0) return true;
    if (this.#hosts.has(host)) return true;
    const [, name, port = '80'] = AUTHORITY.exec(host) ?? [];
    if (name === undefined) return false;
    if (this.#hosts.has(name)) return true;
    return Number(port) === this.#port && (name === 'localhost' || isLoopback(name.replace(/^\[|\]$/g, '')));
  }
}

/** 127.0.0.0/8 and ::1. */
export function isLoopback(address: string): boolean {
  const v4 = address.replace(/^::ffff:/, '');
  return address === '::1' || (isIP(v4) === 4 && v4.startsWith('127.'));
}

function checkHost(value: string): string {
  const host = value.toLowerCase();
  const [, name, port = '1'] = AUTHORITY.exec(host) ?? [];
  if (name !== undefined && Number(port) >= 1 && Number(port) <= 65_535) return host;
  const expected = 'a name or an address with or without a port, such as models.example.com or 10.0.0.7:8080';
  throw new TrenioError('INVALID_OPTION', {
    what: 'endpoint server',
    option: 'allow-host',
    got: `'${value}'`,
    expected,
  });
}

function checkOrigin(value: string): string {
  const origin = value.toLowerCase();
  if (URL.canParse(origin) && new URL(origin).origin === origin && origin !== 'null') return origin;
  const expected = 'a scheme and a host without a path, such as https://app.example.com';
  throw new TrenioError('INVALID_OPTION', {
    what: 'endpoint server',
    option: 'allow-origin',
    got: `'${value}'`,
    expected,
  });
}
