// Opens the cpu backend: the one that runs programs, or its replacement in a trial run (`trenio compile`, `trenio plan`) or on a
// machine without a C compiler.
import { readVariable, type Variables } from '../../../base/environment.ts';
import { isTrenioError } from '../../../base/errors.ts';
import { MAX_LOCAL_RANKS } from '../../execution/rank-info.ts';
import { findCompiler, runsWithoutCompiler } from '../../toolchain/c-compiler.ts';
import { nativeRequest } from '../../toolchain/native-sources.ts';
import { requestedTarget } from '../../toolchain/requested-target.ts';
import type { Backend, BackendHost } from '../backend.ts';
import { CollectingBackend } from '../collecting/collecting-backend.ts';
import { KernelsBackend } from '../kernels/kernels-backend.ts';
import { type Availability, registerBackend } from '../registry.ts';
import { TracingBackend } from '../tracing/tracing-backend.ts';
import { CpuBackend, type Tiers } from './cpu-backend.ts';

registerBackend({
  name: 'cpu',
  memorySpaces: ['host'],
  maxRanks: MAX_LOCAL_RANKS,
  availability,
  open,
});

function availability(variables?: Variables): Availability {
  try {
    findCompiler(variables);
    return { kind: 'available', devices: 1 };
  } catch (error) {
    if (!isTrenioError(error, 'NO_C_COMPILER')) throw error;
    return { kind: 'unavailable', error };
  }
}

/**
 * @throws {NO_C_COMPILER}
 * @throws {BAD_ENVIRONMENT}
 * @throws {ISA_UNSUPPORTED}
 * @throws what the engine throws
 */
function open(host: BackendHost): Backend {
  const { variables, ranks } = host;
  const folder = readVariable('TRENIO_TRACE_ONLY', variables);
  const maxExecutions = readVariable('TRENIO_COMPILE_STEPS', variables) ?? 100;
  if (folder !== undefined) return new TracingBackend({ folder, maxExecutions });
  const haveSharedMemory = ranks.worldSize > 1 && ranks.localWorldSize === ranks.worldSize;
  const target = requestedTarget(variables, undefined, haveSharedMemory);
  const collected = readVariable('TRENIO_COMPILE_ONLY', variables);
  // Several ranks need the runtime in C.
  if (collected === undefined && ranks.worldSize === 1 && runsWithoutCompiler(variables)) return withoutCompiler(host);
  const { compiler, cache, profiler, programRecord } = host; // access all of them now, so that errors are reported before any work is done
  if (collected !== undefined)
    return new CollectingBackend({ compiler, cache }, target, { folder: collected, maxExecutions, rank: ranks.rank });
  const tiers = tiersOf(host);
  // Ranks synchronize when their engines start, and profiling measures the machine first.
  const mayWait = !host.isNativeLoaded && ranks.worldSize === 1 && profiler === undefined;
  const isStarting =
    mayWait && (tiers === undefined ? cache.begin(nativeRequest(), compiler) : !cache.has(nativeRequest(), compiler));
  if (!isStarting)
    return new CpuBackend(
      { compiler, cache, engine: host.engine, isNativeLoaded: true, profiler, programRecord },
      target,
      false,
      tiers,
    );
  return new CpuBackend(host, target, isStarting, tiers);
}

function withoutCompiler({ variables, log, programRecord, observe }: BackendHost): Backend {
  log.warn('no C compiler found: programs run as WebAssembly, on one core; install gcc or clang to compile them');
  if (readVariable('TRENIO_PROFILE', variables)) log.warn('TRENIO_PROFILE has no effect without a C compiler');
  observe(1);
  const maxLoopSteps = readVariable('TRENIO_MAX_LOOP_STEPS', variables);
  return new KernelsBackend({ maxLoopSteps, name: 'cpu', programRecord });
}

/** Times of steps that are recorded are those of machine code; ranks run the same code at the same time. */
function tiersOf({ variables, ranks, profiler, programRecord, log }: BackendHost): Tiers | undefined {
  const isRecorded = profiler ?? programRecord ?? readVariable('TRENIO_STEP_REPORT', variables);
  if (readVariable('TRENIO_TIERS', variables) === 'wait' || ranks.worldSize > 1 || isRecorded !== undefined)
    return undefined;
  return { maxLoopSteps: readVariable('TRENIO_MAX_LOOP_STEPS', variables), warn: log.warn };
}
