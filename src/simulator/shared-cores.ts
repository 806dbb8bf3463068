// Training on virtual hosts that share the cores of one machine, each with one rank: the processor time of a step, and the share
// of it that is communication, from two measured steps.
//
//   rank   ▣ trace, update ▣ micro-batch … ▣ micro-batch │ all-reduce: a message each way for each other rank, and their bytes
//
// Cores are the only resource: hosts compute on them, and the kernel copies the bytes between hosts on them (there is no network
// card). A rank that waits for others leaves its core to them, so waiting is not part of the share. Per rank,
//
//   compute        = step + micro-batch × micro-batches
//   communication  = message × (hosts - 1) + gradients × 2 (hosts - 1) / hosts
//
// where `gradients` is the time to send, receive and add all gradients once. Each line has two unknown times, which two
// measured steps determine.

/** Processor times of a rank, in milliseconds. */
export interface SharedCoresStep {
  readonly computeMs: number;
  readonly communicationMs: number;
}
export interface SharedCoresRun {
  readonly hosts: number;
  /** Micro-batches of each rank in a step. */
  readonly microBatches: number;
}
export type MeasuredRun = SharedCoresRun & SharedCoresStep;

/** Bytes that each rank sends in an all-reduce, as a multiple of its gradients. */
const traffic = (hosts: number): number => (2 * (hosts - 1)) / hosts;

/**
 * The step of a run, from the steps of two others, which have different numbers of micro-batches, and different numbers of hosts,
 * at least two.
 *
 * @example
 * sharedCoresStep({ hosts: 16, microBatches: 1 }, [
 *   { hosts: 4, microBatches: 1, computeMs: 40, communicationMs: 2 },
 *   { hosts: 8, microBatches: 4, computeMs: 100, communicationMs: 3.5 },
 * ]);
 */
export function sharedCoresStep(
  { hosts, microBatches }: SharedCoresRun,
  [a, b]: readonly [MeasuredRun, MeasuredRun],
): SharedCoresStep {
  const microBatchMs = atLeast0((b.computeMs - a.computeMs) / (b.microBatches - a.microBatches));
  const stepMs = atLeast0(a.computeMs - microBatchMs * a.microBatches);
  // Divided by hosts - 1: message + gradients × 2 / hosts.
  const perPeer = (run: MeasuredRun): number => run.communicationMs / (run.hosts - 1);
  const gradientsMs = atLeast0((perPeer(a) - perPeer(b)) / (2 / a.hosts - 2 / b.hosts));
  const messageMs = atLeast0(perPeer(a) - (gradientsMs * 2) / a.hosts);
  return {
    computeMs: stepMs + microBatchMs * microBatches,
    communicationMs: messageMs * (hosts - 1) + gradientsMs * traffic(hosts),
  };
}

/** The share of communication in the processor time of a step. */
export const communicationShare = ({ computeMs, communicationMs }: SharedCoresStep): number =>
  communicationMs / (computeMs + communicationMs);

const atLeast0 = (ms: number): number => Math.max(0, ms);
