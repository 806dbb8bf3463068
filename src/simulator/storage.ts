// The shared storage of training instances, such as FSx for Lustre: how fast it reads data and writes checkpoints. Only
// bandwidth is modeled: neither metadata, nor small files, nor other users of the same file system.
import type { Machine } from '../hardware/machine.ts';

/** The bandwidth of the storage in bytes per second; undefined: the default. */
export interface StorageOptions {
  /** Bytes per second of one instance: 2 GB/s by default. It never exceeds the bandwidth of its network. */
  readonly nodeBandwidth?: number | undefined;
  /** Bytes per second of all instances together: 100 GB/s by default. */
  readonly storageBandwidth?: number | undefined;
}

export interface StorageRates {
  readonly nodeBandwidth: number;
  readonly storageBandwidth: number;
}

/** Assumed: 100 TiB of FSx for Lustre at 1,000 MB/s per TiB, and clients that reach 2 GB/s each. */
export const defaultStorage: StorageRates = { nodeBandwidth: 2e9, storageBandwidth: 100e9 };

export function storageOf({ network }: Pick<Machine, 'network'>, options: StorageOptions = {}): StorageRates {
  const { nodeBandwidth = defaultStorage.nodeBandwidth, storageBandwidth = defaultStorage.storageBandwidth } = options;
  return { nodeBandwidth: Math.min(nodeBandwidth, network?.bandwidth ?? nodeBandwidth), storageBandwidth };
}
