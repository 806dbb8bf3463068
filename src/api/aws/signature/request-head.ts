// The signed part of a request: the bytes of the request line and of the headers, without decoding or merging.
import type { IncomingMessage } from 'node:http';

export interface RequestHead {
  readonly method: string;
  /** The path as sent, percent-encoded, without the query. */
  readonly path: string;
  /** The query as sent, without `?`; empty if there is none. */
  readonly query: string;
  /** In the order sent, repeated names included; names in lower case. */
  readonly headers: readonly (readonly [name: string, value: string])[];
}

/** The head of a request of node:http. */
export function headOf({ method, url, rawHeaders }: IncomingMessage): RequestHead {
  const target = url ?? '/';
  const at = target.indexOf('?');
  const headers: (readonly [string, string])[] = [];
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) headers.push([rawHeaders[i]!.toLowerCase(), rawHeaders[i + 1]!]);
  return {
    method: method ?? 'GET',
    path: at < 0 ? target : target.slice(0, at),
    query: at < 0 ? '' : target.slice(at + 1),
    headers,
  };
}

/** The value of a header; repeated headers are joined with commas. Undefined if it is absent. */
export function header(head: RequestHead, name: string): string | undefined {
  let found: string | undefined;
  for (const [key, value] of head.headers) if (key === name) found = found === undefined ? value : `${found},${value}`;
  return found;
}

/** The parameters of a query in order, decoded. Malformed escapes stay as they are; `+` is not a space in a URL's query. */
export function queryParameters(query: string): readonly (readonly [name: string, value: string])[] {
  return query
    .split('&')
    .filter(part => part !== '')
    .map(part => {
      const at = part.indexOf('=');
      return at < 0 ? [decode(part), ''] : [decode(part.slice(0, at)), decode(part.slice(at + 1))];
    });
}

export function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return text;
    throw error;
  }
}

/** RFC 3986: everything but letters, digits, `-`, `.`, `_`, `~` is escaped. */
export const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, c => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
