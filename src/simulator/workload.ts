// A workload: a model given by its configuration, or a recorded program, its number formats, and what is done with it (run.ts).
import type { CollectiveKind } from './collectives/index.ts';
import type { MemoryKind, TrainingRun } from './run.ts';
import type { WorkList } from './work.ts';

/** Formats of a workload; the meaning of each is in formats.ts, and `describePrecision` describes it. */
export const precisions = ['f32', 'tf32', 'bf16', 'bf16-mixed', 'fp8', 'amp'] as const;
/** The number formats of a training run. */
export type Precision = (typeof precisions)[number];

/** A transformer by its configuration (Vaswani et al. 2017); no weights are created. */
export interface TransformerConfig {
  /** Discriminates the members of the union. */
  readonly kind: 'transformer';
  /** The name of the model. */
  readonly name: string;
  /** The number of layers. */
  readonly layers: number;
  /** The number of features. */
  readonly hidden: number;
  /** The number of attention heads. */
  readonly heads: number;
  /** Heads of keys and values (grouped-query attention); equal to `heads` if each head has its own. */
  readonly keyValueHeads: number;
  /** The number of features of a head. */
  readonly headSize: number;
  /** The inner size of the feed-forward block. */
  readonly feedForward: number;
  /** Gated feed-forward (SwiGLU): three multiplies instead of two. */
  readonly gated: boolean;
  /** The activation of the feed-forward block. */
  readonly activation: 'gelu' | 'relu' | 'silu';
  /** The kind of normalization. */
  readonly normalization: 'layer-norm' | 'rms-norm';
  /** Whether linear layers have biases. */
  readonly biases: boolean;
  /** Whether each position only attends to itself and earlier ones. */
  readonly causal: boolean;
  /** Whether dropout is used. */
  readonly dropout: boolean;
  /** Rows of the token embedding; 0 where inputs are not tokens (images). */
  readonly vocabulary: number;
  /** The number of learned position embeddings. */
  readonly positions: number;
  /** The number of learned segment embeddings. */
  readonly segments: number;
  /** Whether the head shares the weight of the token embedding. */
  readonly tiedHead: boolean;
  /** The head: a masked language model predicts at `predictionsPerSample` positions only. */
  readonly head:
    | {
        /** Discriminates the members of the union. */
        readonly kind: 'causal-lm';
      }
    | {
        /** Discriminates the members of the union. */
        readonly kind: 'masked-lm';
        /** The positions that are predicted in a sequence of this many tokens. */
        readonly predictionsPerSample: (sequence: number) => number;
      }
    | {
        /** Discriminates the members of the union. */
        readonly kind: 'classifier';
        /** The number of classes. */
        readonly classes: number;
      };
  /** Images: patches are the sequence. */
  readonly patches:
    | {
        /** The height and width of an image in pixels. */
        readonly imageSize: number;
        /** The height and width of a patch in pixels. */
        readonly patchSize: number;
        /** The number of channels of an image. */
        readonly channels: number;
      }
    | undefined;
  /** The experts of each layer; undefined for a dense model. */
  readonly experts:
    | {
        /** The number of experts. */
        readonly count: number;
        /** The number of experts that process a token. */
        readonly perToken: number;
      }
    | undefined;
}

/** A collective of a program. */
export interface ProgramCollective {
  /** The kind. */
  readonly kind: CollectiveKind;
  /** The size of the whole tensor on one device. */
  readonly bytes: number;
  /** The numbers of the devices that exchange with each other; pairs for a permutation. */
  readonly groups: readonly (readonly number[])[];
  /** How often it runs in a step. */
  readonly times: number;
  /**
   * The users of its result: layers; layers, but its input is there from the start of the step (parameters); or only the
   * optimizer (gradients).
   */
  readonly waits: 'layers' | 'parameters' | 'optimizer';
}

/** How a program is divided: it is that of one device, and the others run theirs at the same time. */
export interface ProgramDivision {
  /** The layout, as `trenio run --layout` takes it. */
  readonly layout: string;
  /** The number of devices. */
  readonly devices: number;
  /** How many times as many samples as `samplesPerStep` a step has: the devices along the axis `data` record their own. */
  readonly copies: number;
  /** Its collectives, in order. */
  readonly collectives: readonly ProgramCollective[];
  /** The programs of the stages of a pipeline, which then have the collectives; undefined without stages. */
  readonly stages?: ProgramStages | undefined;
}

/** A program that a rank of a pipeline runs: an action of its schedule, or a round of the update. */
export interface StagePart {
  /** The work of one execution. */
  readonly work: readonly WorkList[];
  /** The collectives of one execution. */
  readonly collectives: readonly ProgramCollective[];
  /** The phase of the step that it belongs to. */
  readonly phase: 'forward' | 'backward' | 'optimizer';
}
/** Values that go from one rank along a pipeline to another. */
export interface StageSend {
  /** The part of the sender after which they leave. */
  readonly after: string;
  /** The part of the receiver that waits for them. */
  readonly before: string;
  /** The sender. */
  readonly from: number;
  /** The receiver. */
  readonly to: number;
  /** Their size on one device. */
  readonly bytes: number;
  /** The devices that send and receive. */
  readonly pairs: readonly (readonly [number, number])[];
}
/** The step of one rank along a pipeline. */
export interface StageRank {
  /** Its executions in order: names of parts, with the micro-batch of those that run for each. */
  readonly order: readonly {
    /** The name of the part: `F0`, `B0`, `round 0`. */
    readonly part: string;
    /** The micro-batch; undefined for what runs once a step. */
    readonly microBatch: number | undefined;
  }[];
  /** By name; those that only send or receive have none. */
  readonly parts: Readonly<Record<string, StagePart>>;
  /** Its memory, as the compiler plans it. */
  readonly memory: Readonly<Partial<Record<MemoryKind, number>>>;
}
/** A step in stages: ranks along a pipeline that work on different micro-batches at a time. */
export interface ProgramStages {
  /** In the order of the pipeline. */
  readonly ranks: readonly StageRank[];
  /** The values that they send to each other. */
  readonly sends: readonly StageSend[];
}

/** A recorded training step of one process. Its samples are those of that process. */
export interface RecordedProgram {
  /** Discriminates the members of the union. */
  readonly kind: 'program';
  /** The name of the program. */
  readonly name: string;
  /** The work of one step by phase, fused as the compiler fuses it. */
  readonly forward: readonly WorkList[];
  /** The work of the backward pass. */
  readonly backward: readonly WorkList[];
  /** The work of the optimizer. */
  readonly optimizer: readonly WorkList[];
  /** The number of kernels. */
  readonly kernels: number;
  /** The ops that its kernels compute, without bit arithmetic; those of loops count once: the size of the program. */
  readonly ops: number;
  /** The number of parameters. */
  readonly parameters: number;
  /** Bytes of gradients that data parallelism all-reduces. */
  readonly gradientBytes: number;
  /** The script records it again at each step, rather than once with `compile(fn)`. */
  readonly isRecordedAnew: boolean;
  /** The maximum scratch memory of a kernel per thread, on this machine. */
  readonly scratchBytes: number;
  /** As the compiler plans it. */
  readonly memory: Readonly<Partial<Record<MemoryKind, number>>>;
  /** The number of samples per step on all devices. */
  readonly samplesPerStep: number;
  /** The number of tokens per step on all devices; undefined if samples have none. */
  readonly tokensPerStep: number | undefined;
  /** Undefined: every device runs the program on samples of its own, and gradients are all-reduced. */
  readonly division?: ProgramDivision | undefined;
}
/** The workload: a transformer given by its configuration, or a recorded program. */
export type Model = TransformerConfig | RecordedProgram;

/**
 * How attention is computed.
 * - `unfused`: products and softmax as separate kernels, scores and probabilities in memory;
 * - `fused-softmax`: the first product with scale, mask and softmax, probabilities in memory;
 * - `blocked`: in blocks, scores never in memory (Dao et al. 2022).
 */
export const attentionKernels = ['unfused', 'fused-softmax', 'blocked'] as const;
/** How attention is computed. */
export type AttentionKernel = (typeof attentionKernels)[number];

/** A model, how it computes, and what is done with it. */
export interface Workload {
  /** The model. */
  readonly model: Model;
  /** The number formats. */
  readonly precision: Precision;
  /** How attention is computed. */
  readonly attention: AttentionKernel;
  /** The use of the model. */
  readonly run: TrainingRun;
}
