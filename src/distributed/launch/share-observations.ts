// Observations of ranks on other hosts: while a user watches a run here (`trenio top`, `trenio monitor`), the launcher asks the
// other launchers for the records of their ranks and keeps copies among the ring files of this host.
//
//   top ─ watched ─▶ launcher ─ observe/wanted ─▶ other launchers ─ observe/GROUP (store) ─▶ launcher ─ copies ─▶ top
//
// Nothing is sent while no user watches. The store is authenticated, but data from it is still validated.
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import * as z from 'zod';
import type { Variables } from '../../base/environment.ts';
import { expectFileError } from '../../base/file-error.ts';
import {
  isRingOfThisHost,
  isWatched,
  liveRings,
  makeRingDirectory,
  ringDirectory,
} from '../../observe/ring-directory.ts';
import { detailsSchema, identitySchema, RingWriter, readRing } from '../../observe/ring-file.ts';
import { decodeSamples, encodeSamples } from '../../observe/sample.ts';
import type { Store } from '../rendezvous/store.ts';

/** The interval of checks whether a user is watching, and of messages while this is the case. */
const askMs = 1000;
const sendMs = 1000;
/** The time for which a user counts as watching. */
const wantedMs = 10_000;
/** The number of samples sent for each rank: those of the last two seconds or more; earlier ones have been sent. */
const sentSamples = 12;

const sharedSchema = z.array(
  z.object({
    /** The name of the ring file, which identifies the process. */
    name: z.string().regex(/^[\w-]+(?:\.\d+)?\.ring$/),
    identity: identitySchema,
    details: detailsSchema,
    /** Records in base64: JSON has no NaN. */
    samples: z.base64(),
  }),
);
type Shared = z.infer<typeof sharedSchema>;

export interface SharedRun {
  readonly store: Store;
  /** The rank of this launcher, and the number of launchers. */
  readonly groupRank: number;
  readonly groups: number;
  readonly variables: Variables;
}

/** Shares observations until it is closed. */
export class ObservationSharing {
  readonly #run: SharedRun;
  readonly #directory: string;
  readonly #copies = new Map<string, Copy>();
  #wanted = '';
  #wantedAtMs = Number.NEGATIVE_INFINITY;
  #askedAtMs = Number.NEGATIVE_INFINITY;
  #isClosed = false;
  readonly #timer: NodeJS.Timeout;

  constructor(run: SharedRun) {
    this.#run = run;
    this.#directory = ringDirectory(run.variables);
    let isBusy = false;
    this.#timer = setInterval(() => {
      if (isBusy) return;
      isBusy = true;
      this.#turn().then(
        () => {
          isBusy = false;
        },
        // The store has ended with its launcher, or the directory is full: a run does not depend on being watched.
        () => this.close(),
      );
    }, sendMs);
    this.#timer.unref();
  }

  /** Removes the copies. */
  close(): void {
    this.#isClosed = true;
    clearInterval(this.#timer);
    for (const copy of this.#copies.values()) copy.remove();
    this.#copies.clear();
  }

  async #turn(): Promise<void> {
    const { store, groupRank, groups } = this.#run;
    const nowMs = performance.now();
    const isWatcher = isWatched(this.#directory, wantedMs);
    if (nowMs - this.#askedAtMs >= askMs) {
      this.#askedAtMs = nowMs;
      // The number changes while a user is watching; clocks of hosts are not compared.
      const wanted = isWatcher
        ? `${await store.add('observe/wanted', 1)}`
        : ((await store.get('observe/wanted')) ?? '');
      if (wanted !== this.#wanted) [this.#wanted, this.#wantedAtMs] = [wanted, nowMs];
    }
    if (nowMs - this.#wantedAtMs < wantedMs) await store.set(`observe/${groupRank}`, JSON.stringify(this.#own()));
    if (!isWatcher) return;
    const others = Array.from({ length: groups }, (_, group) => group).filter(group => group !== groupRank);
    const found = await Promise.all(others.map(group => store.get(`observe/${group}`)));
    if (!this.#isClosed) this.#copy(found.flatMap(text => (text === undefined ? [] : sharedIn(text))));
  }

  /** The latest records of this launcher's ranks. */
  #own(): Shared {
    return liveRings(this.#directory).flatMap(path => {
      if (this.#copies.has(basename(path))) return [];
      const content = readRing(path, sentSamples);
      if (content?.identity.parent !== process.pid || !isRingOfThisHost(path)) return [];
      return [{ name: basename(path), ...content, samples: encodeSamples(content.samples) }];
    });
  }

  #copy(shared: Shared): void {
    if (shared.length > 0 && !makeRingDirectory(this.#directory)) return;
    const names = new Set(shared.map(({ name }) => name));
    for (const [name, copy] of this.#copies)
      if (!names.has(name)) {
        copy.remove();
        this.#copies.delete(name);
      }
    for (const one of shared) {
      const path = join(this.#directory, one.name);
      let copy = this.#copies.get(one.name);
      if (copy === undefined) {
        // Its host shares this directory, or another launcher here has it.
        if (existsSync(path)) continue;
        copy = new Copy(path, one.identity);
        this.#copies.set(one.name, copy);
      }
      copy.take(one);
    }
  }
}

class Copy {
  readonly #ring: RingWriter;
  #last = 0;

  constructor(path: string, identity: Shared[number]['identity']) {
    this.#ring = new RingWriter(path, identity);
  }
  take({ details, samples }: Shared[number]): void {
    for (const sample of decodeSamples(samples)) {
      if (sample.sequence <= this.#last) continue;
      this.#ring.append(sample);
      this.#last = sample.sequence;
    }
    this.#ring.describe(details);
  }
  remove(): void {
    try {
      this.#ring.remove();
    } catch (error) {
      expectFileError(error);
    }
  }
}

function sharedIn(text: string): Shared {
  try {
    const parsed = sharedSchema.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : [];
  } catch (error) {
    if (error instanceof SyntaxError) return []; // of another version
    throw error;
  }
}
