// The namespace `utils.data` of the public API: the names of torch.utils.data.
export { ChainDataset } from './chain-dataset.ts';
export { defaultCollate } from './collate.ts';
export { ConcatDataset, randomSplit, StackDataset, Subset } from './combined-datasets.ts';
export { DataLoader } from './data-loader.ts';
export { Dataset } from './dataset.ts';
export { IterableDataset } from './iterable-dataset.ts';
export {
  BatchSampler,
  DistributedSampler,
  RandomSampler,
  type Sampler,
  SequentialSampler,
  SubsetRandomSampler,
  WeightedRandomSampler,
} from './samplers.ts';
export { TensorDataset } from './tensor-dataset.ts';
