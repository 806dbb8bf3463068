// The namespace `utils.data` of the public API: the names of torch.utils.data.
export { ChainDataset } from './datasets/chain-dataset.ts';
export { ConcatDataset, randomSplit, StackDataset, Subset } from './datasets/combined-datasets.ts';
export { Dataset } from './datasets/dataset.ts';
export { IterableDataset } from './datasets/iterable-dataset.ts';
export {
  BatchSampler,
  DistributedSampler,
  RandomSampler,
  type Sampler,
  SequentialSampler,
  SubsetRandomSampler,
  WeightedRandomSampler,
} from './datasets/samplers.ts';
export { TensorDataset } from './datasets/tensor-dataset.ts';
export { defaultCollate } from './loader/collate.ts';
export { DataLoader } from './loader/data-loader.ts';
