export {
  type AcceleratorName,
  findInstance,
  type InstanceType,
  instanceTypes,
  pricedNames,
  priceOf,
} from './catalogue.ts';
export type { Fact } from './fact.ts';
export { type PublishedRun, publishedBertRuns } from './published.ts';
