// An LSTM that continues a curve: predicts the next value of noisy sines with random frequencies.
//
//   node examples/lstm/train.ts [--steps 300]
import { parseArgs } from 'node:util';
import { Adam, arange, cat, manualSeed, nn, noGrad, optim, rand, randn, type Tensor } from 'trenio';
import { countOf } from '../count-of.ts';

const { values: options } = parseArgs({ options: { steps: { type: 'string', default: '300' } } });
const steps = countOf('--steps', options.steps);
const length = 24;

/** Curves [B, length + 1, 1]. */
function curves(batch: number): Tensor {
  const [frequency, phase] = [rand([batch, 1]).mul(0.6).add(0.2), rand([batch, 1]).mul(2 * Math.PI)];
  const time = arange(length + 1).float();
  return frequency.mul(time).add(phase).sin().unsqueeze(-1);
}

class Forecast extends nn.Module {
  lstm = new nn.LSTM(1, 32, { batchFirst: true });
  head = new nn.Linear(32, 1);

  /** [B, T, 1] → the predicted next values, [B, T, 1] */
  override forward(x: Tensor): Tensor {
    const [output] = this.lstm(x);
    return this.head(output);
  }
}

manualSeed(1);
const model = new Forecast();
const optimizer = new Adam(model.parameters(), { lr: 1e-2 });
const schedule = new optim.lrScheduler.CosineAnnealingLR(optimizer, { tMax: steps });
const criterion = new nn.MSELoss();

for (let step = 1; step <= steps; step++) {
  const curve = curves(32);
  const seen = curve.narrow(1, 0, length);
  const loss = criterion(model(seen.add(randn(seen.shape).mul(0.02))), curve.narrow(1, 1, length));
  optimizer.zeroGrad();
  loss.backward();
  optimizer.step();
  schedule.step();
  if (step % 50 === 0) console.log(`step ${step}: mean squared error ${loss.item().toFixed(4)}`);
}

// Predictions become the next inputs. The window has a fixed length, so that there is a single program.
let window = curves(1).narrow(1, 0, length);
const forecast: number[] = [];
model.eval();
for (let i = 0; i < 12; i++) {
  const next = noGrad(() => model(window).narrow(1, length - 1, 1));
  forecast.push(next.item());
  window = cat([window.narrow(1, 1, length - 1), next], 1);
}
console.log(`forecast: ${forecast.map(value => value.toFixed(2)).join(' ')}`);
