// The interface of text output: process.stdout and process.stderr, or a collector in a test.

/** A destination of text, such as `process.stderr`. */
export interface OutputStream {
  /** Whether the stream is a terminal. */
  readonly isTTY?: boolean;
  /** The width of the terminal. */
  readonly columns?: number;
  /** Returns false if the stream is full: wait for 'drain' before writing much more. */
  write(text: string): boolean;
  /** Calls `listener` at the next event. */
  once(event: 'drain', listener: () => void): unknown;
}
