// What text is written to: process.stdout and process.stderr, or a collector in a test.

export interface OutputStream {
  readonly isTTY?: boolean;
  /** The width of the terminal. */
  readonly columns?: number;
  /** False if the stream is full: wait for 'drain' before writing much more. */
  write(text: string): boolean;
  once(event: 'drain', listener: () => void): unknown;
}
