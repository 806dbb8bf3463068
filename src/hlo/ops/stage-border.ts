// custom_call @trenio.stage_border(x): x, where it passes from one stage of a pipeline to the next; in the backward pass, its
// gradient on the way back. What it says of the whole pipeline is the same at each border.
import type { OpAttributes } from '../attributes.ts';
import type { Op } from '../program.ts';
import type { TensorType } from '../types.ts';

export const stageBorderTarget = 'trenio.stage_border';

/** How a pipeline is run. */
export interface PipelineSettings {
  /** The name of its schedule. */
  readonly schedule: string;
  /** How many stages it has. */
  readonly stages: number;
  /** How many parts the batch of a step has. */
  readonly microBatches: number;
  /** The rank along the pipeline that has each stage. */
  readonly rankOfStage: readonly number[];
}
export interface StageBorder extends PipelineSettings {
  /** Before this stage; after the last one at the end of the model. */
  readonly stage: number;
  readonly isBackward: boolean;
}

export const stageBorderCall = (type: TensorType, border: StageBorder): OpAttributes['custom_call'] => ({
  callTargetName: stageBorderTarget,
  backendConfig: JSON.stringify(border),
  resultTypes: [type],
  hasSideEffect: false,
});
/** Undefined for other ops. */
export const stageBorderOf = (op: Op): StageBorder | undefined =>
  op.name === 'custom_call' && op.attributes.callTargetName === stageBorderTarget
    ? (JSON.parse(op.attributes.backendConfig) as StageBorder)
    : undefined;
