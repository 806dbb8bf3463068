// What is to be trained: a model described by its configuration, or a recorded program; in which formats, with which
// optimizer.
import type { MemoryKind } from './prediction.ts';
import type { WorkList } from './work.ts';

/** Formats of a workload; the meaning of each is in formats.ts, and `describePrecision` describes it. */
export const precisions = ['f32', 'tf32', 'bf16', 'bf16-mixed', 'amp'] as const;
/** The number formats of a training. */
export type Precision = (typeof precisions)[number];

/** The optimizers whose memory and time are modelled. */
export const optimizers = ['sgd', 'momentum', 'adam', 'adamw', 'lamb'] as const;
/** The optimizers whose memory and time are modelled. */
export type OptimizerName = (typeof optimizers)[number];

/** A transformer by its configuration (Vaswani et al. 2017); no weights are made. */
export interface TransformerConfig {
  readonly kind: 'transformer';
  readonly name: string;
  readonly layers: number;
  readonly hidden: number;
  readonly heads: number;
  /** Heads of keys and values (grouped-query attention); `heads` where each has its own. */
  readonly keyValueHeads: number;
  readonly headSize: number;
  readonly feedForward: number;
  /** Gated feed-forward (SwiGLU): three multiplies instead of two. */
  readonly gated: boolean;
  readonly activation: 'gelu' | 'relu' | 'silu';
  readonly normalization: 'layer-norm' | 'rms-norm';
  readonly biases: boolean;
  readonly causal: boolean;
  readonly dropout: boolean;
  /** Rows of the token embedding; 0 where inputs are not tokens (images). */
  readonly vocabulary: number;
  readonly positions: number;
  readonly segments: number;
  readonly tiedHead: boolean;
  /** The head: a masked language model predicts at `predictionsPerSample` positions only. */
  readonly head:
    | { readonly kind: 'causal-lm' }
    | {
        readonly kind: 'masked-lm';
        /** The positions that are predicted in a sequence of this many tokens. */
        readonly predictionsPerSample: (sequence: number) => number;
      }
    | { readonly kind: 'classifier'; readonly classes: number };
  /** Images: patches are the sequence. */
  readonly patches: { readonly imageSize: number; readonly patchSize: number; readonly channels: number } | undefined;
  readonly experts: { readonly count: number; readonly perToken: number } | undefined;
}

/** A recorded training step of one process. Its samples are those of that process. */
export interface RecordedProgram {
  readonly kind: 'program';
  readonly name: string;
  /** The work of one step by phase, fused as the compiler fuses it. */
  readonly forward: readonly WorkList[];
  readonly backward: readonly WorkList[];
  readonly optimizer: readonly WorkList[];
  readonly kernels: number;
  /** That its kernels compute, arithmetic on bits left out, those of loops once: how large a program it is. */
  readonly ops: number;
  readonly parameters: number;
  /** Bytes of gradients that data parallelism all-reduces. */
  readonly gradientBytes: number;
  /** The script records it again at each step, rather than once with `compile(fn)`. */
  readonly isRecordedAnew: boolean;
  /** The most memory that a kernel takes in each thread, on this machine. */
  readonly scratchBytes: number;
  /** As the compiler plans it. */
  readonly memory: Readonly<Partial<Record<MemoryKind, number>>>;
  readonly samplesPerStep: number;
  readonly tokensPerStep: number | undefined;
}
/** What is trained: a transformer given by its configuration, or a recorded program. */
export type Model = TransformerConfig | RecordedProgram;

/**
 * How attention is computed.
 * - `unfused`: products and softmax each for itself, scores and probabilities in memory;
 * - `fused-softmax`: the first product with scale, mask and softmax, probabilities in memory;
 * - `blocked`: in blocks, scores never in memory (Dao et al. 2022).
 */
export const attentionKernels = ['unfused', 'fused-softmax', 'blocked'] as const;
/** How attention is computed. */
export type AttentionKernel = (typeof attentionKernels)[number];

/** A model and how it is trained. */
export interface Workload {
  readonly model: Model;
  /** Tokens a sample; of no meaning for programs. */
  readonly sequence: number;
  readonly precision: Precision;
  readonly optimizer: OptimizerName;
  readonly attention: AttentionKernel;
}
