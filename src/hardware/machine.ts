// A machine as the simulator sees it: plain numbers in base units (bytes, seconds, hertz, FLOP/s, bytes/s), resolved from
// the catalog's facts under one profile, or measured on this machine. No prose, no alternatives, no sources: those stay
// with the facts.
import type { MicroUsd } from '../base/money.ts';

/** Which of the published figures are used: those announced at launch, or those of today's documents. */
export type FactProfile = 'launch' | 'docs';

/** Formats that an accelerator multiplies in. Sums are in f32 everywhere. */
export type MultiplyType = 'f32' | 'tf32' | 'bf16' | 'f16' | 'f8';

/** Multiply-adds of dense matrices, two FLOPs each, FLOP/s of one device. Undefined: the device has no such format. */
export type PeakFlops = Readonly<Partial<Record<MultiplyType, number>>> & {
  /** The peak rate in f32, FLOP/s. */
  readonly f32: number;
};

interface DeviceBase {
  /** The name. */
  readonly name: string;
  /** The peak rate in FLOP/s, by format. */
  readonly peakFlops: PeakFlops;
  /** The memory in bytes. */
  readonly memoryBytes: number;
  /** Bytes/s, read and written together. */
  readonly memoryBandwidth: number;
  /** Watts at full load; undefined if not published. */
  readonly watts: number | undefined;
}
/** A NeuronCore: four engines that work concurrently on local memory (SBUF, PSUM), with HBM behind it. */
export interface NeuronCore extends DeviceBase {
  /** Discriminates the members of the union. */
  readonly kind: 'neuron-core';
  /** The systolic array: `rows` deep (K) by `columns` wide, one row of at most `moving` columns per cycle. */
  readonly tensor: {
    /** The number of rows of the systolic array (K). */
    readonly rows: number;
    /** The number of columns of the systolic array. */
    readonly columns: number;
    /** The largest number of columns of the moving operand in one instruction. */
    readonly moving: number;
    /** The clock rate in Hz. */
    readonly clock: number;
    /** Cycles per row in this format, relative to bf16. */
    readonly slowdown: Readonly<Partial<Record<MultiplyType, number>>>;
  };
  /** Elements per second = `elementsPerCycle` × `clock`. */
  readonly vector: {
    /** Elements per cycle. */
    readonly elementsPerCycle: number;
    /** The clock rate in Hz. */
    readonly clock: number;
  };
  /** The scalar engine. */
  readonly scalar: {
    /** Elements per cycle. */
    readonly elementsPerCycle: number;
    /** The clock rate in Hz. */
    readonly clock: number;
  };
  /** The state buffer (SBUF) in bytes. */
  readonly sbufBytes: number;
  /** The accumulation buffer (PSUM) in bytes. */
  readonly psumBytes: number;
}
/** A GPU. */
export interface Gpu extends DeviceBase {
  /** Discriminates the members of the union. */
  readonly kind: 'gpu';
  /** The number of streaming multiprocessors. */
  readonly multiprocessors: number;
  /** The clock rate in Hz. */
  readonly clock: number;
  /** Share of the peak that large multiplies sustain under the power limit. */
  readonly sustained: number;
  /** The power limit in watts, if it is lower than `watts`. */
  readonly limitedTo?: number;
  /** f32 operations outside the tensor cores, FLOP/s. */
  readonly vectorFlops: number;
  /** The last-level cache in bytes. */
  readonly cacheBytes: number;
}
/** All cores of a machine that one process uses, as measured by `trenio hardware calibrate`. */
export interface CpuDevice extends DeviceBase {
  /** Discriminates the members of the union. */
  readonly kind: 'cpu';
  /** The number of threads. */
  readonly threads: number;
  /** Rates of the compiler's own kernels on this processor. */
  readonly rates: CpuRates;
}
/** Layouts of the operands of a multiply: which dim is contiguous in memory (compiler/cpu/counting). */
export type MultiplyLayout = 'nn' | 'nt' | 'tn' | 'tt';
/** Multiplies of one format, or convolutions: their cost as a function of their sizes, and the residual error of that formula. */
export interface MultiplyRates {
  /** Seconds per multiply-add. */
  readonly product: number;
  /** Seconds to read and pack one element of A, by its layout. */
  readonly a: {
    /** Seconds per element if the operand is not transposed. */
    readonly n: number;
    /** Seconds per element if the operand is transposed. */
    readonly t: number;
  };
  /** Seconds to read and pack one element of B, by its layout. */
  readonly b: {
    /** Seconds per element if the operand is not transposed. */
    readonly n: number;
    /** Seconds per element if the operand is transposed. */
    readonly t: number;
  };
  /** Seconds per element of the result. */
  readonly result: number;
  /** Seconds per multiply of a batch. */
  readonly each: number;
  /** The measurements: the formula has a similar error at nearby sizes. */
  readonly points: readonly {
    /** The number of multiplies in the batch. */
    readonly batch: number;
    /** The number of rows of the result. */
    readonly m: number;
    /** The number of columns of the result. */
    readonly n: number;
    /** The number of terms in each sum. */
    readonly k: number;
    /** The layouts of the operands. */
    readonly layout: MultiplyLayout;
    /** The measured time divided by that of the formula. */
    readonly ratio: number;
  }[];
}
/** Measured by running small programs through the same compiler and runtime. */
export interface CpuRates {
  /** Matrix multiplies, by format. */
  readonly multiplies: {
    /** Multiplies in f32. */
    readonly f32: MultiplyRates;
    /** Multiplies in bf16. */
    readonly bf16: MultiplyRates;
  };
  /** Convolutions. */
  readonly convolutions: MultiplyRates;
  /**
   * Bytes/s, read plus written, of sweeps over this many bytes: from the caches, and for larger sizes from memory.
   * Ascending; one array computed from another, and arrays updated in place.
   */
  readonly copy: readonly {
    /** The number of bytes swept over. */
    readonly bytes: number;
    /** Bytes per second, read plus written. */
    readonly rate: number;
  }[];
  /** Bytes per second of sweeps that update arrays in place, by size. */
  readonly inPlace: readonly {
    /** The number of bytes swept over. */
    readonly bytes: number;
    /** Bytes per second, read plus written. */
    readonly rate: number;
  }[];
  /**
   * Element operations per second: adds and multiplies of floats, operations on integers, exponentials, divisions, roots,
   * roundings to two bytes, random words.
   */
  readonly simple: number;
  /** Operations on integers per second. */
  readonly integer: number;
  /** Exponentials and similar functions per second. */
  readonly transcendental: number;
  /** Divisions per second. */
  readonly division: number;
  /** Square roots per second. */
  readonly root: number;
  /** Roundings to two bytes per second. */
  readonly rounding: number;
  /** Random words per second. */
  readonly randomWord: number;
  /** Bytes/s of rows looked up, and of rows added to a table. */
  readonly gather: number;
  /** Bytes per second of rows added to a table. */
  readonly scatter: number;
  /** Seconds to start a kernel on all threads, and a program. */
  readonly kernelStart: number;
  /** Seconds to start a program. */
  readonly programStart: number;
  /** The factor by which a typical run is slower than an undisturbed one, at least 1, because of other processes and tenants. */
  readonly disturbance: number;
  /** Resident memory of a process besides its tensors, and the increase per op of a program. */
  readonly processBytes: number;
  /** Resident memory in bytes that each op of a program adds. */
  readonly opBytes: number;
  /** For a script that records each step again: the peak garbage on its heap. */
  readonly tracingBytes: number;
  /** The peak memory of a process before its first step (recording and compiling), without its weights. */
  readonly startBytes: number;
}
/** The compute unit: a NeuronCore, a GPU, or the CPUs of a machine. */
export type Device = NeuronCore | Gpu | CpuDevice;

/**
 * The interconnect of the chips of one instance (or UltraServer).
 * - `torus`: every chip has a link in each direction of each dimension (a ring is a torus of one dimension);
 * - `switch`: any chip to any other at its full rate;
 * - `none`: one chip, or processes that share memory.
 * Bandwidths are bytes/s of one chip, all links together, one direction.
 */
export type Fabric =
  | {
      /** Discriminates the members of the union. */
      readonly kind: 'torus';
      /** The name of the fabric. */
      readonly name: string;
      /** The number of chips along each dimension. */
      readonly shape: readonly number[];
      /** One direction, one link, for each dimension. */
      readonly linkBandwidth: readonly number[];
      /** The latency of a small message in seconds. */
      readonly latency: number;
    }
  | {
      /** Discriminates the members of the union. */
      readonly kind: 'switch';
      /** The name of the fabric. */
      readonly name: string;
      /** The bandwidth in bytes per second. */
      readonly bandwidth: number;
      /** The latency of a small message in seconds. */
      readonly latency: number;
    }
  | {
      /** Discriminates the members of the union. */
      readonly kind: 'none';
      /** The name of the fabric. */
      readonly name: string;
      /** The bandwidth in bytes per second. */
      readonly bandwidth: number;
      /** The latency of a small message in seconds. */
      readonly latency: number;
    };

/** Between instances: bytes/s of one instance, one direction. */
export interface Network {
  /** The name of the network. */
  readonly name: string;
  /** The bandwidth in bytes per second. */
  readonly bandwidth: number;
  /** Seconds for a small message. */
  readonly latency: number;
}

/** The ways to buy an instance. */
export type PurchaseKind = 'on-demand' | 'spot' | 'reserved-1y' | 'reserved-3y' | 'savings-plan' | 'capacity-block';
/** A price of one instance. */
export interface Price {
  /** The way to buy it. */
  readonly kind: PurchaseKind;
  /** The service that sells it. */
  readonly service: 'ec2' | 'sagemaker';
  /** The price per hour. */
  readonly perHour: MicroUsd;
  /** The day it was read, YYYY-MM or YYYY-MM-DD. */
  readonly date: string;
  /** The source of the figures. */
  readonly source: string;
  /** Whether the price could not be confirmed. */
  readonly uncertain: boolean;
}

/** A machine as the simulator uses it: devices, memories, links and prices as plain numbers. */
export interface Machine {
  /** `trn1.32xlarge`, `ml.p4d.24xlarge`, `trn2-ultraserver`, or the name of the local machine. */
  readonly name: string;
  /** Which facts were used, where sources disagree. */
  readonly profile: FactProfile;
  /** The purpose that its maker sells it for, if it is not training. */
  readonly madeFor?: 'inference';
  /** One device. */
  readonly device: Device;
  /** The number of chips. */
  readonly chips: number;
  /** Devices per chip (NeuronCores; 1 for a GPU or CPU). */
  readonly devicesPerChip: number;
  /** chips × devicesPerChip. */
  readonly devices: number;
  /** How the chips are connected. */
  readonly fabric: Fabric;
  /** Undefined: one machine only. */
  readonly network: Network | undefined;
  /** The number of CPUs of the host. */
  readonly hostCpus: number;
  /** The memory of the host in bytes. */
  readonly hostMemoryBytes: number;
  /** All that are published; empty: no public price. */
  readonly prices: readonly Price[];
}
