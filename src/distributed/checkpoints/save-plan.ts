// The messages between the training thread and the thread that writes. Plain data.
import type { KeptFile } from './kept-files.ts';
import type { Manifest, StoredPiece } from './manifest.ts';

/** A piece of a tensor in the memory that is written. */
export interface PlannedPiece {
  readonly name: string;
  readonly offset: readonly number[];
  readonly shape: readonly number[];
  readonly bytes: number;
}
/** A checkpoint as one rank writes it. */
export interface SavePlan {
  /** The folder of checkpoints, and the names in it while it is written and afterwards. */
  readonly folder: string;
  readonly partial: string;
  readonly final: string;
  readonly rank: number;
  readonly ranks: number;
  readonly file: string;
  /** Where the file begins in the memory, and its size. */
  readonly from: number;
  readonly bytes: number;
  /** The size of the file's header: whole blocks. */
  readonly headerBytes: number;
  /** In the order of the memory. */
  readonly pieces: readonly PlannedPiece[];
  /** Rank 0: the manifest without files and pieces, and the checkpoints to keep. */
  readonly manifest: Manifest | undefined;
  /** Rank 0: files next to the tensors. */
  readonly files: readonly KeptFile[];
  readonly keep: number;
  readonly keepEvery: number | undefined;
  /** The maximum time that rank 0 waits for the other ranks. */
  readonly timeoutMs: number;
}
/** The files of a rank: `part-00001.json`, from which rank 0 creates the manifest. */
export interface WrittenPart {
  readonly file: string;
  readonly bytes: number;
  readonly headerBytes: number;
  readonly headerSha256: string;
  readonly pieces: readonly (StoredPiece & { readonly name: string })[];
}

export type SaveRequest =
  | { readonly kind: 'touch'; readonly memory: ArrayBuffer }
  | { readonly kind: 'save'; readonly memory: ArrayBuffer; readonly plan: SavePlan };
export type SaveReply =
  | { readonly kind: 'touched'; readonly memory: ArrayBuffer }
  | { readonly kind: 'saved'; readonly memory: ArrayBuffer; readonly writeMs: number }
  | { readonly kind: 'failed'; readonly memory: ArrayBuffer; readonly failure: SaveFailure };
export interface SaveFailure {
  readonly file: string;
  readonly bytesWritten: number;
  /** The system's error code, such as ENOSPC. */
  readonly code: string | undefined;
  readonly message: string;
  /** The rank that failed. */
  readonly rank: number;
}

/** Files are written in whole blocks of this size, from memory aligned to it. */
export const blockBytes = 4096;
export const wholeBlocks = (bytes: number): number => Math.ceil(bytes / blockBytes) * blockBytes;

const number = (rank: number): string => `${rank + 1}`.padStart(5, '0');
/** The names of PyTorch's distributed checkpoints in safetensors files. */
export const shardName = (rank: number): string => `shard-${number(rank)}-model-00001-of-00001.safetensors`;
export const partName = (rank: number): string => `part-${number(rank)}.json`;
export const failedName = (rank: number): string => `part-${number(rank)}.failed`;
