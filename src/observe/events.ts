// Events of a training process: the runtime, tensors and loaders emit them, other code subscribes. Emitting without a subscriber
// costs one comparison. Subscribers run synchronously on the emitting thread, so they must be short. Subscribers store events
// themselves (recorder.ts writes a ring file).

/** A compiled program, emitted once, before its first `run`. */
export interface ProgramEvent {
  readonly kind: 'program';
  /** Unique in this process. */
  readonly id: number;
  readonly name: string;
  /** The number of inputs that hold state, which it replaces: a training step has some, an evaluation has none. */
  readonly stateInputs: number;
  readonly kernels: number;
  /** A measure of its size: the number of ops in its kernels, without bitwise ops; loops count once. */
  readonly ops: number;
  /** Floating-point operations of the matrix multiplies and convolutions of one execution, loops counted once. */
  readonly flops: number;
  /** The element type of most of these operations. */
  readonly products: string | undefined;
}
/** A program has run. Emitted some time after it ended. */
export interface RunEvent {
  readonly kind: 'run';
  readonly program: number;
  /** From start to end, time in collectives included. */
  readonly nanoseconds: number;
}
/** A program was compiled, or loaded from the cache, because no program of this process matched. */
export interface CompileEvent {
  readonly kind: 'compile';
  readonly milliseconds: number;
  readonly fromCache: boolean;
}
/** A training step has been submitted: parameters were updated. */
export interface StepEvent {
  readonly kind: 'step';
}
/** A batch was taken from a loader. */
export interface BatchEvent {
  readonly kind: 'batch';
  readonly examples: number;
  /** Elements of the first two-dimensional integer tensor of the batch: the tokens of a language model, padding included. */
  readonly tokens: number;
  /** The time the script waited for it. */
  readonly waitMs: number;
}
/** A loss whose value the script has read. */
export interface LossEvent {
  readonly kind: 'loss';
  readonly value: number;
}
/** The memory of a step, emitted when it changes. Omitted kinds are unchanged. */
export interface MemoryEvent {
  readonly kind: 'memory';
  readonly parameterBytes?: number;
  /** State that steps replace, except parameters: moments of the optimizer, running statistics, counters. */
  readonly optimizerBytes?: number;
  /** Temporaries of steps: activations, gradients. */
  readonly arenaBytes?: number;
}

/** Actions of a schedule, and everything else that a rank of a pipeline runs. */
export const stageRunKinds = ['F', 'B', 'I', 'W', 'send', 'receive', 'before', 'sums', 'update'] as const;
/** An execution in a step of a pipeline. Equal stages share a program, so its name does not tell which of them it was. */
export interface StageRun {
  readonly kind: (typeof stageRunKinds)[number];
  /** Undefined for what is no action. */
  readonly stage?: number | undefined;
  /** Undefined for what runs once a step. */
  readonly microBatch?: number | undefined;
  /** The size of what was sent or received. */
  readonly bytes?: number;
  /** `ran`: nanoseconds of the monotonic clock, when it is done; undefined if the device does not know them. */
  readonly execution: {
    readonly isDone: boolean;
    readonly ran?: { readonly from: bigint; readonly to: bigint } | undefined;
  };
}
/** A step of a pipeline was submitted. Its executions are also `run`s of their programs. */
export interface PipelineEvent {
  readonly kind: 'pipeline';
  /** Unique in this process. */
  readonly program: number;
  readonly stateInputs: number;
  /** In order. */
  readonly ran: readonly StageRun[];
}

/** A training step was compiled. */
export interface CommunicationEvent {
  readonly kind: 'communication';
  /** Sent by each rank, by line and kind. */
  readonly collectives: readonly {
    readonly at: string;
    readonly kind: string;
    /** The ranks that exchange with each other. */
    readonly devices: number;
    readonly count: number;
    readonly bytes: number;
  }[];
  /** Sentences on operands that are gathered, with the constraint that avoids it. */
  readonly replicated: readonly string[];
}

export type ObservedEvent =
  | ProgramEvent
  | RunEvent
  | PipelineEvent
  | CommunicationEvent
  | CompileEvent
  | StepEvent
  | BatchEvent
  | LossEvent
  | MemoryEvent;
export type Subscriber = (event: ObservedEvent) => void;

/** One per process, because `trenio top` and `trenio monitor` observe processes. */
const subscribers: Subscriber[] = [];

/** Whether there is a subscriber: check before computing data for an event. */
export const isObserved = (): boolean => subscribers.length > 0;

/** Calls all subscribers. */
export function emit(event: ObservedEvent): void {
  for (let i = 0; i < subscribers.length; i++) subscribers[i]!(event);
}

/** Returns a function that ends the subscription. */
export function subscribe(subscriber: Subscriber): () => void {
  subscribers.push(subscriber);
  return () => {
    const at = subscribers.indexOf(subscriber);
    if (at >= 0) subscribers.splice(at, 1);
  };
}
