// Sizes of the tile registers of AMX.

/** The rows of an AMX tile, and the sums per row. */
export const tileRows = 16;
/** The elements of k that one instruction processes. */
export const tileDepth = 32;
