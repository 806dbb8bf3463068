// The target that programs of this process are compiled for: the machine's own, or an older instruction set of the same
// architecture selected by TRENIO_ISA (for comparisons, or to compile for older machines). It also determines how collectives are
// scheduled, and applies TRENIO_WINOGRAD and TRENIO_BUCKET_BYTES.
import { readVariable, type Variables } from '../../base/environment.ts';
import { TrenioError } from '../../base/errors.ts';
import { type CpuTarget, hostTarget, targetOf } from '../../compiler/index.ts';
import { mayUseTiles } from './tile-permission.ts';

/** The other targets that each machine can run. */
const lesser: Readonly<Record<CpuTarget['isa'], readonly CpuTarget['isa'][]>> = {
  amx: ['avx512', 'avx2', 'generic'],
  avx512: ['avx2', 'generic'],
  avx2: ['generic'],
  sve: ['neon', 'generic'],
  neon: ['generic'],
  generic: [],
};

/** This machine's target, with all features that the system lets this process use. */
const machineTarget = (): CpuTarget => hostTarget(undefined, undefined, mayUseTiles);

/** The bucket size for ranks that share memory: the gradient of a large weight, which is then still in the caches. */
const promptBucketBytes = 1 << 20;

/**
 * `haveSharedMemory`: all ranks are on one host.
 * @throws {ISA_UNSUPPORTED} if this machine does not support TRENIO_ISA
 */
export function requestedTarget(
  variables?: Variables,
  host: CpuTarget = machineTarget(),
  haveSharedMemory = false,
): CpuTarget {
  const target = requestedSet(variables, host);
  const bucketBytes = readVariable('TRENIO_BUCKET_BYTES', variables);
  return {
    ...target,
    ...(haveSharedMemory ? { bucketBytes: promptBucketBytes, overlapsCollectives: false } : {}),
    ...(readVariable('TRENIO_WINOGRAD', variables) === false ? { winograd: false } : {}),
    ...(bucketBytes === undefined ? {} : { bucketBytes }),
  };
}

function requestedSet(variables: Variables | undefined, host: CpuTarget): CpuTarget {
  const isa = readVariable('TRENIO_ISA', variables);
  if (isa === undefined || isa === host.isa) return host;
  const available = [host.isa, ...lesser[host.isa]];
  if (!available.includes(isa)) throw new TrenioError('ISA_UNSUPPORTED', { isa, available: available.join(', ') });
  // A CPU with AMX also has the bf16 instructions of AVX-512.
  const bf16 = host.isa === 'amx' && isa === 'avx512' ? 'pairs' : 'none';
  return targetOf(isa, { bf16, l1Bytes: host.l1Bytes, l2Bytes: host.l2Bytes });
}
