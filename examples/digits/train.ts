// A convolutional network that classifies digits, trained and tested on generated images (digits.ts).
//
//   node examples/digits/train.ts [--epochs 3]
import { parseArgs } from 'node:util';
import { AdamW, DataLoader, DeviceLoader, device, manualSeed, nn, noGrad, type Tensor } from 'trenio';
import { countOf } from '../count-of.ts';
import { asText, digits } from './digits.ts';

const { values: options } = parseArgs({ options: { epochs: { type: 'string', default: '3' } } });
const epochs = countOf('--epochs', options.epochs);

class Net extends nn.Module {
  features = new nn.Sequential(
    new nn.Conv2d(1, 8, 3, { padding: 1 }),
    new nn.ReLU(),
    new nn.MaxPool2d(2), //                             [B, 8, 14, 14]
    new nn.Conv2d(8, 16, 3, { padding: 1 }),
    new nn.ReLU(),
    new nn.MaxPool2d(2), //                             [B, 16, 7, 7]
  );
  classifier = new nn.Sequential(new nn.Flatten(), new nn.Dropout(0.1), new nn.Linear(16 * 7 * 7, 10));

  override forward(x: Tensor): Tensor {
    return this.classifier(this.features(x));
  }
}

manualSeed(1);
const model = new Net();
const optimizer = new AdamW(model.parameters(), { lr: 2e-3 });
const criterion = new nn.CrossEntropyLoss();
const training = new DataLoader(digits(4000, 1), { batchSize: 50, shuffle: true });
const test = new DataLoader(digits(1000, 2), { batchSize: 50 });

for (let epoch = 1; epoch <= epochs; epoch++) {
  model.train();
  let total = 0;
  for await (const [images, labels] of new DeviceLoader(training, device())) {
    optimizer.zeroGrad();
    const loss = criterion(model(images.reshape(-1, 1, 28, 28)), labels);
    loss.backward();
    optimizer.step();
    total += loss.item();
  }
  model.eval();
  let right = 0;
  for await (const [images, labels] of new DeviceLoader(test, device())) {
    const found = noGrad(() => model(images.reshape(-1, 1, 28, 28)).argmax(1));
    right += found.eq(labels).sum().item();
  }
  console.log(`epoch ${epoch}: loss ${(total / training.length).toFixed(3)}, accuracy ${(right / 10).toFixed(1)} %`);
}

const [image, digit] = await digits(10, 3).get(7);
console.log(asText(image), `\nthis is a ${digit}`);
