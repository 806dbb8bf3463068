// The piece of C that a kernel keeps in registers.
export interface Tile {
  /** Rows of C in registers. */
  readonly rows: number;
  /** Vectors in a row of C in registers. */
  readonly vectors: number;
}
