// The vectors that kernels are planned for. The same on every CPU, so that the bits of a sum are, too: reductions keep as many
// partial results as the widest vectors have.

/** The number of f32 in the widest vector: gcc keeps them in a register if a separate loop processes them. */
export const vectorLanes = 16;
/** Elements that a function computed by blocks takes at a time (ir/math/index.ts). */
export const blockElements = 16;
