// --layout of `trenio plan` for a script: the script is traced as the first rank of each number of devices, in the given layout,
// or, with `auto`, in the layouts that are usual for these devices, several at a time.
import { availableParallelism } from 'node:os';
import { isTrenioError } from '../../base/errors.ts';
import { parseLayout } from '../../base/layout-text.ts';
import { TaskProgress } from '../../base/task-progress.ts';
import { type MeshSizes, meshSizesFor } from '../../hlo/sharding/device-mesh.ts';
import type { Precision, Workload } from '../../simulator/index.ts';
import type { Amount } from '../../simulator/plan/index.ts';
import type { CliContext } from '../command/command.ts';
import { followScript } from '../run/follow-script.ts';
import { programWorkload } from './script.ts';

export interface RecordingRequest {
  readonly script: string;
  readonly args: readonly string[];
  /** `auto`, or as of `trenio run`. */
  readonly layout: string;
  readonly precision: Precision | undefined;
  /** The devices of a machine, and of all machines. */
  readonly places: readonly { readonly perInstance: number; readonly devices: number }[];
  readonly context: CliContext;
  readonly quiet: boolean;
}
export interface Recordings {
  readonly of: (devices: number) => readonly Workload[];
  readonly first: Workload | undefined;
  /** The training of the script; undefined if it was ended early. */
  readonly amount: Amount | undefined;
  readonly assumptions: readonly string[];
}

/** Executions that show which program is the training step. */
const executions = 3;
/** Processes that trace the script at a time. */
const mostAtOnce = 4;

/**
 * @throws {SCRIPT_NOT_FOUND} @throws {SCRIPT_FAILED} @throws {NO_TRAINING_STEP}
 */
export async function recordings(request: RecordingRequest): Promise<Recordings> {
  const { script, args, precision, context, quiet } = request;
  const { recordedProgram, recordedStages } = await import('../../simulator/program/index.ts');
  const assumptions = new Set<string>();
  const wanted = layoutsFor(request);
  const found: (Workload | undefined)[] = wanted.map(() => undefined);
  let amount: Amount | undefined;
  const what = `tracing ${script} up to its training step without running it`;
  using progress = new TaskProgress({ stream: context.stderr, quiet });
  let done = 0;
  /** The fewest stages that the script does not run in. */
  let refused = Number.POSITIVE_INFINITY;
  const trace = async (i: number): Promise<void> => {
    const { devices, layout } = wanted[i]!;
    const { data: copies = 1, pp = 1 } = parseLayout(layout)!;
    const isOptional = request.layout === 'auto' && pp > 1;
    if (isOptional && pp >= refused) return;
    progress.update({ what, done, total: wanted.length, unit: 'layouts', detail: layout });
    const ranks = { count: devices, layout };
    const options = { quiet: true, ranks, mayFail: isOptional, ...(i === 0 ? {} : { maxExecutions: executions }) };
    try {
      const { trainingStep, steps } = await followScript(script, args, context, options);
      const { module, stages } = trainingStep;
      const named = { name: script, division: { layout, devices, copies } };
      const recorded = stages === undefined ? recordedProgram(module, named) : recordedStages(module, stages, named);
      const own: string[] = [...recorded.assumptions];
      found[i] = await programWorkload(recorded, precision, own);
      for (const assumption of own) assumptions.add(assumption);
      if (i === 0 && steps !== undefined)
        amount = { kind: 'samples', samples: steps * recorded.samplesPerStep * copies };
    } catch (error) {
      if (!isOptional || !isTrenioError(error, 'SCRIPT_FAILED')) throw error;
      refused = Math.min(refused, pp);
    }
    done++;
  };
  let next = 0;
  const traceAll = async (): Promise<void> => {
    while (next < wanted.length) await trace(next++);
  };
  await Promise.all(Array.from({ length: Math.min(mostAtOnce, availableParallelism()) }, traceAll));
  if (refused < Number.POSITIVE_INFINITY)
    assumptions.add(`Pipelines of ${refused} or more stages are left out: the script does not run in pp=${refused}.`);
  const of = (devices: number): readonly Workload[] =>
    found.filter((workload, i): workload is Workload => workload !== undefined && wanted[i]!.devices === devices);
  return { of, first: found.find(workload => workload !== undefined), amount, assumptions: [...assumptions] };
}

/** Each layout once. */
function layoutsFor({
  layout,
  places,
}: RecordingRequest): readonly { readonly devices: number; readonly layout: string }[] {
  const all = new Map<string, { readonly devices: number; readonly layout: string }>();
  for (const { perInstance, devices } of places) {
    const list = layout === 'auto' ? usualLayouts(devices, perInstance) : given(layout, devices);
    for (const sizes of list) all.set(`${textOf(sizes)} ${devices}`, { devices, layout: textOf(sizes) });
  }
  return [...all.values()];
}

/** The given sizes; none where they are not those of this number of devices. */
function given(layout: string, devices: number): readonly MeshSizes[] {
  try {
    return [meshSizesFor(parseLayout(layout)!, devices)];
  } catch (error) {
    if (isTrenioError(error, 'INVALID_MESH')) return [];
    throw error;
  }
}

/**
 * Layers divided within an instance, by powers of two; the batch along all other devices, with whole parameters, divided ones, or
 * ones divided within an instance.
 */
export function usualLayouts(devices: number, perInstance: number): readonly MeshSizes[] {
  const all: MeshSizes[] = [];
  for (let tp = 1; tp <= Math.min(devices, perInstance); tp *= 2) {
    if (devices % tp !== 0 || perInstance % tp !== 0) continue;
    const copies = devices / tp;
    const within = Math.min(copies, perInstance / tp);
    const layers = tp === 1 ? {} : { tp };
    if (copies === 1) {
      all.push(tp === 1 ? { dp_replicate: 1 } : layers);
      continue;
    }
    all.push({ dp_replicate: copies, ...layers }, { dp_shard: copies, ...layers });
    if (within > 1 && within < copies) all.push({ dp_replicate: copies / within, dp_shard: within, ...layers });
  }
  return [...all, ...usualPipelines(devices, perInstance)];
}

/** Two or four stages, with few parts of each: a pipeline sends least, so it is what is left over machines with slow networks. */
function usualPipelines(devices: number, perInstance: number): readonly MeshSizes[] {
  return [2, 4].flatMap((pp): readonly MeshSizes[] => {
    const rest = devices / pp;
    if (!Number.isInteger(rest)) return [];
    if (rest === 1) return [{ pp }];
    const tp = Math.min(rest, perInstance);
    const divided = rest % tp === 0 && tp > 1 ? [{ pp, tp, ...(rest > tp && { dp_replicate: rest / tp }) }] : [];
    return [{ pp, dp_shard: rest }, ...divided];
  });
}

const textOf = (sizes: MeshSizes): string =>
  Object.entries(sizes)
    .map(([axis, size]) => `${axis}=${size}`)
    .join();
