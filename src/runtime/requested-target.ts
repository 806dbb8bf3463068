// The target that programs of this process are compiled for: the machine's own, or a lesser instruction set of the same
// machine that TRENIO_ISA asks for (to compare, or to compile for older machines of the same make).
import { readVariable, type Variables } from '../base/environment.ts';
import { TrenioError } from '../base/errors.ts';
import { hostTarget, type Target, targetOf } from '../compiler/index.ts';

/** What each machine can run besides its own. */
const lesser: Readonly<Record<Target['isa'], readonly Target['isa'][]>> = {
  avx512: ['avx2', 'generic'],
  avx2: ['generic'],
  sve: ['neon', 'generic'],
  neon: ['generic'],
  generic: [],
};

/** Throws ISA_UNSUPPORTED where this machine lacks what TRENIO_ISA names. */
export function requestedTarget(variables?: Variables, host: Target = hostTarget()): Target {
  const isa = readVariable('TRENIO_ISA', variables);
  if (isa === undefined || isa === host.isa) return host;
  const available = [host.isa, ...lesser[host.isa]];
  if (!available.includes(isa)) throw new TrenioError('ISA_UNSUPPORTED', { isa, available: available.join(', ') });
  return targetOf(isa, { l1Bytes: host.l1Bytes, l2Bytes: host.l2Bytes });
}
