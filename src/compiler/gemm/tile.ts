// Sizes of the tile registers of AMX.

/** Rows of a tile of AMX, and sums in its row. */
export const tileRows = 16;
/** Elements of k that one instruction takes. */
export const tileDepth = 32;
