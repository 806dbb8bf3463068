// How each row is purchased, in words: the chosen purchase option and its price.
import { type MicroUsd, usd } from '../../base/money.ts';
import type { Price, PurchaseKind } from '../../hardware/machine.ts';
import type { Prediction } from '../../simulator/index.ts';
import { cheapestRate, type Quote, termsOf } from '../../simulator/plan/index.ts';
import type { PlanRequest } from './request.ts';

export type RowPurchase =
  | {
      readonly kind: 'priced';
      readonly price: Price;
      /** The cost of the training run; undefined if its length was not given. */
      readonly cost: MicroUsd | undefined;
      /** The cost of a million samples, excluding start-up. */
      readonly perMillion: MicroUsd;
    }
  /** Here already: nothing is bought. */
  | { readonly kind: 'own' }
  | { readonly kind: 'no public price' }
  | { readonly kind: 'not sold'; readonly reason: string };

/** `quote` of the training run; undefined: no amount was given, and the cheapest rate counts. */
export function rowPurchase(request: PlanRequest, prediction: Prediction, quote: Quote | undefined): RowPurchase {
  const { machine, nodes } = prediction;
  if (machine.device.kind === 'cpu') return { kind: 'own' };
  const perMillion = (perHour: number): MicroUsd =>
    usd((perHour / 1e6 / 3600) * (nodes / prediction.samplesPerSecond) * 1e6);
  if (quote === undefined) {
    const { startUp, purchase } = request;
    const rate = cheapestRate(nodes, termsOf(machine, { startUp, purchase: purchase.kinds, spot: purchase.spot }));
    if (rate === undefined) return { kind: 'no public price' };
    return { kind: 'priced', price: rate.offer.price, cost: undefined, perMillion: perMillion(rate.perHour) };
  }
  if (quote.kind === 'refused') return { kind: 'not sold', reason: quote.reason };
  if (quote.kind !== 'priced') return { kind: 'no public price' };
  const { price, toPay } = quote;
  return { kind: 'priced', price, cost: toPay, perMillion: perMillion(price.perHour) };
}

/** Why there is no cost, in two or three words; undefined if there is one. */
export function whyUnpriced({ kind }: RowPurchase): string | undefined {
  return kind === 'priced' ? undefined : kind === 'own' ? 'your own' : kind;
}

/** The cost of the training run, or of a million samples if its length was not given; undefined: unknown, or free. */
export function costOfPurchase(bought: RowPurchase): MicroUsd | undefined {
  return bought.kind === 'priced' ? (bought.cost ?? bought.perMillion) : undefined;
}

const names: Readonly<Record<PurchaseKind, string>> = {
  'on-demand': 'on demand',
  spot: 'spot',
  'reserved-1y': 'reserved 1 year',
  'reserved-3y': 'reserved 3 years',
  'savings-plan': 'savings plan',
  'capacity-block': 'capacity block',
};
const serviceNames: Readonly<Record<Price['service'], string>> = { ec2: 'EC2', sagemaker: 'SageMaker' };
/** `EC2 on demand` */
export const wayName = ({ service, purchase }: { service: Price['service']; purchase: PurchaseKind }): string =>
  `${serviceNames[service]} ${names[purchase]}`;
export const wayOf = ({ service, kind }: Price): string => wayName({ service, purchase: kind });

const sentences: Readonly<Record<PurchaseKind, string>> = {
  'on-demand': 'bought on demand',
  spot: 'bought as spot instances',
  'reserved-1y': 'reserved for a year',
  'reserved-3y': 'reserved for three years',
  'savings-plan': 'on a savings plan',
  'capacity-block': 'bought as a capacity block',
};
/** `bought on demand from EC2` */
export const boughtSentence = ({ service, kind }: Price): string => `${sentences[kind]} from ${serviceNames[service]}`;
