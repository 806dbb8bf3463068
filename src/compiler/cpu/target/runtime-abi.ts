// The numbers that TypeScript and the C of src/runtime/native share: types and reductions of collectives, return codes of steps,
// offsets of the fields of records. The only list of them in TypeScript; a test compares it with the headers
// (src/runtime/execution/runtime-abi.system.test.ts). Not the functions: the emitted programs' header declares those.
import type { ElementType } from '../../../hlo/types.ts';
import { type CombinedType, isCombinedType, type Reduction } from '../../ir/collective.ts';

/** TRENIO_RT_ABI: programs compiled for another version do not run on this runtime. */
export const abiVersion = 4;

/** TRENIO_F32 …: element types that collectives combine and that samplers fill. */
export const dataTypes = { f32: 0, f64: 1, i32: 2, i64: 3, bf16: 4, f16: 5 } as const satisfies {
  readonly [T in CombinedType]: number;
};
export const dataTypeOf = (type: ElementType): number | undefined =>
  isCombinedType(type) ? dataTypes[type] : undefined;

/** TRENIO_ADD …: how collectives combine, by the names of the ops. */
export const reductions = { add: 0, multiply: 1, maximum: 2, minimum: 3 } as const satisfies {
  readonly [R in Reduction]: number;
};

/** TRENIO_ALL_REDUCE …: the kinds of collectives, named after the ops. */
export const collectiveKinds = {
  all_reduce: 1,
  reduce_scatter: 2,
  all_gather: 3,
  all_to_all: 4,
  collective_broadcast: 5,
  collective_permute: 6,
  send: 7,
  recv: 8,
} as const;

/** The result of a step or a collective, if not 0. */
export const stepErrors = {
  PEER_LOST: 1,
  DIVERGED: 2,
  NO_MEMORY: 3,
  BAD_CALL: 4,
  OPERATOR_FAILED: 5,
  LOOP_LIMIT: 6,
  DEADLOCK: 7,
  TIMED_OUT: 8,
  REPORTED: 9,
} as const;

/** The `state` of a launch, in native/runtime.h. */
export const launchStates = { queued: 0, running: 1, done: 2 } as const;

/**
 * Bytes from the start of `launch` (native/runtime.h) to its fields; `words`: the args' addresses, then the launches it depends
 * on.
 */
export const launchLayout = {
  state: 0,
  code: 4,
  start_ns: 8,
  end_ns: 16,
  next: 24,
  entry: 32,
  arena: 40,
  args: 48,
  deps: 52,
  profile: 56,
  program: 64,
  words: 72,
} as const;

/** TRENIO_UNIFORM …: the kinds of samplers. */
export const sampleKinds = { uniform: 0, normal: 1 } as const;

/** The `samples` record of native/samples.c. */
export const samplesLayout = {
  key: 0,
  counter: 8,
  count: 24,
  kind: 32,
  type: 36,
  a: 40,
  b: 48,
  from: 56,
  to: 64,
  zero_first: 72,
  zero_count: 80,
  bytes: 88,
} as const;

/** Offsets in `trenio_operand` and `trenio_operator_call` of native/trenio_operator.h. */
export const operandLayout = { data: 0, dims: 8, rank: 16, bytes: 24 } as const;
export const operatorCallLayout = { rt: 0, operands: 8, numbers: 16, bytes: 24 } as const;
