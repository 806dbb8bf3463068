// REINFORCE (Williams, 1992) on CartPole: a policy that samples actions, and learns from the returns of each episode. The number
// of steps of an episode, and with it the number of losses that are summed, changes each time.
//
//   node examples/reinforce/train.ts [--steps 20000]
import { parseArgs } from 'node:util';
import { Adam, device, distributions, manualSeed, nn, stack, type Tensor, tensor } from 'trenio';
import { CartPole, type State } from '../cart-pole.ts';
import { countOf } from '../count-of.ts';
import { randomNumbers } from '../random.ts';

const { values: options } = parseArgs({ options: { steps: { type: 'string', default: '20000' } } });
const totalSteps = countOf('--steps', options.steps);
const discount = 0.99;

class Policy extends nn.Module {
  layers = new nn.Sequential(new nn.Linear(4, 128), new nn.Dropout(0.6), new nn.ReLU(), new nn.Linear(128, 2));

  /** States [1, 4] → the probabilities of the actions, [1, 2] */
  override forward(x: Tensor): Tensor {
    return this.layers(x).softmax(1);
  }
}

manualSeed(1);
const policy = new Policy();
const optimizer = new Adam(policy.parameters(), { lr: 1e-2 });
const cart = new CartPole(randomNumbers(1));

/** An action, and its log-probability [1]. */
function act(state: State): readonly [action: number, logProb: Tensor] {
  const choices = new distributions.Categorical({ probs: policy(tensor([state])) });
  const action = choices.sample();
  return [action.item(), choices.logProb(action)];
}

/** Episodes until the pole falls: the log-probabilities of the actions. All rewards are 1. */
function episode(maxSteps: number): readonly Tensor[] {
  const logProbs: Tensor[] = [];
  let state = cart.reset();
  for (let isOver = false; !isOver && logProbs.length < maxSteps; ) {
    const [action, logProb] = act(state);
    logProbs.push(logProb);
    ({ state, isOver } = cart.step(action));
  }
  return logProbs;
}

function learn(logProbs: readonly Tensor[]): Tensor {
  const returns: number[] = [];
  for (let sum = 0, i = 0; i < logProbs.length; i++) {
    sum = 1 + discount * sum;
    returns.unshift(sum);
  }
  let normalized = tensor(returns);
  normalized = normalized.sub(normalized.mean()).div(normalized.std().add(1e-8));
  const losses = logProbs.map((logProb, i) => logProb.neg().mul(normalized.at(i)));
  optimizer.zeroGrad();
  const loss = stack(losses).sum();
  loss.backward();
  optimizer.step();
  return loss;
}

let running = 10;
for (let steps = 0, episodes = 0, reported = 0; steps < totalSteps; ) {
  const logProbs = episode(totalSteps - steps);
  steps += logProbs.length;
  episodes++;
  running += 0.05 * (logProbs.length - running);
  const loss = learn(logProbs);
  if (episodes > 1 && steps < reported + 1000 && steps < totalSteps) continue;
  reported = steps;
  console.log(
    `${steps} steps, ${episodes} episodes: loss ${loss.item().toFixed(2)}, mean length ${running.toFixed(0)} steps`,
  );
}
console.log(`${device().metrics.compiles} programs compiled`);
