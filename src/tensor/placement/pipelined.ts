// From a recorded program to the programs of the stages that this rank has.
import { type Func, type Module, mainOf, tensorTypeOf } from '../../hlo/index.ts';
import { stageBorderOf } from '../../hlo/ops/stage-border.ts';
import type { DeviceMesh } from '../../hlo/sharding/device-mesh.ts';
import type { Sharding } from '../../hlo/sharding/sharding.ts';
import type { Backend } from '../../runtime/backends/backend.ts';
import type { DeviceBuffer } from '../../runtime/execution/executable.ts';
import { PipelinedProgram } from '../../runtime/pipeline/pipelined-program.ts';
import type { Communication } from '../../transforms/partition/communication.ts';
import { Cut, settingsOf } from '../../transforms/pipeline/cut.ts';
import { withMicroBatches } from '../../transforms/pipeline/micro-batches.ts';
import { runSchedule } from '../../transforms/pipeline/run-schedule.ts';
import { actionsOf, type ScheduleName, schedules } from '../../transforms/pipeline/schedules.ts';
import { AbsentBuffer } from './absent-buffer.ts';
import { type Division, partitioned } from './partitioned.ts';
import { homeOfBuffer } from './sharded-buffer.ts';
import { stageAxisOf } from './stage-axis.ts';

/** Whether a program is one of a pipeline: it passes borders of stages, or reads what one rank along it has. */
export const hasStages = (
  func: Func,
  mesh: DeviceMesh,
  sources: readonly { readonly buffer: DeviceBuffer }[],
): boolean =>
  func.body.ops.some(op => stageBorderOf(op) !== undefined) ||
  (mesh.dividesPrograms && sources.some(({ buffer }) => homeOfBuffer(buffer) !== undefined));

export interface Pipelined {
  readonly program: PipelinedProgram;
  readonly results: readonly (Sharding | undefined)[];
  /** The rank along the pipeline that has each result. */
  readonly places: readonly (number | 'all')[];
  readonly communication: readonly Communication[];
}

/** @throws {UNSUPPORTED} for a program whose micro-batches depend on each other before its backward pass */
export function pipelined(module: Module, mesh: DeviceMesh, division: Division, backend: Backend): Pipelined {
  const settings = settingsOf(module);
  const microBatches = settings?.microBatches ?? 1;
  const whole = withMicroBatches(module, microBatches, mesh);
  const { module: local, results } = partitioned(whole, mesh, division, microBatches);
  const axis = stageAxisOf(mesh);
  const ranks = mesh.size(axis);
  const rank = mesh.coordinate(axis);
  const schedule = settings && (settings.schedule as ScheduleName);
  const actions = schedule === undefined ? [] : actionsOf(schedule, { ...settings!, ranks });
  // Ranks that wait for each other are an error before anything is compiled.
  if (schedule !== undefined) runSchedule(actions, settings!.stages);
  const homes = division.stages!.inputs;
  const cut = new Cut({
    module: local,
    devices: mesh.size(),
    ranks,
    homes,
    results: division.stages!.results,
    splitsBackward: schedule !== undefined && schedules[schedule].splitsBackward,
  });
  const part = cut.of(rank);
  const { body } = mainOf(local);
  const groups = mesh.groups(axis);
  const everyRank = Array.from({ length: ranks }, (_, at) => at);
  const ranksAt = everyRank.map(at => groups.map(group => group[at]!));
  const ofAll = () => ({ actions, ranks: everyRank.map(at => cut.of(at)), ranksAt, homes });
  const recorded = backend.recordStages?.(local, ofAll);
  const program = new PipelinedProgram({
    backend: recorded?.device ?? backend,
    onRun: recorded?.onRun,
    ranks: mesh.size(),
    ranksAt,
    rank,
    part,
    actions: actions[rank] ?? [],
    inputTypes: body.args.map(tensorTypeOf),
    outputTypes: body.results.map(tensorTypeOf),
    absent: type => new AbsentBuffer(type),
  });
  return { program, results, places: part.results, communication: program.communication };
}
