// A machine as the simulator takes it: plain numbers in base units (bytes, seconds, hertz, FLOP/s, bytes/s), resolved from
// the catalogue's facts under one profile, or measured on this machine. No prose, no alternatives, no sources: those stay
// with the facts.
import type { MicroUsd } from '../base/money.ts';

/** Which of the published figures are used: those announced at launch, or those of today's documents. */
export type FactProfile = 'launch' | 'docs';

/** Formats that an accelerator multiplies in. Sums are in f32 everywhere. */
export type MultiplyType = 'f32' | 'tf32' | 'bf16' | 'f16' | 'f8';

/** Multiply-adds of dense matrices, two FLOPs each, FLOP/s of one device. Undefined: the device has no such format. */
export type PeakFlops = Readonly<Partial<Record<MultiplyType, number>>> & { readonly f32: number };

interface DeviceBase {
  readonly name: string;
  readonly peakFlops: PeakFlops;
  readonly memoryBytes: number;
  /** Bytes/s, read and written together. */
  readonly memoryBandwidth: number;
  /** Watts at full load; undefined if not published. */
  readonly watts: number | undefined;
}
/** A NeuronCore: four engines that work concurrently on local memory (SBUF, PSUM), with HBM behind it. */
export interface NeuronCore extends DeviceBase {
  readonly kind: 'neuron-core';
  /** The systolic array: `rows` deep (K) by `columns` wide, one row of at most `moving` columns a cycle. */
  readonly tensor: {
    readonly rows: number;
    readonly columns: number;
    readonly moving: number;
    readonly clock: number;
    /** Cycles a row takes in this format against bf16. */
    readonly slowdown: Readonly<Partial<Record<MultiplyType, number>>>;
  };
  /** Elements a second = `elementsPerCycle` × `clock`. */
  readonly vector: { readonly elementsPerCycle: number; readonly clock: number };
  readonly scalar: { readonly elementsPerCycle: number; readonly clock: number };
  readonly sbufBytes: number;
  readonly psumBytes: number;
}
/** A GPU. */
export interface Gpu extends DeviceBase {
  readonly kind: 'gpu';
  readonly multiprocessors: number;
  readonly clock: number;
  /** Share of the peak that large multiplies hold under the power limit. */
  readonly sustained: number;
  /** f32 operations outside the tensor cores, FLOP/s. */
  readonly vectorFlops: number;
  readonly cacheBytes: number;
}
/** All cores of a machine that one process uses, as measured by `trenio hardware calibrate`. */
export interface CpuDevice extends DeviceBase {
  readonly kind: 'cpu';
  readonly threads: number;
  /** Rates of the compiler's own kernels on this processor. */
  readonly rates: CpuRates;
}
/** Layouts of the operands of a multiply: which dim lies along memory (compiler/counting). */
export type MultiplyLayout = 'nn' | 'nt' | 'tn' | 'tt';
/** Multiplies of one format, or convolutions: what they cost by their sizes, and what that formula leaves unexplained. */
export interface MultiplyRates {
  /** Seconds of each multiply-add. */
  readonly product: number;
  /** Seconds of each element of A and B, by how it lies in memory: reading and packing it. */
  readonly a: { readonly n: number; readonly t: number };
  readonly b: { readonly n: number; readonly t: number };
  /** Seconds of each element of the result. */
  readonly result: number;
  /** Seconds of each of several multiplies of a batch. */
  readonly each: number;
  /** What was measured: nearby sizes share what the formula misses. `ratio`: measured time over the formula's. */
  readonly points: readonly {
    readonly batch: number;
    readonly m: number;
    readonly n: number;
    readonly k: number;
    readonly layout: MultiplyLayout;
    readonly ratio: number;
  }[];
}
/** Measured by running small programs through the same compiler and runtime. */
export interface CpuRates {
  readonly multiplies: { readonly f32: MultiplyRates; readonly bf16: MultiplyRates };
  readonly convolutions: MultiplyRates;
  /**
   * Bytes/s, read plus written, of sweeps over this many bytes: from the caches, and for larger sizes from memory.
   * Ascending; one array computed from another, and arrays updated in place.
   */
  readonly copy: readonly { readonly bytes: number; readonly rate: number }[];
  readonly inPlace: readonly { readonly bytes: number; readonly rate: number }[];
  /** Element operations a second: adds and multiplies of floats, operations on integers, exponentials, divisions, roots, roundings to two bytes, random words. */
  readonly simple: number;
  readonly integer: number;
  readonly transcendental: number;
  readonly division: number;
  readonly root: number;
  readonly rounding: number;
  readonly randomWord: number;
  /** Bytes/s of rows looked up, and of rows added to a table. */
  readonly gather: number;
  readonly scatter: number;
  /** Seconds to start a kernel on all threads, and a program. */
  readonly kernelStart: number;
  readonly programStart: number;
  /** How much longer a usual run takes than one that nothing disturbs, 1 or more: other processes, other tenants. */
  readonly disturbance: number;
  /** Resident memory of a process besides its numbers, and what each op of a program adds to it. */
  readonly processBytes: number;
  readonly opBytes: number;
  /** For a script that records each step again: the peak garbage on its heap. */
  readonly tracingBytes: number;
  /** Of a process before its first step, at its most, its weights left out: recording and compiling. */
  readonly startBytes: number;
}
/** What computes: a NeuronCore, a GPU, or the CPUs of a machine. */
export type Device = NeuronCore | Gpu | CpuDevice;

/**
 * How the chips of one instance (or UltraServer) are joined.
 * - `torus`: every chip has a link in each direction of each dimension (a ring is a torus of one dimension);
 * - `switch`: any chip to any other at its full rate;
 * - `none`: one chip, or processes that share memory.
 * Bandwidths are bytes/s of one chip, all links together, one direction.
 */
export type Fabric =
  | {
      readonly kind: 'torus';
      readonly name: string;
      readonly shape: readonly number[];
      /** One direction, one link, for each dimension. */
      readonly linkBandwidth: readonly number[];
      readonly latency: number;
    }
  | { readonly kind: 'switch'; readonly name: string; readonly bandwidth: number; readonly latency: number }
  | { readonly kind: 'none'; readonly name: string; readonly bandwidth: number; readonly latency: number };

/** Between instances: bytes/s of one instance, one direction. */
export interface Network {
  readonly name: string;
  readonly bandwidth: number;
  /** Seconds for a small message. */
  readonly latency: number;
}

/** The ways to buy an instance. */
export type PurchaseKind = 'on-demand' | 'spot' | 'reserved-1y' | 'reserved-3y' | 'savings-plan' | 'capacity-block';
/** A price of one instance. */
export interface Price {
  readonly kind: PurchaseKind;
  readonly service: 'ec2' | 'sagemaker';
  readonly perHour: MicroUsd;
  /** The day it was read, YYYY-MM or YYYY-MM-DD. */
  readonly date: string;
  readonly source: string;
  readonly uncertain: boolean;
}

/** A machine as the simulator uses it: devices, memories, links and prices as plain numbers. */
export interface Machine {
  /** `trn1.32xlarge`, `ml.p4d.24xlarge`, `trn2-ultraserver`, or the name of the local machine. */
  readonly name: string;
  readonly profile: FactProfile;
  /** What its maker sells it for, where that is not training. */
  readonly madeFor?: 'inference';
  readonly device: Device;
  readonly chips: number;
  /** Devices a chip (NeuronCores; 1 for a GPU or CPU). */
  readonly devicesPerChip: number;
  /** chips × devicesPerChip. */
  readonly devices: number;
  readonly fabric: Fabric;
  /** Undefined: one machine only. */
  readonly network: Network | undefined;
  readonly hostCpus: number;
  readonly hostMemoryBytes: number;
  /** All that are published; empty: no public price. */
  readonly prices: readonly Price[];
}
