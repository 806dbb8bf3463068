// NVIDIA GPUs of the instances that Trainium is compared with. Peaks are for dense matrices; data sheets state twice as much
// "with sparsity".
//
// Clocks are those at which the peaks apply, so that peak = multiprocessors × clock × operations per cycle can be checked:
// 108 × 1.41 GHz × 2,048 = 312 TFLOPS (A100, bf16), 132 × 1.83 GHz × 4,096 = 989 (H100, bf16).
import { factsOf } from '../fact.ts';
import { sources } from '../sources.ts';
import type { GpuChip } from './chip.ts';

const TFLOPS = 'TFLOPS';
const GiB = { note: 'printed as GB; EC2 says 1,024 MiB for each' };
const pcie4 = factsOf('PCI Express 4.0, 16 lanes of 16 GT/s')(32, 'GB/s', { note: 'one direction' });
const pcie5 = factsOf('PCI Express 5.0, 16 lanes of 32 GT/s')(64, 'GB/s', { note: 'one direction' });
const sparsity = { note: 'twice the dense rate; training gains nothing from it' };

const a100 = factsOf(sources.a100);
const ampere = factsOf(sources.ampereWhitePaper);
const a100Base = {
  kind: 'gpu',
  released: a100('2020-05'),
  peakTflops: {
    f32: a100(19.5, TFLOPS, { note: 'outside the tensor cores' }),
    tf32: a100(156, TFLOPS),
    bf16: a100(312, TFLOPS),
    f16: a100(312, TFLOPS),
    int8: a100(624, 'TOPS'),
  },
  dataTypes: a100(['f64', 'f32', 'tf32', 'bf16', 'f16', 'int8', 'int4'] as readonly string[]),
  sparsityPatterns: a100(['2:4'] as readonly string[], undefined, sparsity),
  watts: a100(400, 'W', { note: 'the SXM module' }),
  sustained: factsOf('Bekman, Machine Learning Engineering, maximum achievable matmul FLOPS')(0.869, undefined, {
    uncertain: true,
    note: '271 of 312 TFLOPS of bf16 at the best size found',
  }),
  multiprocessors: ampere(108),
  clockGhz: ampere(1.41, 'GHz', { note: 'boost; 108 × 1.41 GHz × 2,048 = 312 TFLOPS of bf16' }),
  vectorTflops: a100(19.5, TFLOPS),
  cacheMib: ampere(40, 'MiB', { note: 'level 2' }),
  nvLinkGBs: a100(600, 'GB/s', { note: 'both directions; 12 links' }),
  pcieGBs: pcie4,
} as const satisfies Partial<GpuChip>;

const h100 = factsOf(sources.h100);
const hopper = factsOf(sources.hopperWhitePaper);
const hopperBase = (page: typeof h100) =>
  ({
    kind: 'gpu',
    peakTflops: {
      f32: page(67, TFLOPS, { note: 'outside the tensor cores' }),
      tf32: page(494, TFLOPS, { note: 'dense; 989 is printed with sparsity' }),
      bf16: page(989, TFLOPS, { note: 'dense; 1,979 is printed with sparsity' }),
      f16: page(989, TFLOPS, { note: 'dense; 1,979 is printed with sparsity' }),
      f8: page(1979, TFLOPS, { note: 'dense; 3,958 is printed with sparsity' }),
      int8: page(1979, 'TOPS', { note: 'dense; 3,958 is printed with sparsity' }),
    },
    dataTypes: page(['f64', 'f32', 'tf32', 'bf16', 'f16', 'f8e5m2', 'f8e4m3', 'int8'] as readonly string[]),
    sparsityPatterns: page(['2:4'] as readonly string[], undefined, sparsity),
    watts: page(700, 'W', { note: 'the SXM module, at most' }),
    multiprocessors: hopper(132),
    clockGhz: hopper(1.83, 'GHz', {
      note: 'at which the tensor cores’ peak holds: 132 × 1.83 GHz × 4,096 = 989 TFLOPS of bf16',
      uncertain: true,
      alternatives: [{ value: 1.98, note: 'boost, at which the 67 TFLOPS of f32 hold: 132 × 1.98 GHz × 256' }],
    }),
    sustained: factsOf('fast.cu, README')(0.72, undefined, {
      uncertain: true,
      note: 'cuBLAS: 716 of 989 TFLOPS of bf16 at 4096³',
      alternatives: [
        { value: 0.79, note: '8192³ on an H200, measured with PyTorch in 2026' },
        { value: 0.75, note: 'the best attention kernels, Shah et al. 2024, FlashAttention-3' },
      ],
    }),
    vectorTflops: page(67, TFLOPS),
    cacheMib: hopper(50, 'MiB', { note: 'level 2' }),
    nvLinkGBs: page(900, 'GB/s', { note: 'both directions; 18 links' }),
    pcieGBs: pcie5,
  }) as const satisfies Partial<GpuChip>;

const h200 = factsOf(sources.h200);
const a10g = factsOf(sources.a10g);
const disputed = { uncertain: true } as const;
// 80 multiprocessors × 1.71 GHz × 256 is 35, and × 512 is 70 for 16-bit formats: the two figures that are consistent.
const seventyTwo = [{ value: 31.5, note: 'lists that count 72 multiprocessors: 72 × 1.71 GHz × 256' }];

export const nvidiaChips: readonly GpuChip[] = [
  {
    ...a100Base,
    name: 'a100-40gb',
    title: 'NVIDIA A100 SXM4 40 GB',
    memoryGib: a100(40, 'GiB', GiB),
    memoryGBs: a100(1555, 'GB/s'),
  },
  {
    ...a100Base,
    name: 'a100-80gb',
    title: 'NVIDIA A100 SXM4 80 GB',
    memoryGib: a100(80, 'GiB', GiB),
    memoryGBs: a100(2039, 'GB/s'),
  },
  {
    ...hopperBase(h100),
    name: 'h100',
    title: 'NVIDIA H100 SXM5 80 GB',
    released: h100('2022-09'),
    memoryGib: h100(80, 'GiB', GiB),
    memoryGBs: h100(3350, 'GB/s'),
  },
  {
    ...hopperBase(h200),
    name: 'h200',
    title: 'NVIDIA H200 SXM5 141 GB',
    released: h200('2024-11', undefined, disputed),
    memoryGib: h200(141, 'GiB', { note: 'printed as GB; EC2 says 144,384 MiB' }),
    memoryGBs: h200(4800, 'GB/s'),
  },
  {
    kind: 'gpu',
    name: 'a10g',
    title: 'NVIDIA A10G',
    released: a10g('2021-11', undefined, disputed),
    peakTflops: {
      f32: a10g(35, TFLOPS, { ...disputed, note: 'outside the tensor cores', alternatives: seventyTwo }),
      tf32: a10g(35, TFLOPS, { ...disputed, note: 'half of the 16-bit rate, as on every GPU of its family' }),
      bf16: a10g(70, TFLOPS, { ...disputed, alternatives: [{ value: 62.5, note: 'also quoted' }] }),
      f16: a10g(70, TFLOPS, { ...disputed, alternatives: [{ value: 62.5, note: 'also quoted' }] }),
      int8: a10g(140, 'TOPS', { ...disputed, note: 'twice the 16-bit rate' }),
    },
    dataTypes: a10g(['f32', 'tf32', 'bf16', 'f16', 'int8', 'int4']),
    sparsityPatterns: a10g(['2:4'], undefined, sparsity),
    watts: a10g(300, 'W', { ...disputed, alternatives: [{ value: 150, note: 'the A10, its sister' }] }),
    memoryGib: a10g(24, 'GiB', { note: 'printed as GB; 22,888 MiB are shown to programs' }),
    memoryGBs: a10g(600, 'GB/s'),
    multiprocessors: factsOf('what CUDA reports on a g5 instance')(80, undefined, disputed),
    clockGhz: factsOf('what nvidia-smi reports on a g5 instance')(1.71, 'GHz', disputed),
    vectorTflops: a10g(35, TFLOPS, { ...disputed, alternatives: seventyTwo }),
    cacheMib: factsOf('NVIDIA GA102 architecture white paper')(6, 'MiB', { note: 'level 2' }),
    pcieGBs: pcie4,
  },
];
