// Accuracy on a dataset: each rank classifies the share of its coordinate on the axis `data`, and the counts are summed.
import {
  allReduceSum,
  type BertForSequenceClassification,
  type ClassificationBatch,
  type DataLoader,
  type Device,
  DeviceLoader,
  ignoredLabel,
  noGrad,
  type TokenizedExample,
} from 'trenio';

/** The share of examples that the model classifies correctly, in [0, 1]. Every rank must call it. */
export async function evaluate(
  model: BertForSequenceClassification,
  loader: DataLoader<TokenizedExample, ClassificationBatch>,
  dev: Device,
): Promise<number> {
  const training = model.training;
  model.eval();
  let right = 0;
  let counted = 0;
  for await (const [data, target] of new DeviceLoader(loader.epoch(0), dev)) {
    const predicted = noGrad(() => model.forward(data).argmax(1)).toArray() as number[];
    const labels = target.toArray() as number[];
    labels.forEach((label, i) => {
      if (label === ignoredLabel) return;
      counted++;
      if (predicted[i] === label) right++;
    });
  }
  model.train(training);
  const [allRight = 0, all = 0] = allReduceSum([right, counted], { group: dev.mesh.group('data') });
  return allRight / all;
}
