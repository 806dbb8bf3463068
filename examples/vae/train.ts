// A variational autoencoder (Kingma & Welling 2014): learns to generate digits from 8 latent variables, then samples new ones.
//
//   node examples/vae/train.ts [--epochs 8]
import { parseArgs } from 'node:util';
import { AdamW, DataLoader, DeviceLoader, device, manualSeed, nn, noGrad, randn, type Tensor } from 'trenio';
import { countOf } from '../count-of.ts';
import { asText, digits, side } from '../digits/digits.ts';

const { values: options } = parseArgs({ options: { epochs: { type: 'string', default: '8' } } });
const epochs = countOf('--epochs', options.epochs);
const pixels = side * side;
const latent = 8;

class Vae extends nn.Module {
  encoder = new nn.Sequential(new nn.Linear(pixels, 256), new nn.ReLU());
  mean = new nn.Linear(256, latent);
  logVariance = new nn.Linear(256, latent);
  decoder = new nn.Sequential(new nn.Linear(latent, 256), new nn.ReLU(), new nn.Linear(256, pixels));

  /** x [B, pixels] → logits [B, pixels], and the distribution of the code [B, latent] */
  override forward(x: Tensor): { logits: Tensor; mean: Tensor; logVariance: Tensor } {
    const h = this.encoder(x);
    const [mean, logVariance] = [this.mean(h), this.logVariance(h)];
    const code = mean.add(randn(mean.shape).mul(logVariance.mul(0.5).exp()));
    return { logits: this.decoder(code), mean, logVariance };
  }
}

manualSeed(1);
const model = new Vae();
const optimizer = new AdamW(model.parameters(), { lr: 1e-3 });
const loader = new DataLoader(digits(4000, 1), { batchSize: 100, shuffle: true, dropLast: true });

for (let epoch = 1; epoch <= epochs; epoch++) {
  let total = 0;
  for await (const [images] of new DeviceLoader(loader, device())) {
    const x = images.reshape(-1, pixels);
    const { logits, mean, logVariance } = model(x);
    const reconstruction = nn.functional.binaryCrossEntropyWithLogits(logits, x, { reduction: 'sum' });
    const divergence = logVariance.add(1).sub(mean.square()).sub(logVariance.exp()).sum().mul(-0.5);
    const loss = reconstruction.add(divergence).div(x.shape[0]!);
    optimizer.zeroGrad();
    loss.backward();
    optimizer.step();
    total += loss.item();
  }
  console.log(`epoch ${epoch}: loss ${(total / loader.length).toFixed(1)} per image`);
}

const drawn = noGrad(() => model.decoder(randn([4, latent])).sigmoid());
const images = Array.from({ length: 4 }, (_, i) =>
  asText(drawn.data.slice(i * pixels, (i + 1) * pixels) as Float32Array),
);
const lines = images.map(image => image.split('\n'));
for (let row = 0; row < side; row++) console.log(lines.map(line => line[row]!).join(' '));
