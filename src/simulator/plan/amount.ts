// The amount of training, and the number of steps.
import { assertNever, TrenioError } from '../../base/errors.ts';
import type { Prediction } from '../prediction.ts';

/** The amount of training: steps, samples, tokens or epochs. */
export type Amount =
  | {
      /** Discriminates the members of the union. */
      readonly kind: 'steps';
      /** The number of steps. */
      readonly steps: number;
    }
  | {
      /** Discriminates the members of the union. */
      readonly kind: 'samples';
      /** The number of samples in an epoch, or in all. */
      readonly samples: number;
    }
  | {
      /** Discriminates the members of the union. */
      readonly kind: 'tokens';
      /** The number of tokens. */
      readonly tokens: number;
    }
  /** Passes over a dataset of `samples` samples; may be fractional. */
  | {
      /** Discriminates the members of the union. */
      readonly kind: 'epochs';
      /** The number of epochs. */
      readonly epochs: number;
      /** The number of samples in an epoch, or in all. */
      readonly samples: number;
    };

/** The samples and tokens of a step. */
export type Step = Pick<Prediction, 'model' | 'samplesPerStep' | 'tokensPerStep'>;

/**
 * Whole steps, rounded up: the last batch of an epoch may be smaller, but is a step as well.
 * @throws {INVALID_OPTION} for an amount that is not above 0 or beyond 2^53 steps, and for tokens if samples have none
 * @example
 * const model = simulator.modelOf('gpt2');
 * const run = { kind: 'training', sequence: 1024, optimizer: 'adamw' } as const;
 * const workload = { model, run, precision: 'bf16-mixed', attention: 'blocked' } as const;
 * const machine = hardware.machineOf('p5.48xlarge');
 * const question = { workload, machine, nodes: 1, space: { globalBatch: 64 } };
 * const { prediction } = simulator.chooseLayout(question, simulator.predict);
 * simulator.stepsOf({ kind: 'tokens', tokens: 1e9 }, prediction) // 15259
 */
export function stepsOf(amount: Amount, step: Step): number {
  const steps = countOf(amount, step);
  if (Number.isSafeInteger(steps)) return steps;
  throw new TrenioError('INVALID_OPTION', {
    what: 'a plan',
    option: amount.kind,
    got: `${steps} steps`,
    expected: 'an amount of at most 2^53 steps',
  });
}

function countOf(amount: Amount, step: Step): number {
  switch (amount.kind) {
    case 'steps':
      return Math.ceil(positive('steps', amount.steps));
    case 'samples':
      return Math.ceil(positive('samples', amount.samples) / step.samplesPerStep);
    case 'tokens':
      if (step.tokensPerStep === undefined) {
        throw new TrenioError('INVALID_OPTION', {
          what: `the plan of ${step.model}`,
          option: 'tokens',
          got: `${amount.tokens}, but how many tokens a step has is not known`,
          expected: 'an amount in steps, samples or epochs',
        });
      }
      return Math.ceil(positive('tokens', amount.tokens) / step.tokensPerStep);
    case 'epochs': {
      const stepsPerEpoch = Math.ceil(positive('samples of an epoch', amount.samples) / step.samplesPerStep);
      return Math.ceil(positive('epochs', amount.epochs) * stepsPerEpoch);
    }
    default:
      return assertNever(amount);
  }
}

/**
 * `3 epochs of 25,000 samples`
 * @example
 * simulator.describeAmount({ kind: 'tokens', tokens: 1e9 }) // '1B tokens'
 */
export function describeAmount(amount: Amount): string {
  switch (amount.kind) {
    case 'steps':
      return counted(amount.steps, 'step');
    case 'samples':
      return counted(amount.samples, 'sample');
    case 'tokens':
      return counted(amount.tokens, 'token');
    case 'epochs':
      return `${counted(amount.epochs, 'epoch')} of ${counted(amount.samples, 'sample')}`;
    default:
      return assertNever(amount);
  }
}

/** Millions and more in short form: `1T tokens`, `3.6M samples`. */
function counted(count: number, what: string): string {
  const unit = (
    [
      [1e12, 'T'],
      [1e9, 'B'],
      [1e6, 'M'],
    ] as const
  ).find(([size]) => count >= size && count % (size / 1000) === 0);
  const written = unit === undefined ? count.toLocaleString('en-US') : `${count / unit[0]}${unit[1]}`;
  return `${written} ${what}${count === 1 ? '' : 's'}`;
}

function positive(option: string, value: number): number {
  if (value > 0 && Number.isFinite(value)) return value;
  throw new TrenioError('INVALID_OPTION', {
    what: 'a plan',
    option,
    got: `${value}`,
    expected: 'a number above 0',
  });
}
