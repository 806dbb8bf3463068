// The use of a model: so far, training. A run says what time is spent on (its phases) and what memory holds.

/** The optimizers whose memory and time are modeled. */
export const optimizers = ['sgd', 'momentum', 'adam', 'adamw', 'lamb'] as const;
/** The optimizers whose memory and time are modeled. */
export type OptimizerName = (typeof optimizers)[number];

/** A model is trained, step by step. */
export interface TrainingRun {
  /** Discriminates the members of the union. */
  readonly kind: 'training';
  /** Tokens per sample; without meaning for programs. */
  readonly sequence: number;
  /** The optimizer. */
  readonly optimizer: OptimizerName;
  /** The size of a sample on storage in bytes. Undefined: not known, and steps do not wait for data. */
  readonly sampleBytes?: number | undefined;
}

/** The phases of a training step. */
export const phases = [
  'forward',
  'backward',
  'recompute',
  'layer collectives',
  'pipeline send/recv',
  'pipeline bubble',
  'gradient collectives',
  'optimizer',
  'overhead',
  'data loading',
] as const;
/** A phase of a training step. */
export type Phase = (typeof phases)[number];

/** The kinds of memory contents of a training run. */
export const memoryKinds = [
  'weights',
  'gradients',
  'master weights',
  'optimizer state',
  'activations',
  'temporaries',
  'program and runtime',
] as const;
/** The kinds of memory contents of a training run. */
export type MemoryKind = (typeof memoryKinds)[number];
