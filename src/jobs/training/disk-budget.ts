// The bytes that the data of one host may take, counted while it is written: an object that unpacks to more than the volume fails
// at that size, not when the disk is full.
import { Transform } from 'node:stream';
import { ClientFault } from '../client-fault.ts';

const GIB = 1024 ** 3;

export class DiskBudget {
  readonly #gb: number;
  #left: number;

  /** @param gb the volume; undefined: not limited */
  constructor(gb: number | undefined) {
    this.#gb = gb ?? Number.POSITIVE_INFINITY;
    this.#left = this.#gb * GIB;
  }

  /** Passes bytes through, and fails with a `ClientFault` when the budget is used up. */
  counter(): Transform {
    return new Transform({
      transform: (chunk: Buffer, _encoding, done) => {
        this.#left -= chunk.length;
        if (this.#left >= 0) done(null, chunk);
        else
          done(
            new ClientFault(`the data is larger than the ${this.#gb} GB of the volume (VolumeSizeInGB) of its host`),
          );
      },
    });
  }
}
