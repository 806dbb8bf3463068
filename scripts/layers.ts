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
  'serving',
  'jobs',
  'clusters',
  'api',
  'client',
  'cli',
] as const;
export type Layer = (typeof layers)[number];

/** The layer of a file, by its path within src/; undefined for files of src/ itself. */
export const layerOf = (path: string): Layer | undefined => layers.find(layer => path.startsWith(`${layer}/`));

/** The subfolders of a layer, in import order; files directly in the layer come after all of them. */
export const rooms: Partial<Record<Layer, readonly string[]>> = {
  compiler: [
    'target',
    'ir',
    'gemm',
    'convolution',
    'lowering',
    'passes',
    'kernels',
    'schedule',
    'memory',
    'program',
    'counting',
    'c',
    'dynamic',
    'explain',
    'kernel-interpreter',
  ],
  runtime: ['toolchain', 'execution', 'comm', 'profiling', 'backends'],
};
