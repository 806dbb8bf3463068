// The ring file of one process: its last samples, for other processes to read while it runs. Not a log: old samples are
// overwritten, and the file is removed when the process ends.
//
//   0        magic, version, recordBytes, capacity, number of records written so far
//   64       the identity of the process, JSON, written once
//   8192     details: its programs, JSON, replaced about once a second
//   65536    records, record n at (n − 1) mod capacity
//
// A writer never waits for readers and takes no lock. A reader recognizes a record that is overwritten while it reads by its
// sequence number, and details by the two copies of their version, one before and one after the text.
import { closeSync, constants, openSync, readSync, unlinkSync, writeSync } from 'node:fs';
import { z } from 'zod';
import { decodeSample, encodeSample, recordBytes, type Sample } from './sample.ts';

const magic = 0x424f5254; // TROB
const version = 1;
const identityAt = 64;
const detailsAt = 8192;
const recordsAt = 65_536;
/** Over an hour at four records a second; 3 MiB. */
const capacity = 16_384;

const text = z.string();
const count = z.number();
const optionalCount = z.number().optional();

/** The properties that do not change while a process runs. */
export const identitySchema = z.object({
  pid: count,
  parent: count,
  /** Milliseconds since 1970. */
  startedMs: count,
  script: text,
  args: z.array(text),
  user: text,
  host: text,
  rank: count,
  worldSize: count,
  localRank: count,
  /** Equal for the ranks of one run. */
  run: text,
  launcher: optionalCount,
  tag: text,
  cpus: z.array(count),
  threads: count,
  /** The peak FLOP/s of these threads, if measured. */
  peakFlops: z.object({ f32: count, bf16: optionalCount }).optional(),
  version: text,
});
export type ProcessIdentityCard = z.infer<typeof identitySchema>;

export const detailsSchema = z.object({
  /** Programs by total time, longest first. */
  programs: z.array(
    z.object({
      id: count,
      name: text,
      stateInputs: count,
      kernels: count,
      flops: count,
      products: text.optional(),
      runs: count,
      totalMs: count,
      fastestMs: count,
      lastMs: count,
    }),
  ),
  /** Kernels by total time, when kernels are profiled. */
  kernelGroups: z.array(z.object({ name: text, calls: count, totalMs: count })).optional(),
});
export type ProcessDetails = z.infer<typeof detailsSchema>;

export class RingWriter {
  readonly path: string;
  readonly #file: number;
  readonly #record = new DataView(new ArrayBuffer(recordBytes));
  readonly #count = new DataView(new ArrayBuffer(8));
  #detailsVersion = 0;

  /** Creates the file, for this user only. Throws file system errors. */
  constructor(path: string, identity: ProcessIdentityCard) {
    this.path = path;
    const { O_CREAT, O_TRUNC, O_RDWR, O_NOFOLLOW } = constants;
    this.#file = openSync(path, O_CREAT | O_TRUNC | O_RDWR | O_NOFOLLOW, 0o600);
    const head = Buffer.alloc(detailsAt);
    const args = [...identity.args];
    let json = Buffer.from(JSON.stringify(identity));
    // A very long command line must not hide the process.
    while (json.length > detailsAt - identityAt - 4 && args.length > 0) {
      args.length >>= 1;
      json = Buffer.from(JSON.stringify({ ...identity, args: [...args, '…'] }));
    }
    [magic, version, recordBytes, capacity].forEach((value, i) => {
      head.writeUInt32LE(value, 4 * i);
    });
    head.writeUInt32LE(json.length, identityAt);
    json.copy(head, identityAt + 4);
    writeSync(this.#file, head, 0, head.length, 0);
  }

  append(sample: Sample): void {
    encodeSample(sample, this.#record);
    writeSync(this.#file, this.#record, 0, recordBytes, recordsAt + ((sample.sequence - 1) % capacity) * recordBytes);
    this.#count.setFloat64(0, sample.sequence, true);
    writeSync(this.#file, this.#count, 0, 8, 16);
  }

  /** If the details do not fit, only the first programs are kept. */
  describe(details: ProcessDetails): void {
    const room = recordsAt - detailsAt - 12;
    let programs = details.programs.length;
    let json = Buffer.from(JSON.stringify(details));
    while (json.length > room && programs > 0) {
      programs >>= 1;
      json = Buffer.from(JSON.stringify({ programs: details.programs.slice(0, programs) }));
    }
    const bytes = Buffer.alloc(json.length + 12);
    this.#detailsVersion++;
    bytes.writeUInt32LE(this.#detailsVersion, 0);
    bytes.writeUInt32LE(json.length, 4);
    json.copy(bytes, 8);
    bytes.writeUInt32LE(this.#detailsVersion, 8 + json.length);
    writeSync(this.#file, bytes, 0, bytes.length, detailsAt);
  }

  /** Closes and removes the file. */
  remove(): void {
    closeSync(this.#file);
    try {
      unlinkSync(this.path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
}

/** The contents of a ring file. */
export interface RingContent {
  readonly identity: ProcessIdentityCard;
  readonly details: ProcessDetails;
  /** Oldest first. */
  readonly samples: readonly Sample[];
}

const noDetails: ProcessDetails = { programs: [] };

/**
 * Reads a ring file: the last `last` samples, all by default. Undefined for a file that is missing, of another version, or
 * incomplete. Throws other errors of the file system.
 */
export function readRing(path: string, last = capacity): RingContent | undefined {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  } catch (error) {
    if (['ENOENT', 'ELOOP'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
  try {
    const head = readAt(file, 0, detailsAt);
    if (head.length < detailsAt) return undefined;
    const [gotMagic, gotVersion, gotBytes, gotCapacity] = [0, 4, 8, 12].map(at => head.readUInt32LE(at));
    if (gotMagic !== magic || gotVersion !== version || gotBytes !== recordBytes || gotCapacity !== capacity)
      return undefined;
    const identity = identitySchema.safeParse(parsed(head, identityAt));
    if (!identity.success) return undefined;
    return {
      identity: identity.data,
      details: readDetails(file),
      samples: readSamples(file, head.readDoubleLE(16), last),
    };
  } finally {
    closeSync(file);
  }
}

function readSamples(file: number, written: number, last: number): readonly Sample[] {
  if (!(written >= 1 && Number.isSafeInteger(written))) return [];
  const first = Math.max(1, written - Math.min(last, capacity) + 1);
  const samples: Sample[] = [];
  // The part up to the end of the ring, then the part after the wrap-around.
  for (let from = first; from <= written; ) {
    const slot = (from - 1) % capacity;
    const records = Math.min(written - from + 1, capacity - slot);
    const bytes = readAt(file, recordsAt + slot * recordBytes, records * recordBytes);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    for (let i = 0; (i + 1) * recordBytes <= bytes.length; i++) {
      const sample = decodeSample(view, i * recordBytes);
      if (sample.sequence === from + i) samples.push(sample); // else it was overwritten meanwhile
    }
    from += records;
  }
  return samples;
}

function readDetails(file: number): ProcessDetails {
  for (let attempt = 0; attempt < 3; attempt++) {
    const area = readAt(file, detailsAt, recordsAt - detailsAt);
    if (area.length < 12) return noDetails;
    const length = area.readUInt32LE(4);
    if (12 + length > area.length || area.readUInt32LE(0) !== area.readUInt32LE(8 + length)) continue;
    const details = detailsSchema.safeParse(parsed(area, 4));
    if (details.success) return details.data;
  }
  return noDetails;
}

/** The JSON after its length; undefined if it is not JSON. */
function parsed(bytes: Buffer, at: number): unknown {
  try {
    return JSON.parse(bytes.toString('utf8', at + 4, at + 4 + bytes.readUInt32LE(at)));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function readAt(file: number, position: number, bytes: number): Buffer {
  const buffer = Buffer.alloc(bytes);
  return buffer.subarray(0, readSync(file, buffer, 0, bytes, position));
}
