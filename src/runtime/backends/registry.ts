// The backends by name. Each folder next to this file registers itself when it is imported; all.ts imports
// them. Open devices are kept by the runtime.
import type { Variables } from '../../base/environment.ts';
import { TrenioError } from '../../base/errors.ts';
import { nearestName } from '../../base/nearest.ts';
import type { Backend, BackendHost } from './backend.ts';

/** Whether a backend can be used on this machine: its number of devices, or an error with the reason and what to install. */
export type Availability =
  | { readonly kind: 'available'; readonly devices: number }
  | { readonly kind: 'unavailable'; readonly error: TrenioError };

export interface BackendEntry {
  /** The name as written in `device(…)` and TRENIO_BACKEND, before the ordinal. */
  readonly name: string;
  /** The memory spaces of its buffers, the default first. */
  readonly memorySpaces: readonly string[];
  /** Ranks that can run together on this backend; its programs communicate only with these ranks. */
  readonly maxRanks: number;
  /** Checks without opening a device. */
  availability(variables?: Variables): Availability;
  /** Opens device `ordinal`. @throws {UNSUPPORTED} or the error of `availability` */
  open(host: BackendHost, ordinal: number): Backend;
}

const entries = new Map<string, BackendEntry>();

/** Adds a backend; a later one of the same name replaces it. */
export function registerBackend(entry: BackendEntry): void {
  entries.set(entry.name, entry);
}
export const registeredBackends = (): readonly BackendEntry[] => [...entries.values()];
export const backendNames = (): readonly string[] => [...entries.keys()];

export function tooManyRanks({ name, maxRanks }: BackendEntry, ranks: number): TrenioError {
  const instead = `start ${maxRanks === 1 ? 'a single rank' : `at most ${maxRanks}`}, or use the cpu backend`;
  return new TrenioError('UNSUPPORTED', { what: `a run of ${ranks} ranks`, where: `the ${name} backend`, instead });
}

/** A device as its backend and its number: `cpu`, `cuda:1`. @throws {UNKNOWN_DEVICE} */
export function parseDevice(text: string): { readonly entry: BackendEntry; readonly ordinal: number } {
  const [, name = text, digits = '0'] = /^([^:]*)(?::(\d{1,9}))?$/.exec(text) ?? [];
  const entry = entries.get(name);
  if (entry !== undefined) return { entry, ordinal: Number(digits) };
  const registered = backendNames();
  throw new TrenioError('UNKNOWN_DEVICE', { name: text, registered, nearest: nearestName(name, registered) });
}

/**
 * Opens a device that `parseDevice` returned.
 * @throws {NO_SUCH_ORDINAL}
 * @throws the errors of a backend that is not available
 */
export function openDevice(
  { entry, ordinal }: { readonly entry: BackendEntry; readonly ordinal: number },
  host: BackendHost,
): Backend {
  const { worldSize } = host.ranks;
  if (worldSize > entry.maxRanks) throw tooManyRanks(entry, worldSize);
  if (ordinal > 0) {
    const found = entry.availability(host.variables);
    if (found.kind === 'unavailable') throw found.error;
    if (ordinal >= found.devices)
      throw new TrenioError('NO_SUCH_ORDINAL', { backend: entry.name, ordinal, devices: found.devices });
  }
  return entry.open(host, ordinal);
}
