// The NVIDIA GPUs of this machine, as nvidia-smi lists them. Trenio does not compute on them.
import { spawnSync } from 'node:child_process';
import type { Variables } from '../../base/environment.ts';

export interface Gpu {
  readonly index: number;
  readonly name: string;
  readonly memoryBytes: number;
  readonly usedBytes: number;
  /** Undefined if the driver does not report it. */
  readonly utilizationPercent: number | undefined;
}

/** Empty if there is no nvidia-smi, or no driver. */
export function listGpus(variables: Variables): readonly Gpu[] {
  const fields = ['index', 'name', 'memory.total', 'memory.used', 'utilization.gpu'];
  const { status, stdout } = spawnSync(
    'nvidia-smi',
    [`--query-gpu=${fields.join(',')}`, '--format=csv,noheader,nounits'],
    { encoding: 'utf8', timeout: 10_000, env: { ...variables } },
  );
  return status === 0 ? parseGpus(stdout) : [];
}

/** Exported for its test. */
export const parseGpus = (text: string): readonly Gpu[] =>
  text.split('\n').flatMap(line => {
    const [index, name, total, used, utilization] = line.split(',').map(cell => cell.trim());
    if (utilization === undefined || !/^\d+$/.test(index!)) return [];
    const mebibytes = (cell: string): number => Number(cell) * 2 ** 20;
    const percent = Number(utilization);
    return [
      {
        index: Number(index),
        name: name!,
        memoryBytes: mebibytes(total!),
        usedBytes: mebibytes(used!),
        utilizationPercent: Number.isNaN(percent) ? undefined : percent,
      },
    ];
  });
