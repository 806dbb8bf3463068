// Authenticated messages over one TCP connection. Both sides prove that they know the secret of the run without sending it:
//
//   server → client   { version, nonce: S }
//   client → server   { run, nonce: C, proof: HMAC(secret, client, run, S, C) }
//   server → client   { proof: HMAC(secret, server, run, S, C) }       or { refused: why }, to a client with a good proof
//                     or { busy: true }: too many others wait, try again
//   then both         frame = length (4 bytes, big endian) | mac (16 bytes) | message (JSON)
//
// The mac of a frame is HMAC(session key, direction, number of the frame, message), so that others cannot insert, repeat or
// reorder messages. Messages are not encrypted: they contain no secrets.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Socket } from 'node:net';
import { TrenioError } from '../../base/errors.ts';

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json | undefined };
export type Message = { readonly [key: string]: Json | undefined };

const PROTOCOL = 1;
const HEAD_BYTES = 20;
const MAC_BYTES = 16;
/** A greeting is small: an unauthenticated peer cannot make us buffer more than this. */
const MAX_GREETING_BYTES = 4096;
const MAX_MESSAGE_BYTES = 1024 * 1024;
/** The number of bytes that may wait for a stalled reader before the connection is closed. */
const MAX_UNSENT_BYTES = 64 * 1024 * 1024;
const GREETING_MS = 10_000;
const PEER_CLOSED = 'the other side has closed the connection';
const NO_GREETING = 'no greeting in time';

type Side = 'client' | 'server';

export class Channel {
  readonly #socket: Socket;
  readonly #side: Side;
  #key: Buffer | undefined;
  #received: Buffer = Buffer.alloc(0);
  #sentFrames = 0;
  #readFrames = 0;
  #listener: ((message: Message) => void) | undefined;
  /** During the greeting: the callback that waits for the next message. */
  #greeting: ((message: Message | undefined) => void) | undefined;
  readonly #closed = Promise.withResolvers<string>();
  #isOpen = true;

  constructor(socket: Socket, side: Side) {
    this.#socket = socket;
    this.#side = side;
    socket.setNoDelay(true);
    socket.on('data', chunk => this.#read(chunk));
    socket.on('error', error => this.close(error.message));
    socket.on('close', () => this.close(PEER_CLOSED));
  }

  /** Resolves with the reason when the connection has ended. */
  get closed(): Promise<string> {
    return this.#closed.promise;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  get remoteAddress(): string {
    return this.#socket.remoteAddress ?? 'unknown';
  }

  get localAddress(): string {
    return this.#socket.localAddress ?? 'unknown';
  }

  /** Messages received before are passed to the listener first. */
  onMessage(listener: (message: Message) => void): void {
    this.#listener = listener;
    this.#drain();
  }

  /** The next message of the greeting; undefined if the connection ends or nothing arrives in time. */
  async greeting(): Promise<Message | undefined> {
    const { promise, resolve } = Promise.withResolvers<Message | undefined>();
    this.#greeting = resolve;
    const timer = setTimeout(() => this.close(NO_GREETING), GREETING_MS);
    this.#drain();
    const message = await Promise.race([promise, this.closed.then(() => undefined)]);
    clearTimeout(timer);
    return message;
  }

  send(message: Message): void {
    if (!this.#isOpen) return;
    const body = Buffer.from(JSON.stringify(message));
    if (body.length > MAX_MESSAGE_BYTES) throw new TrenioError('STORE_FAILED', tooLong(body.length));
    const head = Buffer.alloc(HEAD_BYTES);
    head.writeUInt32BE(body.length);
    this.#mac(this.#side, this.#sentFrames++, body)?.copy(head, 4);
    this.#socket.write(head);
    this.#socket.write(body);
    if (this.#socket.writableLength > MAX_UNSENT_BYTES) this.close('the other side does not read');
  }

  /** Closes after pending messages are sent. */
  end(reason: string): void {
    this.#socket.end();
    this.#finish(reason);
    // A peer that never closes its side must not keep this process alive.
    this.#socket.unref();
  }

  close(reason: string): void {
    this.#socket.destroy();
    this.#finish(reason);
  }

  unref(): void {
    this.#socket.unref();
  }

  ref(): void {
    this.#socket.ref();
  }

  /** From now on, messages have a MAC. */
  authenticate(key: Buffer): void {
    this.#key = key;
    this.#sentFrames = 0;
    this.#readFrames = 0;
  }

  #finish(reason: string): void {
    this.#isOpen = false;
    this.#closed.resolve(reason);
  }

  #mac(side: Side, frame: number, body: Buffer): Buffer | undefined {
    if (this.#key === undefined) return undefined;
    return createHmac('sha256', this.#key).update(`${side} ${frame} `).update(body).digest().subarray(0, MAC_BYTES);
  }

  #read(chunk: Buffer): void {
    this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk]);
    this.#drain();
  }

  /** A message after the greeting waits here until the key and the listener are known. */
  #drain(): void {
    while (this.#isOpen && this.#received.length >= HEAD_BYTES) {
      if (this.#key === undefined ? this.#greeting === undefined : this.#listener === undefined) return;
      const length = this.#received.readUInt32BE();
      const limit = this.#key === undefined ? MAX_GREETING_BYTES : MAX_MESSAGE_BYTES;
      if (length > limit) {
        this.close(`a message of ${length} bytes, more than ${limit}, or not this protocol`);
        return;
      }
      if (this.#received.length < HEAD_BYTES + length) return;
      const mac = this.#received.subarray(4, HEAD_BYTES);
      const body = this.#received.subarray(HEAD_BYTES, HEAD_BYTES + length);
      this.#received = this.#received.subarray(HEAD_BYTES + length);
      const expected = this.#mac(this.#side === 'client' ? 'server' : 'client', this.#readFrames++, body);
      if (expected !== undefined && !timingSafeEqual(mac, expected)) {
        this.close('a message with a wrong mac');
        return;
      }
      const message = parseMessage(body);
      if (message === undefined) {
        this.close('a message that is not a JSON object');
        return;
      }
      if (this.#key !== undefined) this.#listener!(message);
      else {
        this.#greeting!(message);
        this.#greeting = undefined;
      }
    }
  }
}

const tooLong = (bytes: number) => ({
  action: 'send a message',
  reason: `it has ${bytes} bytes, more than ${MAX_MESSAGE_BYTES}`,
});

function parseMessage(body: Buffer): Message | undefined {
  try {
    const value: unknown = JSON.parse(body.toString());
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Message) : undefined;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return undefined;
  }
}

const proof = (secret: string, ...parts: readonly string[]): Buffer =>
  createHmac('sha256', secret).update(JSON.stringify(parts)).digest();

const sessionKey = (secret: string, run: string, s: string, c: string): Buffer => proof(secret, 'session', run, s, c);

function isProof(text: Json | undefined, expected: Buffer): boolean {
  const given = Buffer.from(typeof text === 'string' ? text : '', 'hex');
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** Reasons for which a connection ends before the greeting does although the server may let this client in later. */
const PASSING = [PEER_CLOSED, NO_GREETING, 'read ECONNRESET', 'write EPIPE', 'write ECONNRESET'];

/** Closes a connection that has not been greeted; a client tries again. */
export function sendAway(socket: Socket): void {
  const body = Buffer.from(JSON.stringify({ busy: true }));
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt32BE(body.length);
  socket.end(Buffer.concat([head, body]), () => socket.destroy());
  socket.on('error', () => {});
}

/**
 * The client's side of the greeting. The connection may not be established yet. Returns a reason (a text) if the server may let
 * this client in later.
 * @throws {RENDEZVOUS_REFUSED}
 */
export async function greetServer(
  socket: Socket,
  secret: string,
  run: string,
  endpoint: string,
): Promise<Channel | string> {
  const channel = new Channel(socket, 'client');
  const refused = (reason: string): TrenioError => {
    channel.close(reason);
    return new TrenioError('RENDEZVOUS_REFUSED', { endpoint, reason });
  };
  const later = (reason: string): string => {
    channel.close(reason);
    return reason;
  };
  const hello = await channel.greeting();
  if (hello === undefined) {
    const reason = await channel.closed;
    if (PASSING.includes(reason)) return later(reason);
    throw refused(reason);
  }
  if (hello.busy === true) return later('too many others wait');
  const { version, nonce: s } = hello;
  if (version !== PROTOCOL || typeof s !== 'string')
    throw refused(`it speaks version ${JSON.stringify(version)} of the protocol, this is version ${PROTOCOL}`);
  const c = randomBytes(32).toString('hex');
  channel.send({ run, nonce: c, proof: proof(secret, 'client', run, s, c).toString('hex') });
  const answer = await channel.greeting();
  if (answer?.busy === true) return later('too many others wait');
  if (answer === undefined) throw refused('it has another secret');
  if (typeof answer.refused === 'string') throw refused(answer.refused);
  if (!isProof(answer.proof, proof(secret, 'server', run, s, c))) throw refused('it does not know the secret');
  channel.authenticate(sessionKey(secret, run, s, c));
  return channel;
}

/** The server's side of the greeting; undefined, and the connection closed, for a client that does not know the secret. */
export async function greetClient(socket: Socket, secret: string, run: string): Promise<Channel | undefined> {
  const channel = new Channel(socket, 'server');
  const s = randomBytes(32).toString('hex');
  channel.send({ version: PROTOCOL, nonce: s });
  const answer = await channel.greeting();
  const { run: theirs, nonce: c, proof: given } = answer ?? {};
  if (typeof theirs !== 'string' || typeof c !== 'string' || !isProof(given, proof(secret, 'client', theirs, s, c))) {
    channel.close('a client without the secret');
    return undefined;
  }
  if (theirs !== run) {
    channel.send({ refused: `it is the rendezvous of the run '${run}', not of '${theirs}' (--rdzv-id)` });
    channel.end('another run');
    return undefined;
  }
  channel.send({ proof: proof(secret, 'server', run, s, c).toString('hex') });
  channel.authenticate(sessionKey(secret, run, s, c));
  return channel;
}
