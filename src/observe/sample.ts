// A sample: the activity of a process in a short interval, as a record of fixed size. The fields are doubles in the order of
// `sampleFields`, little-endian; a reader of another version sees a different `recordBytes` and ignores the file.

/** Amounts are over the span, except where noted. */
export interface Sample {
  /** 1 for the first record of the process. */
  readonly sequence: number;
  /** End of the span, in milliseconds since 1970. */
  readonly timeMs: number;
  readonly spanMs: number;
  readonly steps: number;
  /** Steps since the process started. */
  readonly totalSteps: number;
  /** Executions of programs, steps or not. */
  readonly runs: number;
  /** In compiled programs, time in collectives included. */
  readonly busyMs: number;
  /** In collectives: moving data, and waiting for other ranks. */
  readonly collectiveMs: number;
  /** In the script, waiting for batches. */
  readonly dataWaitMs: number;
  readonly compiles: number;
  readonly compileMs: number;
  /** The latest loss that the script has read; NaN if it has read none in the span. */
  readonly loss: number;
  readonly examples: number;
  readonly tokens: number;
  /** The FLOPs of matrix multiplies and convolutions. */
  readonly flops: number;
  /** The fastest and slowest execution of a program that replaces state; NaN if none ended in the span. */
  readonly fastestMs: number;
  readonly slowestMs: number;
  /** At the end of the span. */
  readonly residentBytes: number;
  readonly parameterBytes: number;
  readonly optimizerBytes: number;
  readonly arenaBytes: number;
  /** Executions since the process started. */
  readonly totalRuns: number;
}

export const sampleFields = [
  'sequence',
  'timeMs',
  'spanMs',
  'steps',
  'totalSteps',
  'runs',
  'busyMs',
  'collectiveMs',
  'dataWaitMs',
  'compiles',
  'compileMs',
  'loss',
  'examples',
  'tokens',
  'flops',
  'fastestMs',
  'slowestMs',
  'residentBytes',
  'parameterBytes',
  'optimizerBytes',
  'arenaBytes',
  'totalRuns',
] as const satisfies readonly (keyof Sample)[];

/** Two fields are reserved. */
export const recordBytes = 8 * (sampleFields.length + 2);

export function encodeSample(sample: Sample, into: DataView): void {
  sampleFields.forEach((field, i) => {
    into.setFloat64(8 * i, sample[field], true);
  });
}

/** Samples as text. */
export function encodeSamples(samples: readonly Sample[]): string {
  const bytes = new Uint8Array(samples.length * recordBytes);
  samples.forEach((sample, i) => {
    encodeSample(sample, new DataView(bytes.buffer, i * recordBytes, recordBytes));
  });
  return Buffer.from(bytes).toString('base64');
}
export function decodeSamples(text: string): readonly Sample[] {
  const bytes = Buffer.from(text, 'base64');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from({ length: Math.floor(bytes.length / recordBytes) }, (_, i) => decodeSample(view, i * recordBytes));
}

export function decodeSample(bytes: DataView, offset: number): Sample {
  const entries = sampleFields.map((field, i) => [field, bytes.getFloat64(offset + 8 * i, true)] as const);
  // Every field of Sample is in the list, which TypeScript cannot infer through Object.fromEntries.
  return Object.fromEntries(entries) as unknown as Sample;
}
