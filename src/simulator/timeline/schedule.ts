// The order in which a stage works: 1F1B (Narayanan et al., "PipeDream", SOSP 2019, in its synchronous form) and the
// interleaved 1F1B (Narayanan et al., "Efficient large-scale language model training on GPU clusters using Megatron-LM",
// SC 2021). 4 stages, 8 micro-batches:
//
//   stage 0   F F F F B F B F B F B F B B B B
//   stage 3   F B F B F B F B F B F B F B F B
//
// Warm-up of forward passes, then one forward and one backward pass in turn, then the remaining backward passes.

/** Forward or backward pass of a micro-batch through one of the stage's chunks, packed into a number. */
export const isBackward = (entry: number): boolean => (entry & 1) === 1;
export const microBatchOf = (entry: number, interleave: number): number => Math.floor((entry >> 1) / interleave);
export const chunkOf = (entry: number, interleave: number): number => (entry >> 1) % interleave;

const entryOf = (microBatch: number, chunk: number, interleave: number, backward: boolean): number =>
  ((microBatch * interleave + chunk) << 1) | (backward ? 1 : 0);

/** All 2 · `microBatches` · `interleave` entries of stage `stage`. */
export function stageOrder(stage: number, stages: number, interleave: number, microBatches: number): Int32Array {
  const total = microBatches * interleave;
  const order = new Int32Array(2 * total);
  const warmUp = Math.min(
    total,
    interleave === 1 ? stages - stage - 1 : 2 * (stages - stage - 1) + (interleave - 1) * stages,
  );
  let at = 0;
  let backward = 0;
  for (let forward = 0; forward < total; forward++) {
    order[at++] = nth(forward, false);
    if (forward >= warmUp) order[at++] = nth(backward++, true);
  }
  while (backward < total) order[at++] = nth(backward++, true);
  return order;

  // Micro-batches go through the chunks in groups as large as the pipeline: the first group through all chunks, then the
  // next. The backward pass begins with the last chunk.
  function nth(n: number, back: boolean): number {
    const group = stages * interleave;
    const chunk = Math.floor((n % group) / stages);
    const microBatch = Math.floor(n / group) * stages + (n % stages);
    return entryOf(microBatch, back ? interleave - 1 - chunk : chunk, interleave, back);
  }
}
