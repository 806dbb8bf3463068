// Facts as text: the label of a property, and a value with its unit.
import { formatUsd, type MicroUsd } from '../../base/money.ts';

// Labels that cannot be derived from the property name (its words without the unit at the end).
const labels: Readonly<Record<string, string>> = {
  peakTflops: 'peak',
  peakPflops: 'peak',
  memoryGBs: 'memory bandwidth',
  acceleratorMemoryGBs: 'accelerator memory bandwidth',
  vcpus: 'host vCPUs',
  tensorPerCore: 'tensor engine',
  vectorPerCore: 'vector engine',
  scalarPerCore: 'scalar engine',
  gpsimdPerCore: 'GPSIMD',
  sbufMibPerCore: 'SBUF per core',
  psumMibPerCore: 'PSUM per core',
  dma: 'DMA',
  cacheMib: 'cache',
  tflops: 'peak',
  simdBits: 'SIMD bits',
  ownDmaGBs: 'dedicated DMA',
  slowdown: 'cycles per row (bf16: 1)',
  hostMemoryGib: 'host memory',
  EC2: 'EC2',
  SageMaker: 'SageMaker',
  neuronLinkGBs: 'NeuronLink',
  nvLinkGBs: 'NVLink',
  pcieGBs: 'PCI Express',
  gbps: 'bandwidth',
  ebsGbps: 'block storage',
  chipGBs: 'bandwidth per chip',
  linkGBs: 'bandwidth per link, each way',
  totalGBs: 'all engines',
  engineGBs: 'one engine',
  elementsPerCycleBf16: 'elements per cycle, bf16',
  elementsPerCycleFast: 'elements per cycle, fast',
  coresPerLogicalCore: 'cores per logical core',
};

/** `['tensorPerCore', 'clockGhz']` is `tensor engine: clock`. */
export function formatPath(path: readonly string[]): string {
  return path.map(label).join(': ');
}

const label = (key: string): string =>
  labels[key] ??
  key
    .replace(/(Gib|Mib|Kib|Gb|GBs|Gbps|Ghz|Us|Tflops)$/, '')
    .replace(/[A-Z]/g, letter => ` ${letter.toLowerCase()}`)
    .trim();

export function formatValue(value: unknown, unit: string | undefined): string {
  if (unit === '$/h') return formatUsd(value as MicroUsd, { maxDecimals: 6 });
  const one = (v: unknown): string =>
    typeof v === 'number' ? v.toLocaleString('en', { maximumSignificantDigits: 10 }) : String(v);
  const text = !Array.isArray(value) ? one(value) : value.map(one).join(unit === 'chips' ? ' × ' : ', ');
  return unit === undefined ? text : `${text} ${unit}`;
}
