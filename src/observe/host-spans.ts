// Spans of the script's thread, for a profile: recording and compiling programs, waiting for the device, loading data, and spans
// that the user names. Without a profile, nothing is recorded and no clock is read.

/** The activity of the script's thread during a span. */
export const hostSpanKinds = ['tracing', 'compile', 'wait', 'data', 'user'] as const;
export type HostSpanKind = (typeof hostSpanKinds)[number];

export interface HostSpan {
  readonly kind: HostSpanKind;
  readonly name: string;
  /** Nanoseconds of the monotonic clock (`process.hrtime`), which all threads and processes of a machine share. */
  readonly from: bigint;
  readonly to: bigint;
}

let recording: HostSpan[] | undefined;

/** Runs `body`, and records how long that took. */
export function hostSpan<T>(kind: HostSpanKind, name: string, body: () => T): T {
  if (recording === undefined) return body();
  const from = process.hrtime.bigint();
  try {
    return body();
  } finally {
    recording?.push({ kind, name, from, to: process.hrtime.bigint() });
  }
}
/** The same for a span that ends when the promise is settled. */
export async function hostSpanAsync<T>(kind: HostSpanKind, name: string, body: () => Promise<T>): Promise<T> {
  if (recording === undefined) return await body();
  const from = process.hrtime.bigint();
  try {
    return await body();
  } finally {
    recording?.push({ kind, name, from, to: process.hrtime.bigint() });
  }
}

/** Starts recording. */
export function startHostSpans(): void {
  recording = [];
}
/** The spans recorded since the start. */
export function stopHostSpans(): readonly HostSpan[] {
  const spans = recording ?? [];
  recording = undefined;
  return spans;
}
