// Space for the start of a server whose disk is full: opening its databases takes some. A file without meaning holds the space
// until the next start, which gives it up first.
//
//   DATA/reserve
import { closeSync, fsyncSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { DiskRoom } from '../base/disk-room.ts';
import { expectFileError } from '../base/file-error.ts';

const BYTES = 4 * 1024 * 1024;

export class StartReserve {
  readonly #file: string;
  readonly #room: DiskRoom;

  constructor(data: string) {
    this.#file = join(data, 'reserve');
    this.#room = new DiskRoom(data);
  }

  /** Gives up the space. */
  release(): void {
    rmSync(this.#file, { force: true });
  }

  /** Takes the space, unless it is taken, or the disk is too full. */
  take(): void {
    if (this.#room.isLow || statSync(this.#file, { throwIfNoEntry: false })?.size === BYTES) return;
    try {
      const file = openSync(this.#file, 'w', 0o600);
      try {
        writeSync(file, Buffer.alloc(BYTES, 1));
        fsyncSync(file);
      } finally {
        closeSync(file);
      }
    } catch (error) {
      expectFileError(error, 'ENOSPC', 'EDQUOT', 'EFBIG');
    }
  }
}
