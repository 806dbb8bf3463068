// Why a job has no instances yet: one value, which the scheduler or the engine stores and all views show, as the message of the
// job's state or as text.

export type WaitReason =
  /** Too few instances of its type are free. */
  | {
      readonly kind: 'instances';
      readonly instanceType: string;
      readonly needed: number;
      readonly free: number;
      /** How many there are in total, and how many of these are kept for blocks and in warm pools. */
      readonly total: number;
      readonly held: number;
    }
  /** This machine runs as many jobs as it has cores. */
  | { readonly kind: 'cores' }
  /** Jobs of an instance type start in their order. */
  | { readonly kind: 'order'; readonly instanceType: string }
  | { readonly kind: 'block starts later'; readonly block: string; readonly startMs: number }
  | { readonly kind: 'block is full'; readonly block: string; readonly needed: number; readonly free: number }
  | { readonly kind: 'no spot instances' }
  /** The reason of the engine that has the machines. */
  | { readonly kind: 'engine'; readonly text: string };

/** The reason as a clause: `2 ml.trn1.2xlarge are needed, 1 of 4 is free`. */
export function describeWait(reason: WaitReason): string {
  switch (reason.kind) {
    case 'instances': {
      const { instanceType, needed, free, total, held } = reason;
      const kept = held === 0 ? '' : `, ${held} kept for capacity blocks or in warm pools`;
      return `${needed} ${instanceType} ${isOrAre(needed)} needed, ${free} of ${total} ${isOrAre(free)} free${kept}`;
    }
    case 'cores':
      return 'this machine runs as many jobs as it has cores';
    case 'order':
      return `an earlier job waits for ${reason.instanceType}`;
    case 'block starts later':
      return `the capacity block ${reason.block} starts at ${new Date(reason.startMs).toISOString().replace(/\.\d+/, '')}`;
    case 'block is full': {
      const { block, needed, free } = reason;
      return `${needed} ${needed === 1 ? 'instance' : 'instances'} of the capacity block ${block} ${isOrAre(needed)} needed, ${free} ${isOrAre(free)} free`;
    }
    case 'no spot instances':
      return 'no spot instances are available';
    case 'engine':
      return reason.text;
  }
}

const isOrAre = (count: number): string => (count === 1 ? 'is' : 'are');
