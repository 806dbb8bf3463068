// The order of the folders under src/, which is the order in which data passes through them: a folder imports only from those
// above it (checked by check-imports.ts).
export const layers = [
  'base',
  'observe',
  'numerics',
  'hlo',
  'autodiff',
  'transforms',
  'compiler',
  'runtime',
  'tensor',
  'nn',
  'optim',
  'tensorboard',
  'data',
  'models',
  'distributed',
  'objects',
  'hardware',
  'simulator',
  'jobs',
  'serving',
  'clusters',
  'api',
  'client',
  'cli',
] as const;
export type Layer = (typeof layers)[number];

/** The most lines of each layer, tests apart (size.ts). A line of this table that grows says why, in its commit. */
export const ceilings: Readonly<Record<Layer, number>> = {
  base: 4800,
  observe: 1500,
  numerics: 1200,
  hlo: 24_800, // names of one axis
  autodiff: 3200,
  transforms: 10_250, // elements that move along divided dims, sums through loops; gradients averaged into parts; one rank with the bits of a layout; manual computations over micro-batches
  compiler: 29_700,
  runtime: 14_200, // what jobs send, in reports of steps
  tensor: 30_000,
  nn: 10_000,
  optim: 6000,
  tensorboard: 1400,
  data: 17_900,
  models: 20_900, // adapters of many requests in one step
  distributed: 11_000,
  objects: 1800,
  hardware: 3800,
  simulator: 12_200, // programs of one rank of a layout, and of the stages of a pipeline; PyTorch on GPUs with its published runs, intervals; steps of serving
  jobs: 10_120, // the same and the stages of a step, read as untrusted data
  serving: 6600, // the engine of language models: scheduler, blocks, prefixes, sampling, drafts, streams of text; embeddings, plans
  clusters: 6900,
  api: 17_700, // the wire of OpenAI
  client: 2600, // loads of servers with the API of OpenAI
  cli: 17_950, // traces and repetitions of serve; plans of serving, of models by config.json; plans of layouts of scripts, programs of JAX on several ranks, trenio serve, its bench; intervals of plans
};

/**
 * The places that contrib/ imports from besides the public entry, as the start of a path within src/.
 * Nothing in src/ imports contrib/.
 */
export const contribSeams = [
  'base/',
  'hlo/',
  'tensor/',
  'nn/',
  'nn-namespace.ts',
  'nn-utils-namespace.ts',
  'optim/',
] as const;

/** The layer of a file, by its path within src/; undefined for files of src/ itself. */
export const layerOf = (path: string): Layer | undefined => layers.find(layer => path.startsWith(`${layer}/`));

/**
 * The folders within a layer, as paths from it, in import order; all other files of the layer come after them. Folders of
 * compiler/cpu come after all that do not depend on a machine.
 */
export const rooms: Partial<Record<Layer, readonly string[]>> = {
  compiler: [
    'ir',
    'lowering',
    'passes',
    'schedule',
    'memory',
    'program',
    'cpu/target',
    'cpu/ir',
    'cpu/gemm',
    'cpu/convolution',
    'cpu/kernels',
    'cpu/counting',
    'cpu/c',
    'cpu/dynamic',
    'cpu/explain',
    'cpu/scalar-functions',
    'cpu/wasm',
    'cpu/in-process',
    'cpu',
  ],
  serving: ['engine', 'model', 'fleet'],
  runtime: ['toolchain', 'execution', 'comm', 'profiling', 'backends'],
};
