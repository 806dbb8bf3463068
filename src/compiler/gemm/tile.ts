// The piece of C that a kernel keeps in registers.
export interface Tile {
  /** Rows of C in registers. */
  readonly rows: number;
  /** Vectors in a row of C in registers. */
  readonly vectors: number;
}

/** Rows of a tile of AMX, and sums in its row. */
export const tileRows = 16;
/** Elements of k that one instruction takes. */
export const tileDepth = 32;
