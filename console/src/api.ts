// Requests to the server. A session that has ended shows the sign-in page.
import { signal } from '@preact/signals';
import {
  type DownloadAddress,
  PROOF_HEADER,
  type SessionInfo,
  type SignedIn,
  type WireFault,
} from '../../src/api/console/messages.ts';

const BASE = '/_console/api/';

/** The proof of the session, which other pages of this origin need, too. The cookie of the session is not enough. */
const PROOF = 'trenio-console-session';
const headers = (more: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> => {
  const proof = localStorage.getItem(PROOF);
  return proof === null ? more : { ...more, [PROOF_HEADER]: proof };
};

/** Undefined: not known yet; null: not signed in. */
export const session = signal<SessionInfo | null | undefined>(undefined);
/** The server's clock minus ours. */
const clockSkewMs = signal(0);
export const serverNow = (): number => Date.now() + clockSkewMs.value;

class ApiError extends Error {
  readonly code: string;
  readonly fix: string | undefined;
  constructor({ error }: WireFault) {
    super(error.message);
    this.code = error.code;
    this.fix = error.fix;
  }
}

type Init = Omit<RequestInit, 'headers'> & { readonly headers?: Readonly<Record<string, string>> };

/** The pauses before a request is sent again. Browsers abort requests when a network of the machine appears or disappears. */
const pausesMs = [200, 1000, 3000];
/** Operations that change nothing more when they are received twice. */
const REPEATABLE = /^(Describe|Get|List|Search|Stop)/;

async function request<T>(path: string, init: Init, isRepeatable: boolean): Promise<T> {
  const { response, text } = await answerTo(path, init, isRepeatable ? pausesMs : []);
  if (response.ok) return JSON.parse(text) as T;
  if (response.status === 401 && path !== 'login') session.value = null;
  throw new ApiError(faultOf(text, response.status));
}

async function answerTo(
  path: string,
  init: Init,
  [pauseMs, ...later]: readonly number[],
): Promise<{ readonly response: Response; readonly text: string }> {
  try {
    const response = await ask(path, init);
    return { response, text: await response.text() };
  } catch (error) {
    if (!(error instanceof TypeError) || pauseMs === undefined) throw error;
  }
  await new Promise(resolve => setTimeout(resolve, pauseMs));
  return answerTo(path, init, later);
}

function faultOf(text: string, status: number): WireFault {
  try {
    const fault = JSON.parse(text) as Partial<WireFault>;
    if (fault.error !== undefined) return { error: fault.error };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  return { error: { code: `HTTP_${status}`, message: `the server answered with status ${status}` } };
}

/** A request with the proof of the session. */
export const ask = (path: string, { headers: more, ...init }: Init = {}): Promise<Response> =>
  fetch(BASE + path, { ...init, headers: headers(more) });

export const get = <T>(path: string, signal?: AbortSignal): Promise<T> =>
  request<T>(path, signal === undefined ? {} : { signal }, true);

export const post = <T>(path: string, body: unknown, isRepeatable = false): Promise<T> => {
  const json = { 'content-type': 'application/json' };
  return request<T>(path, { method: 'POST', headers: json, body: JSON.stringify(body) }, isRepeatable);
};

/** Signs in with a one-time token, or an access key. */
export async function signIn(secret: object, isRepeatable = false): Promise<void> {
  const { proof } = await post<SignedIn>('login', secret, isRepeatable);
  localStorage.setItem(PROOF, proof);
}

export async function signOut(): Promise<void> {
  await post('logout', {});
  localStorage.removeItem(PROOF);
  session.value = null;
}

/** Downloads the file at an address of the API. */
export async function download(address: string): Promise<void> {
  const answer = await post<DownloadAddress>('download', { address });
  window.location.assign(answer.address);
}

export const sagemaker = <T>(operation: string, input: object = {}): Promise<T> =>
  post<T>(`sagemaker/${operation}`, input, REPEATABLE.test(operation));

/** Operations of the server itself. */
export const trenio = <T>(operation: string, input: object = {}): Promise<T> =>
  post<T>(`trenio/${operation}`, input, REPEATABLE.test(operation));

/** The response of a `trenio` command. */
export async function command<T extends object>(words: readonly string[], signal?: AbortSignal): Promise<T> {
  const answer = await get<T & { readonly problem?: string }>(
    `command?words=${encodeURIComponent(JSON.stringify(words))}`,
    signal,
  );
  if (answer.problem !== undefined) throw new ApiError({ error: { code: 'COMMAND_FAILED', message: answer.problem } });
  return answer;
}

export async function loadSession(): Promise<void> {
  try {
    session.value = await get<SessionInfo>('session');
    clockSkewMs.value = session.value.nowMs - Date.now();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    session.value = null;
  }
}

export const mayWrite = (): boolean => session.value !== undefined && session.value?.role !== 'read-only';

/** AWS answers an unknown value with all that it knows, for instance types some 300. The closest ones tell more. */
function withoutWalls(message: string): string {
  return message.replace(
    /Value '([^']*)' at '([^']*)' failed to satisfy constraint: Member must satisfy enum value set: \[([^\]]*)\]/g,
    (whole, value: string, member: string, all: string) => {
      const known = all.split(/,\s*/);
      if (known.length <= FEW_VALUES) return whole;
      const nearest = known
        .map(one => ({ one, distance: distanceOf(value, one) }))
        .sort((a, b) => a.distance - b.distance)
        .slice(0, 3);
      return `'${value}' is not a value of ${member}. Did you mean ${nearest.map(({ one }) => one).join(', ')}?`;
    },
  );
}
const FEW_VALUES = 12;

/** The number of letters to insert, remove or replace (Levenshtein). */
function distanceOf(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++)
      next.push(Math.min(next[j - 1]! + 1, row[j]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)));
    row = next;
  }
  return row[b.length]!;
}

/** The message of a failed request, with its fix. */
export function problemOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof ApiError) {
    const message = withoutWalls(error.message);
    return error.fix === undefined ? message : `${message}\n${error.fix}`;
  }
  return error instanceof TypeError ? 'The server does not respond. Is it still running?' : error.message;
}
