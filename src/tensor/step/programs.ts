// The programs that a device has compiled, looked up by their computation and precision; the reason why each was
// compiled; and the observers of executions.
import { isTrenioError, type SourceLocation } from '../../base/errors.ts';
import { formatBytes } from '../../base/units.ts';
import {
  byteSize,
  bytesOf,
  type Func,
  funcKey,
  type Literal,
  type Module,
  mainOf,
  moduleOf,
  tensorTypeOf,
  type Value,
} from '../../hlo/index.ts';
import type { DeviceMesh } from '../../hlo/sharding/device-mesh.ts';
import type { Sharding } from '../../hlo/sharding/sharding.ts';
import { emit } from '../../observe/events.ts';
import { hostSpan } from '../../observe/host-spans.ts';
import type { Backend } from '../../runtime/backends/backend.ts';
import type { CompileReport, DeviceBuffer, Executable } from '../../runtime/execution/executable.ts';
import { communicationOf } from '../../transforms/partition/communication.ts';
import type { Replicated } from '../../transforms/partition/replicated.ts';
import { type RoundingSection, roundingArgumentType } from '../../transforms/stochastic-rounding.ts';
import { homeOf } from '../placement/homes.ts';
import { type Division, divisionKey, isDivided, partitioned, undivided } from '../placement/partitioned.ts';
import { hasStages, pipelined } from '../placement/pipelined.ts';
import type { Placements } from '../placement/placements.ts';
import { homeOfBuffer, shardingOfBuffer } from '../placement/sharded-buffer.ts';
import { inPrecision, type Precision, type ProgramRounding, precisionKey, replicatedInputs } from '../precision.ts';
import type { Executions, RandomSource } from '../random/random.ts';
import { ChangingNumbers } from './changing-numbers.ts';
import { explainDifference, type ProgramSummary, shortLocation, summaryOf } from './explain.ts';
import { communicationRows, replicationText } from './explain-communication.ts';
import { RunningChecks } from './index-checks.ts';
import type { CompileEvent, Metrics } from './metrics.ts';
import type { TracedProgram } from './program.ts';
import { type OfAllSizes, ProgramFamilies } from './program-families.ts';
import { asRecorded, type ProgramForm, rolledForm } from './rolled-program.ts';
import type { Section } from './sections.ts';
import type { Trace } from './trace.ts';

interface Compiled {
  /** How often it was run. */
  runs: number;
  readonly executable: Executable;
  readonly report: CompileReport;
  /** How its results are divided over the ranks, if they may be. */
  readonly divided: readonly (Sharding | undefined)[] | undefined;
  /** The rank along a pipeline that has each result, if it is a program of one. */
  readonly places: readonly (number | 'all')[] | undefined;
  /** Its last arguments are the random states of the roundings in these sections. */
  readonly sections: readonly RoundingSection[];
}
/** A program that is ready to run. */
export interface Runner {
  /** `since`: the number of random samples counted since it was recorded, if it is run again. */
  run(inputs: readonly DeviceBuffer[], since?: Executions): readonly DeviceBuffer[];
  /** Where it rounds stochastically. */
  readonly sections: readonly Section[];
  /** How often the program was run before. */
  readonly runs: number;
}

/** One execution of a recorded program, as `observed` shows it. */
export interface ObservedRun {
  /** The user's line that ran it. */
  readonly at: string;
  readonly func: Func;
  /** Runs another program on the same inputs, in the same precision. */
  execute(module: Module): readonly DeviceBuffer[];
}

const maxExplained = 64;
const maxHistory = 1000;
const slowCompileMs = 1000;
/** A line that compiles more programs than this may be doing so at each step. */
const routineCompiles = 4;
/** This many consecutive compilations of ever larger programs at one line are not a coincidence. */
const growingCompiles = 3;

/** Smaller operands are not worth a warning. */
const minReplicatedBytes = 1 << 20;

type Log = (level: 'debug' | 'info' | 'warn', message: string) => void;

/** The settings that programs take from their device. */
export interface ProgramsOwner {
  readonly backend: Backend;
  readonly mesh: DeviceMesh;
  readonly metrics: Metrics;
  readonly random: RandomSource;
  readonly placements: Placements;
}
/** A program to be run. */
export interface ProgramRequest {
  readonly kind: CompileEvent['kind'];
  readonly location: SourceLocation | undefined;
  readonly program: TracedProgram;
  /** The argument whose memory each result reuses. */
  readonly aliases: readonly (number | undefined)[];
  readonly precision: Precision;
  /** Where it was recorded. */
  readonly trace: Trace;
}

interface CompileRequest {
  readonly kind: CompileEvent['kind'];
  readonly at: string;
  /** As it was recorded, with its repeated code as loops. */
  readonly form: ProgramForm;
  readonly precision: Precision;
  readonly rounding: ProgramRounding | undefined;
  /** How it is divided over the ranks, if anything of it is. */
  readonly division: Division | undefined;
}

export class Programs {
  readonly #owner: ProgramsOwner;
  readonly #log: Log;
  readonly #compiled = new Map<string, Compiled>();
  /** By kind and line, the program that ran there last. */
  readonly #last = new Map<string, { readonly key: string; readonly summary: ProgramSummary }>();
  readonly #history: CompileEvent[] = [];
  /** By kind and line, how many programs were compiled. */
  readonly #counts = new Map<string, number>();
  /** By kind and line, how many ops the last programs compiled there had, as long as they grew. */
  readonly #growing = new Map<string, number[]>();
  /** Numbers that are inputs of programs. */
  readonly changing = new ChangingNumbers();
  readonly #families = new ProgramFamilies();
  /** Checks of programs that were run. */
  readonly checks = new RunningChecks();
  #observer: ((run: ObservedRun) => void) | undefined;
  #observesNext: ((run: ObservedRun) => void) | undefined;

  constructor(owner: ProgramsOwner, log: Log) {
    this.#owner = owner;
    this.#log = log;
  }
  /** Every compilation so far, the last 1,000. */
  get history(): readonly CompileEvent[] {
    return this.#history;
  }

  /** The compiled form of a program, from the programs of this process if it is one of them. */
  prepare({ kind, location, program, aliases, precision, trace }: ProgramRequest): Runner {
    const { backend, mesh, metrics, placements, random } = this.#owner;
    const start = performance.now();
    const recorded = {
      ...program,
      func: { ...program.func, aliases: program.func.body.args.map((_, i) => aliases[i]) },
    };
    const rounding = precision.rounding.mode === 'stochastic' ? this.#roundingOf(program, trace) : undefined;
    const division = this.#divisionOf(program, trace);
    // The bits of a stochastic rounding depend on the position of its op.
    const isAsRecorded = rounding !== undefined || division !== undefined;
    const form = isAsRecorded ? asRecorded(recorded) : rolledForm(recorded, backend);
    const key =
      funcKey(form.program.func) +
      precisionKey(precision, rounding) +
      (division === undefined ? '' : divisionKey(division));
    metrics.traceMs += performance.now() - start;
    const at = shortLocation(location);
    const { compiled, inputsOfSizes } = this.#find(key, { kind, at, form, precision, rounding, division });
    this.#remember(`${kind} ${at}`, key, form);
    const { executable, runs } = compiled;
    const found = compiled;
    const sectionsOf = (numbered: readonly RoundingSection[]): Section[] =>
      numbered.map(section => rounding!.layout.of(section));
    const sections = sectionsOf(compiled.sections);
    const outputTypes = inputsOfSizes.length === 0 ? undefined : form.program.func.body.results.map(tensorTypeOf);
    const run: Runner['run'] = (inputs, since = { training: 0, evaluation: 0 }) => {
      this.checks.raise();
      metrics.executions++;
      found.runs++;
      const bits = (of: readonly Section[]): DeviceBuffer[] =>
        of.map(section => backend.upload(roundingArgumentType, random.roundingState(section, since)));
      // Programs that only compute values for printing are not observed, and not counted as executions.
      const isSeen = kind !== 'display';
      const once = isSeen ? this.#observesNext : undefined;
      if (isSeen) this.#observesNext = undefined;
      const execute = (module: Module): readonly DeviceBuffer[] => {
        // It is not divided: its inputs are gathered.
        const wholly = division === undefined ? inputs : inputs.map(input => placements.whole(input));
        const beside = inPrecision(module, precision, rounding);
        const { args } = mainOf(module).body;
        const { executable: copy } = backend.compile(beside.module);
        return copy.run([...wholly.slice(0, args.length), ...bits(sectionsOf(beside.sections))]);
      };
      for (const observer of isSeen ? [this.#observer, once] : []) observer?.({ at, func: program.func, execute });
      const sizes = inputsOfSizes.map(value => backend.upload(value.type, bytesOf(value)));
      const parts = mesh.hasParts ? placements.parts(inputs, division) : inputs;
      const results = form.outputsOf(
        executable.run([...form.inputsOf(parts), ...sizes, ...bits(sections)], outputTypes),
      );
      const outputs =
        compiled.divided === undefined || !mesh.hasParts
          ? results
          : placements.wrapped(program.func, results, compiled.divided, compiled.places);
      const { checks } = program;
      this.checks.watch(checks, outputs.slice(outputs.length - checks.length));
      return outputs;
    };
    return { run, sections, runs };
  }
  /** The compiled program with this key, or one for all sizes and its additional inputs. */
  #find(
    key: string,
    request: CompileRequest,
  ): { readonly compiled: Compiled; readonly inputsOfSizes: readonly Literal[] } {
    const { kind, at, form, precision, rounding } = request;
    const { func, sources } = form.program;
    const known = this.#compiled.get(key);
    if (known !== undefined) {
      this.#hit(kind, at);
      return { compiled: known, inputsOfSizes: [] };
    }
    const before = this.#last.get(`${kind} ${at}`);
    const isLearned = before !== undefined && this.changing.learn(before.summary.func, func);
    // The bits of a stochastic rounding depend on sizes, and ranks must run the same collectives.
    const mayBeForAll = !isLearned && rounding === undefined && this.#owner.mesh.size() === 1;
    const forAll = mayBeForAll
      ? this.#families.find(func, {
          place: `${kind} ${at} ${precisionKey(precision, rounding)}`,
          inputs: sources.map(source => source.impl),
          isCompiled: kind === 'compiled function',
        })
      : undefined;
    const ofAllSizes = forAll && this.#compiledForAll(forAll, request);
    if (ofAllSizes !== undefined) return { compiled: ofAllSizes, inputsOfSizes: forAll!.inputs };
    const compiled = this.#compile(request, func, isLearned);
    this.#compiled.set(key, compiled);
    return { compiled, inputsOfSizes: [] };
  }
  /** How the program is divided over the ranks; undefined if it is not. State keeps its division. */
  #divisionOf({ func, sources }: TracedProgram, trace: Trace): Division | undefined {
    const { mesh } = this.#owner;
    const isPipeline = hasStages(func, mesh, sources);
    const hasParts = sources.some(({ buffer }) => shardingOfBuffer(buffer) !== undefined);
    if (!mesh.dividesPrograms && !isPipeline && !hasParts) return undefined;
    const states = new Map<Value, Sharding>();
    const homes = new Map<Value, number | 'all'>();
    for (const [impl, old] of trace.assigned)
      if (impl.value !== undefined && old !== undefined) {
        states.set(impl.value, shardingOfBuffer(old) ?? undivided(impl.type.shape.length));
        homes.set(impl.value, homeOfBuffer(old) ?? homeOf(impl) ?? 'all');
      }
    const { results } = func.body;
    const stages = isPipeline
      ? {
          inputs: sources.map(({ impl, buffer }) => homeOfBuffer(buffer) ?? (impl && homeOf(impl))),
          results: results.map(value => homes.get(value)),
        }
      : undefined;
    const division = {
      inputs: sources.map(({ buffer }) => shardingOfBuffer(buffer)),
      results: results.map(value => states.get(value)),
      stages,
    };
    return isDivided(func, division) ? division : undefined;
  }
  #roundingOf(program: TracedProgram, trace: Trace): ProgramRounding {
    const { mesh, random } = this.#owner;
    return {
      replicated: replicatedInputs(program, trace),
      isSplit: mesh.size('data') > 1 || random.microBatches > 1,
      layout: trace.sections.layoutOf(program.func.body.ops),
    };
  }

  /** Shows every execution within `body` to `observer`, before it happens. */
  observed(observer: (run: ObservedRun) => void, body: () => void): void {
    const outer = this.#observer;
    this.#observer = observer;
    try {
      body();
    } finally {
      this.#observer = outer;
    }
  }
  /** Shows the next execution to `observer`, before it happens. */
  observeNext(observer: (run: ObservedRun) => void): void {
    this.#observesNext = observer;
  }

  #hit(kind: CompileEvent['kind'], at: string): void {
    this.#owner.metrics.cacheHits++;
    this.#growing.delete(`${kind} ${at}`);
  }
  /** The compiled form of a program for all sizes; undefined if it cannot be compiled. */
  #compiledForAll({ func, refuse }: OfAllSizes, request: CompileRequest): Compiled | undefined {
    const key = funcKey(func) + precisionKey(request.precision, undefined);
    const known = this.#compiled.get(key);
    if (known !== undefined) {
      this.#hit(request.kind, request.at);
      return known;
    }
    try {
      const compiled = this.#compile(request, func, false);
      this.#compiled.set(key, compiled);
      return compiled;
    } catch (error) {
      if (!isTrenioError(error, 'UNSUPPORTED')) throw error;
      refuse();
      return undefined;
    }
  }

  /** `func`: the recorded program, or the one that computes it for all sizes. */
  #compile(
    { kind, at, form, precision, rounding, division }: CompileRequest,
    func: Func,
    isLearned: boolean,
  ): Compiled {
    const { backend, mesh, metrics } = this.#owner;
    const { program } = form;
    const before = this.#last.get(`${kind} ${at}`);
    const isForAll = func !== program.func;
    const because =
      before &&
      explainDifference(
        before.summary,
        summaryOf(form),
        isForAll ? 'for all sizes' : isLearned ? 'an input' : undefined,
      );
    const ops = program.func.body.ops.length;
    const start = performance.now();
    const { module, sections } = inPrecision(
      moduleOf(func, { name: kind.replace(' ', '_'), numReplicas: mesh.size() }),
      precision,
      rounding,
    );
    const inStages =
      division?.stages &&
      hostSpan('compile', `${kind} at ${at}, in stages`, () => pipelined(module, mesh, division, backend));
    const parts =
      inStages === undefined && division !== undefined
        ? hostSpan('compile', 'partition', () => partitioned(module, mesh, division))
        : undefined;
    const compiled =
      inStages === undefined
        ? hostSpan('compile', `${kind} at ${at}`, () => backend.compile(parts?.module ?? module, 'soon'))
        : { executable: inStages.program, report: inStages.program.report };
    const ms = performance.now() - start;
    const { fromCache, kernels, arenaBytes, isFromKernels = false } = compiled.report;
    metrics.compiles++;
    metrics.compileMs += ms;
    // A first program, and another for the last batch or after an evaluation, are expected. A compiled function has a program
    // for each shape by design.
    const isNews = this.#countAt(`${kind} ${at}`) > routineCompiles && kind !== 'compiled function';
    const level = isNews && !isForAll && ms > slowCompileMs && !fromCache ? 'warn' : 'info';
    // Report the memory before the program runs: inputs and results coexist with the temporaries.
    const held = [
      ...program.func.body.args,
      ...program.func.body.results.filter((_, i) => !program.func.aliases.includes(i)),
    ];
    const peak = arenaBytes + held.reduce((bytes, v) => bytes + byteSize(tensorTypeOf(v)), 0);
    const count = `${ops.toLocaleString('en-US')} ops`;
    const size = isFromKernels
      ? `${count}, from its kernels until it is compiled`
      : `${count}, ${kernels} kernels, ${(ms / 1000).toFixed(1)} s, memory ${formatBytes(peak)} of which temporaries ${formatBytes(arenaBytes)}`;
    const action = isFromKernels ? 'running' : because === undefined ? 'compiling' : 'recompiling';
    this.#log(level, `${action} the ${kind} at ${at} (${size})${because === undefined ? '' : `: ${because}`}`);
    emit({ kind: 'compile', milliseconds: ms, fromCache });
    this.#watchGrowth(kind, at, program);
    const communication = inStages?.communication ?? communicationOf(parts?.module ?? module);
    const event = { kind, at, ops, compileMs: ms, fromCache, isFromKernels, kernels, arenaBytes, because };
    const replicated = parts?.replicated ?? [];
    this.#warnOfReplicated(replicated);
    this.#history.push({ ...event, communication, replicated });
    if (kind === 'step')
      emit({
        kind: 'communication',
        collectives: communicationRows(communication),
        replicated: [...new Set(replicated.map(replicationText))],
      });
    if (this.#history.length > maxHistory) this.#history.shift();
    const divided = (inStages ?? parts)?.results;
    return { ...compiled, divided, places: inStages?.places, sections, runs: 0 };
  }

  /** Warns once of each op and line. */
  #warnOfReplicated(replicated: readonly Replicated[]): void {
    for (const op of replicated) {
      const place = `replicated ${op.name} ${shortLocation(op.location)}`;
      if ((op.isOperator || op.bytes >= minReplicatedBytes) && this.#countAt(place) === 1)
        this.#log('warn', replicationText(op));
    }
  }

  #countAt(place: string): number {
    const count = (this.#counts.get(place) ?? 0) + 1;
    this.#counts.set(place, count);
    return count;
  }
  /**
   * Warns once for each line where programs grow at every step, as they do when a value is carried on and never computed. A tree
   * of sums over micro-batches grows, too, but runs known programs in between.
   */
  #watchGrowth(kind: CompileEvent['kind'], at: string, program: TracedProgram): void {
    // Its arguments were computed before the call: several calls on one line are different functions.
    if (kind === 'compiled function') return;
    const place = `${kind} ${at}`;
    const { ops } = program.func.body;
    const before = this.#growing.get(place) ?? [];
    // Growth must be constant: programs of different calls at one line of a helper have arbitrary sizes.
    const last = before.at(-1) ?? 0;
    const growth = before.length > 1 ? last - before.at(-2)! : undefined;
    const isGrowing = ops.length > last && (growth === undefined || ops.length - last === growth);
    const sizes = isGrowing ? [...before, ops.length] : [ops.length];
    this.#growing.set(place, sizes);
    if (sizes.length !== growingCompiles + 1) return;
    const carried = shortLocation(ops.at(-1)?.location);
    this.#log(
      'warn',
      `the ${kind} at ${at} grows: ${sizes.join(', ')} ops. A value is carried over from step to step without being evaluated, last at ${carried}; read it there, or call markStep() once per iteration`,
    );
  }

  #remember(place: string, key: string, form: ProgramForm): void {
    const before = this.#last.get(place);
    this.#last.delete(place);
    this.#last.set(place, before?.key === key ? before : { key, summary: summaryOf(form) });
    if (this.#last.size > maxExplained) this.#last.delete(this.#last.keys().next().value!);
  }
}
