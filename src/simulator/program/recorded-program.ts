// A recorded program as work: one execution of `main`, kernel by kernel as the compiler fuses it, in the phases of a
// training step. Works for any module, from a script or from another front end; modules that the compiler rejects are
// counted op by op. The engines compute the time of the work.
import { TrenioError } from '../../base/errors.ts';
import { type PrintedModule, printModule } from '../../compiler/cpu/c/print-module.ts';
import type { KernelInfo } from '../../compiler/cpu/counting/kernel-info.ts';
import { countedType, type KernelSweep } from '../../compiler/cpu/counting/kernel-work.ts';
import { noOperations, unfusedWork } from '../../compiler/cpu/counting/op-work.ts';
import { programOps } from '../../compiler/cpu/counting/program-ops.ts';
import { workOfStep } from '../../compiler/cpu/counting/step-work.ts';
import { hasUnknownSizes, prepareDynamic } from '../../compiler/cpu/dynamic/index.ts';
import { type CpuTarget, hostTarget } from '../../compiler/cpu/target/target.ts';
import { isKnownCall } from '../../compiler/ir/operators.ts';
import type { Block, KernelStep, Step } from '../../compiler/ir/schedule.ts';
import { costOf } from '../../hlo/cost.ts';
import { countOf } from '../../hlo/ops/costs.ts';
import { type Func, type Module, mainOf, type Op, type OpOf, type Region } from '../../hlo/program.ts';
import { calleeOf, forEachOp, regionRunsOf } from '../../hlo/walk.ts';
import type { Work, WorkList } from '../work.ts';
import type { ProgramCollective, ProgramDivision, RecordedProgram } from '../workload.ts';
import { isCollective, programCollective, type Waits, waitsOf } from './program-collectives.ts';
import { memoryOfModule, memoryOfPlan } from './program-memory.ts';
import { batchOf, type ProgramPhase, type TrainingState, trainingStateOf } from './training-state.ts';
import { tripCountOf } from './trip-count.ts';

/** Options of `recordedProgram`. */
export interface ProgramOptions {
  /** Its name in tables. Default: the module's name. */
  readonly name?: string;
  /** The vector width and caches for which kernels are planned. Default: this machine's. */
  readonly target?: CpuTarget;
  /** Samples per step of this process. Default: from the shapes of its batch. */
  readonly samplesPerStep?: number;
  /** Tokens per step, if samples are sequences. Default: from the shapes of its batch. */
  readonly tokensPerStep?: number;
  /** The division of a program that is one device's part of a whole. */
  readonly division?: Omit<ProgramDivision, 'collectives' | 'stages'> | undefined;
  /** The assumed number of loop iterations if it is not known from the program. Default 1. */
  readonly iterations?: (op: OpOf<'while'>) => number;
}

/** A model with the assumptions made to build it. */
export interface AssumedProgram extends RecordedProgram {
  /** One sentence each. */
  readonly assumptions: readonly string[];
  /** Whether it replaces parameters by values computed from their gradients. */
  readonly isTraining: boolean;
}

/**
 * Throws the errors of reading or rewriting an invalid module; verify it first.
 * @example
 * const main = hlo.buildFunc('main', [hlo.tensorType('f32', [64, 64])], (b, [x]) => [b.add(x!, x!)]);
 * simulator.recordedProgram(hlo.moduleOf(main), { name: 'my step', samplesPerStep: 64 }).name // 'my step'
 */
export function recordedProgram(module: Module, options: ProgramOptions = {}): AssumedProgram {
  return countedProgram(module, options).program;
}

/**
 * With the memory of its temporaries and kept values, of which `program.memory` has the kinds, and the assumptions on its work,
 * without those on the step.
 */
export function countedProgram(
  module: Module,
  options: ProgramOptions,
): { readonly program: AssumedProgram; readonly arenaBytes: number; readonly onWork: ReadonlySet<string> } {
  const assumptions = new Set<string>();
  const onStep = new Set<string>();
  const lists: Record<ProgramPhase, WorkList[]> = { forward: [], backward: [], optimizer: [] };
  const plan = planned(module, options.target ?? hostTarget(), assumptions);
  const main = plan?.main ?? mainOf(module);
  const collectives: ProgramCollective[] | undefined = options.division && [];
  const collect = new Collector({ lists, assumptions, iterations: options.iterations, collectives, main });
  const state = trainingStateOf(main);
  const shared = {
    kind: 'program',
    name: options.name ?? module.name,
    ...lists,
    parameters: state.weights.reduce((sum, v) => sum + countOf(v.type), 0),
    gradientBytes: state.gradientBytes,
    ...batch(state, options, onStep),
    isTraining: state.hasGradients,
    // the program names of device.ts and compile.ts
    isRecordedAnew: module.name === 'step',
    division: options.division && { ...options.division, collectives: collectives! },
  } as const;
  if (plan === undefined) {
    collect.unfused(module, state);
    const kernels = [...lists.forward, ...lists.backward, ...lists.optimizer].reduce(
      (n, l) => n + l.work.length * l.times,
      0,
    );
    const ops = mainOf(module).body.ops.length;
    const memory = memoryOfModule(module, state);
    const program = { ...shared, kernels, ops, scratchBytes: 0, memory, assumptions: [...onStep, ...assumptions] };
    return { program, arenaBytes: memory.activations ?? 0, onWork: assumptions };
  }
  const phases = collect.planned(plan, state, options.target ?? hostTarget());
  phaseAssumptions(state, onStep);
  const program = {
    ...shared,
    kernels: collect.kernels,
    ops: programOps(plan.printed),
    scratchBytes: plan.scratchBytes,
    memory: memoryOfPlan(plan, phases, state),
    assumptions: [...onStep, ...assumptions],
  };
  return { program, arenaBytes: plan.memory.arenaBytes, onWork: assumptions };
}

/** Undefined if kernels cannot be planned. */
function planned(module: Module, target: CpuTarget, assumptions: Set<string>): PrintedModule | undefined {
  let known = module;
  try {
    if (module.functions.some(hasUnknownSizes)) {
      const func = prepareDynamic(module);
      if (hasUnknownSizes(func)) {
        assumptions.add('Sizes that are known only when the program runs count as 1, and its ops are not fused.');
        return undefined;
      }
      known = { ...module, functions: [func] };
    }
    return printModule(known, target, namedOperators(known));
  } catch (error) {
    if (!(error instanceof TrenioError) || error.code !== 'UNSUPPORTED') throw error;
    assumptions.add(`The program is counted op by op, not as fused kernels: ${error.message.split('\n')[0]}.`);
    return undefined;
  }
}

/** Custom operators are only planned here, so all of them are accepted. */
function namedOperators(module: Module): ReadonlyMap<string, string> {
  const names = new Set<string>();
  for (const func of module.functions)
    forEachOp(func.body, op => {
      if (op.name === 'custom_call') names.add(op.attributes.callTargetName);
    });
  return new Map([...names].map(name => [name, name]));
}

function batch(
  state: TrainingState,
  options: ProgramOptions,
  assumptions: Set<string>,
): Pick<RecordedProgram, 'samplesPerStep' | 'tokensPerStep'> {
  const guess = batchOf(state.inputs);
  const samplesPerStep = options.samplesPerStep ?? guess?.samples;
  const tokensPerStep = options.tokensPerStep ?? guess?.tokens;
  if (samplesPerStep === undefined) {
    assumptions.add('No input has the shape of a batch: a step counts as one sample.');
    return { samplesPerStep: 1, tokensPerStep };
  }
  if (options.samplesPerStep === undefined)
    assumptions.add(`A step is of ${samplesPerStep} samples, as its inputs have that first dimension.`);
  if (tokensPerStep !== undefined && options.tokensPerStep === undefined)
    assumptions.add(`A step is of ${tokensPerStep} tokens, as an input of integers has as many elements.`);
  return { samplesPerStep, tokensPerStep };
}

function phaseAssumptions(state: TrainingState, assumptions: Set<string>): void {
  if (!state.hasGradients)
    assumptions.add(
      'No input is a parameter that the program replaces (tf.aliasing_output): all of it counts as a forward pass, without gradients to all-reduce.',
    );
  else if (!state.hasLoss)
    assumptions.add('The loss is no result of the program: the backward pass counts as part of the forward pass.');
}

interface Collected {
  readonly lists: Record<ProgramPhase, WorkList[]>;
  readonly assumptions: Set<string>;
  readonly iterations: ((op: OpOf<'while'>) => number) | undefined;
  /** Undefined: collectives are not counted. */
  readonly collectives: ProgramCollective[] | undefined;
  readonly main: Func;
}

class Collector {
  readonly #lists: Record<ProgramPhase, WorkList[]>;
  readonly #assumptions: Set<string>;
  readonly #iterations: ((op: OpOf<'while'>) => number) | undefined;
  readonly #collectives: ProgramCollective[] | undefined;
  readonly #waits: Waits;
  kernels = 0;

  constructor({ lists, assumptions, iterations, collectives, main }: Collected) {
    this.#lists = lists;
    this.#assumptions = assumptions;
    this.#iterations = iterations;
    this.#collectives = collectives;
    this.#waits = waitsOf(main.body);
  }

  #collective(op: Op, times: number): void {
    if (this.#collectives === undefined) {
      this.#assumptions.add(
        'Collectives in the program are not counted: the layout determines the number of participants.',
      );
      return;
    }
    const collective = programCollective(op, times, this.#waits);
    if (collective !== undefined) this.#collectives.push(collective);
  }
  #add(phase: ProgramPhase, work: readonly Work[], times: number): void {
    if (work.length === 0 || times === 0) return;
    const list = this.#lists[phase];
    const last = list.at(-1);
    // a flat list if nothing repeats, because engines iterate over it
    if (last !== undefined && last.times === times) (last.work as Work[]).push(...work);
    else list.push({ work: [...work], times });
  }
  #times(op: Op<'while'>): number {
    const known = tripCountOf(op);
    if (known !== undefined) return known;
    const given = this.#iterations?.(op);
    this.#assumptions.add(
      `A loop that does not say how often it runs counts as ${given ?? 1} ${(given ?? 1) === 1 ? 'iteration' : 'iterations'}.`,
    );
    return given ?? 1;
  }

  /** For a compiled program. Returns the phase of each of its calls. */
  planned(plan: PrintedModule, state: TrainingState, target: CpuTarget): readonly ProgramPhase[] {
    const { printed, memory } = plan;
    const calls = new Map<Step, number>(printed.steps.map((step, call) => [step, call]));
    const phases: ProgramPhase[] = [];
    const lanes = target.vectorBytes / 4;
    const note = (info: KernelInfo, step: KernelStep): void => {
      const { products } = info;
      if (products !== undefined && countedType(products as 'f32') === undefined)
        this.#assumptions.add(`Multiplies of ${products} count as multiplies of f32.`);
      if (step.kind === 'kernel' && step.op.name === 'custom_call' && !isKnownCall(step.op, new Map()))
        this.#assumptions.add(`The operator ${step.op.attributes.callTargetName} counts as the memory that it moves.`);
    };
    const add = (work: readonly Work[], phase: ProgramPhase, times: number): void => {
      this.#add(phase, work, times);
    };
    const visit = (block: Block, times: number, within: ProgramPhase | undefined): void => {
      for (const step of block.steps) {
        const phase = within ?? phaseOfStep(step, state);
        if (step.kind === 'control') {
          control(step, times, phase);
          continue;
        }
        const call = calls.get(step);
        if (call === undefined) continue; // all of its outputs are empty
        phases[call] = phase;
        const info = printed.kernels[printed.calls[call]!]!;
        note(info, step);
        this.kernels += times;
        if (step.kind === 'kernel' && info.kind === 'collective') {
          if (step.part?.does !== 'await') this.#collective(step.op, times);
          if (this.#collectives !== undefined) continue; // its time is that of the collective
        }
        const { multiplies, others } = workOfStep(step, info, lanes);
        add(multiplies, phase === 'optimizer' ? 'backward' : phase, times);
        add(others, phase, times);
      }
    };
    const copies = (list: readonly { readonly bytes: number }[], times: number, phase: ProgramPhase): void => {
      const bytes = list.reduce((sum, copy) => sum + copy.bytes, 0);
      if (bytes > 0) add([copyOf(bytes)], phase, times);
    };
    const control = (step: Extract<Step, { kind: 'control' }>, times: number, phase: ProgramPhase): void => {
      if (step.op.name === 'while') {
        const [condition, body] = step.blocks as readonly [Block, Block];
        const iterations = this.#times(step.op);
        copies(memory.entryCopies(step), times, phase);
        visit(condition, times * (iterations + 1), phase);
        visit(body, times * iterations, phase);
        copies(memory.blockCopies(body), times * iterations, phase);
        return;
      }
      this.#assumptions.add('Of each branch the program may take, the one with the most work counts.');
      const weights = step.op.regions.map(region => weightOf(region));
      const dearest = weights.indexOf(Math.max(...weights));
      step.blocks.forEach((block, i) => {
        visit(block, i === dearest ? times : 0, phase);
        if (i === dearest) copies(memory.blockCopies(block), times, phase);
      });
    };
    visit(plan.schedule.main, 1, undefined);
    copies(memory.finalCopies, 1, state.hasGradients ? 'optimizer' : 'forward');
    return phases;
  }

  /** For a module without kernels, op by op. */
  unfused(module: Module, state: TrainingState): void {
    const functions = new Map<string, Func>(module.functions.map(f => [f.name, f]));
    const visit = (region: Region, times: number, within: ProgramPhase | undefined, depth: number): void => {
      for (const op of region.ops) {
        const phase = within ?? state.phaseOf(op);
        const runs = regionRunsOf(op, op.name === 'while' ? this.#times(op) : 1);
        if (Array.isArray(runs)) {
          runs.forEach((run, i) => {
            visit(op.regions[i]!, times * run, phase, depth);
          });
        } else if (runs === 'one') {
          const weights = op.regions.map(weightOf);
          const dearest = op.regions[weights.indexOf(Math.max(...weights))];
          if (dearest !== undefined) visit(dearest, times, phase, depth);
        } else {
          const callee = functions.get(calleeOf(op) ?? '');
          // a function cannot call itself, but invalid input may contain such calls
          if (callee !== undefined && depth < functions.size) visit(callee.body, times, phase, depth + 1);
          else if (isCollective(op)) this.#collective(op, times);
          else this.#add(phase, unfusedWork(op, op.name), times);
        }
      }
    };
    visit(mainOf(module).body, 1, undefined, 0);
  }
}

/** By its outputs: a backward kernel may recompute values of the forward pass. */
function phaseOfStep(step: Step, state: TrainingState): ProgramPhase {
  const ops = step.writes.flatMap(v => (v.op === undefined ? [] : [v.op]));
  const phases = new Set((ops.length > 0 || step.kind === 'fused' ? ops : [step.op]).map(op => state.phaseOf(op)));
  if (phases.has('forward')) return 'forward';
  return phases.has('backward') ? 'backward' : 'optimizer';
}

function weightOf(region: Region): number {
  let weight = 0;
  forEachOp(region, op => {
    const { flops, transcendentals, bytesRead, bytesWritten } = costOf(op);
    weight += flops + transcendentals + bytesRead + bytesWritten;
  });
  return weight;
}

const copyOf = (bytes: number): KernelSweep => ({
  kind: 'sweep',
  name: 'copy',
  elements: bytes / 4,
  ...noOperations,
  bytesRead: bytes,
  bytesWritten: bytes,
  pattern: 'other',
  bytesInPlace: 0,
});
