// Formats amounts and layouts for the page.
import { formatUsd, type MicroUsd, usd } from '../../../base/money.ts';
import { formatBytes } from '../../../base/units.ts';
import type { Amount, Layout, MemoryEstimate, Prediction } from '../../../simulator/index.ts';
import { describeAmount, formatStep } from '../../../simulator/plan/index.ts';
import { compact } from '../number-text.ts';
import { isCountedInTokens } from '../table.ts';

/** From $1,000 on without cents: a prediction does not have them. */
export function roundedUsd(amount: MicroUsd): string {
  if (amount > 0 && amount < usd(0.1)) return formatUsd(amount, { maxDecimals: 6 });
  const text = formatUsd(Math.abs(amount) < usd(1000) ? amount : usd(Math.round(amount / 1e6)));
  return Math.abs(amount) < usd(1000) ? text : text.replace(/\.00$/, '');
}

/** On an axis: `$1.5`, `$200k`, `$3M`. */
export function shortUsd(dollars: number): string {
  const [size, unit] =
    dollars >= 1e9 ? [1e9, 'B'] : dollars >= 1e6 ? [1e6, 'M'] : dollars >= 1e4 ? [1e3, 'k'] : [1, ''];
  return `$${Number((dollars / size).toPrecision(3)).toLocaleString('en-US', { maximumFractionDigits: 6 })}${unit}`;
}

/** A tick label of an axis: `2 s`, not `2.00 s`; `1 h`, not `1 h 00 min`; from one day on, in days. */
export function tickOf(seconds: number): string {
  if (seconds >= 86_400) return `${Number((seconds / 86_400).toPrecision(3)).toLocaleString('en-US')} d`;
  return formatStep(seconds)
    .replace(/ 00 (?:s|min)$/, '')
    .replace(/\.0+(?= )|(?<=\.\d*[1-9])0+(?= )/, '');
}

export const wholePercent = (share: number): string => {
  const value = share * 100;
  return `${value > 0 && value < 10 ? Number(value.toPrecision(2)) : Math.round(value)} %`;
};

/** `65.8 of 80.0 GiB` */
export function memoryUse({ total, capacity }: MemoryEstimate): string {
  const [used, all] = [formatBytes(total), formatBytes(capacity)];
  const unit = all.slice(all.indexOf(' '));
  return used.endsWith(unit) ? `${used.slice(0, -unit.length)} of ${all}` : `${used} of ${all}`;
}

/** `313.1 samples/s`, and tokens where samples have them. */
export function throughputOf(prediction: Prediction): {
  readonly samples: string;
  readonly tokens: string | undefined;
} {
  return {
    samples: `${compact(prediction.samplesPerSecond)} samples/s`,
    tokens: isCountedInTokens(prediction)
      ? `${compact(prediction.tokensPerStep! / prediction.stepSeconds)} tokens/s`
      : undefined,
  };
}

/** The amount as part of a sentence: `on 1T tokens`, `for 7,000 steps`. */
export const forAmount = (amount: Amount): string =>
  `${amount.kind === 'tokens' || amount.kind === 'samples' ? 'on' : 'for'} ${describeAmount(amount)}`;

/** Describes a layout for readers who do not know the notation `dp64 tp2 zero1 sp · 1 × 4`. */
export function layoutInWords(layout: Layout): readonly string[] {
  const { data, tensor, pipeline, interleave, expert, zero1, sequenceParallel, recompute } = layout;
  const devices = tensor * pipeline;
  const plural = (count: number, what: string): string =>
    `${count.toLocaleString('en-US')} ${what}${count === 1 ? '' : what.endsWith('h') ? 'es' : 's'}`;
  return [
    `${data === 1 ? '1 copy' : `${data.toLocaleString('en-US')} copies`} of the model, each on ${plural(devices, 'device')}`,
    ...(tensor > 1 ? [`${tensor} devices share each layer (tensor parallel)`] : []),
    ...(pipeline > 1 ? [`${pipeline} pipeline stages${interleave > 1 ? ` with ${interleave} chunks each` : ''}`] : []),
    ...(expert > 1 ? [`${expert} devices share the experts (expert parallel)`] : []),
    ...(zero1 ? ['optimizer state sharded over the copies (ZeRO-1)'] : []),
    ...(sequenceParallel ? ['norms and dropout split along the sequence'] : []),
    ...(recompute === 'none' ? [] : [`${recompute} recomputation of activations`]),
    `${plural(layout.microBatches, 'micro-batch')} of ${plural(layout.microBatch, 'sample')} per step on each copy`,
  ];
}
