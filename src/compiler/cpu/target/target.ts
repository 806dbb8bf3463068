// The machine that code is generated for: its vectors, registers and caches, and the C compiler's flags for them.
// Not the C compiler itself, nor how many cores there are: a compiled program runs on any number of them.
import { readIfThere } from '../../../base/file-error.ts';

/** The CPU that code is generated for. */
export interface CpuTarget {
  /** The instruction set that the kernels use. */
  readonly isa: 'amx' | 'avx512' | 'avx2' | 'sve' | 'neon' | 'generic';
  /** The width of a vector register in bytes. */
  readonly vectorBytes: number;
  /** Vector registers. */
  readonly registers: number;
  /** Whether a multiply-add is a single instruction. */
  readonly fma: boolean;
  /**
   * Instructions that multiply bf16 and accumulate in f32: on pairs, x86's vdpbf16ps; on tiles, also AMX's tdpbf16ps.
   * Otherwise bf16 is converted to f32.
   */
  readonly bf16: 'none' | 'pairs' | 'tiles';
  /** Products of unsigned and signed bytes, four at a time, added to sums of i32: x86's vpdpbusd. */
  readonly vnni: boolean;
  /** f16 is converted to f32 by x86's vcvtph2ps. */
  readonly f16: boolean;
  /**
   * Convolutions may be computed by Winograd's F(4×4, 3×3), whose rounding errors are larger than those of products summed
   * one by one.
   */
  readonly winograd: boolean;
  /**
   * All-reduces of many tensors are split into buckets of about this many bytes, in the order in which the tensors are
   * computed: each is sent while the next one is computed.
   */
  readonly bucketBytes: number;
  /**
   * Large collectives are started early and awaited late, for transports that leave the cores to the program. Otherwise they
   * run immediately.
   */
  readonly overlapsCollectives: boolean;
  /** The size of the first-level data cache in bytes. */
  readonly l1Bytes: number;
  /** The size for one core. */
  readonly l2Bytes: number;
  /** Flags that allow these instructions, for gcc and clang. */
  readonly cflags: readonly string[];
}

/** Like torch's DistributedDataParallel. */
const defaultBucketBytes = 25 << 20;

/** Reads a file that describes the machine; undefined if it does not exist. */
export type ReadText = (path: string) => string | undefined;

const vectors = {
  amx: { vectorBytes: 64, registers: 32, fma: true },
  avx512: { vectorBytes: 64, registers: 32, fma: true },
  avx2: { vectorBytes: 32, registers: 16, fma: true },
  sve: { vectorBytes: 32, registers: 32, fma: true },
  neon: { vectorBytes: 16, registers: 32, fma: true },
  generic: { vectorBytes: 16, registers: 16, fma: false },
} as const;

/** Sixteen elements of a table are looked up by one instruction, as the functions of ir/math/segments.ts do. */
export const hasLookUps = ({ isa }: CpuTarget): boolean => isa === 'avx512' || isa === 'amx';

export type TargetFeatures = Partial<Pick<CpuTarget, 'bf16' | 'vnni' | 'f16' | 'l1Bytes' | 'l2Bytes' | 'vectorBytes'>>;

/**
 * gcc 12 puts vectors into the red zone of a function that calls none at addresses that are not a multiple of their size
 * (it counts the pushed registers wrongly), and then moves them with instructions that require one.
 */
const x86Flags = ['-mno-red-zone'];

/** A target with the given instruction set, and typical cache sizes unless they are given. */
export function targetOf(isa: CpuTarget['isa'], features: TargetFeatures = {}): CpuTarget {
  const { bf16 = isa === 'amx' ? 'tiles' : 'none', vectorBytes = vectors[isa].vectorBytes } = features;
  const vnni = features.vnni ?? isa === 'amx';
  const f16 = features.f16 ?? (isa === 'avx512' || isa === 'amx');
  const avx512 = [
    ...x86Flags,
    '-mavx512f',
    '-mavx512dq',
    '-mavx512bw',
    '-mavx512vl',
    '-mavx2',
    '-mfma',
    '-mprefer-vector-width=512',
  ];
  const cflags = {
    amx: [...avx512, '-mamx-tile', '-mamx-bf16'],
    avx512,
    avx2: [...x86Flags, '-mavx2', '-mfma', ...(f16 ? ['-mf16c'] : [])],
    sve: ['-march=armv8.2-a+sve', `-msve-vector-bits=${8 * vectorBytes}`],
    neon: [],
    generic: [],
  }[isa];
  return {
    isa,
    ...vectors[isa],
    vectorBytes,
    bf16,
    vnni,
    f16,
    winograd: true,
    bucketBytes: defaultBucketBytes,
    overlapsCollectives: true,
    l1Bytes: features.l1Bytes ?? 32 * 1024,
    l2Bytes: features.l2Bytes ?? 512 * 1024,
    cflags: [...cflags, ...(bf16 === 'none' ? [] : ['-mavx512bf16'])],
  };
}

/**
 * The target of this machine. A process may use tiles (AMX) only if the system allows it: `mayUseTiles` requests this, and is
 * only called if the CPU has them.
 */
export function hostTarget(
  readText: ReadText = readIfThere,
  architecture: string = process.arch,
  mayUseTiles: () => boolean = () => false,
): CpuTarget {
  const cache = (level: number): number | undefined => cacheBytes(readText, level);
  const l1Bytes = cache(1);
  const l2Bytes = cache(2);
  const caches: TargetFeatures = {
    ...(l1Bytes === undefined ? {} : { l1Bytes }),
    ...(l2Bytes === undefined ? {} : { l2Bytes }),
  };
  if (architecture === 'arm64') {
    const vectorBytes = Number(readText('/proc/sys/abi/sve_default_vector_length') ?? 0);
    if (vectorBytes !== 32 && vectorBytes !== 64) return { ...targetOf('neon', caches), cflags: ['-mcpu=native'] };
    const sve = targetOf('sve', { ...caches, vectorBytes });
    return { ...sve, cflags: ['-mcpu=native', `-msve-vector-bits=${8 * vectorBytes}`] };
  }
  if (architecture !== 'x64') return targetOf('generic', caches);
  const flags = new Set(
    /^flags\s*:(.*)$/m
      .exec(readText('/proc/cpuinfo') ?? '')?.[1]
      ?.trim()
      .split(/\s+/),
  );
  const has = (...names: string[]): boolean => names.every(name => flags.has(name));
  const isa = has('avx512f', 'avx512dq', 'avx512bw', 'avx512vl', 'avx2', 'fma')
    ? 'avx512'
    : has('avx2', 'fma')
      ? 'avx2'
      : 'generic';
  const cflags = ['-march=native', ...x86Flags, ...(isa === 'avx512' ? ['-mprefer-vector-width=512'] : [])];
  const pairs = isa === 'avx512' && has('avx512_bf16');
  if (pairs && has('amx_tile', 'amx_bf16') && mayUseTiles()) return { ...targetOf('amx', caches), cflags };
  const f16 = isa === 'avx512' || (isa === 'avx2' && has('f16c'));
  const vnni = isa === 'avx512' && has('avx512_vnni');
  return { ...targetOf(isa, { ...caches, bf16: pairs ? 'pairs' : 'none', vnni, f16 }), cflags };
}

function cacheBytes(readText: ReadText, level: number): number | undefined {
  for (let index = 0; index < 8; index++) {
    const folder = `/sys/devices/system/cpu/cpu0/cache/index${index}`;
    if (readText(`${folder}/level`)?.trim() !== String(level)) continue;
    if (readText(`${folder}/type`)?.trim() === 'Instruction') continue;
    const size = /^(\d+)([KM])$/.exec(readText(`${folder}/size`)?.trim() ?? '');
    if (size) return Number(size[1]) * (size[2] === 'M' ? 1024 * 1024 : 1024);
  }
  return undefined;
}
