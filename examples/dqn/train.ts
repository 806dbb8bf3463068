// Deep Q-learning (Mnih et al., 2015) on CartPole, with a replay memory and a target network. In each batch, another number of
// states has a next state.
//
//   node examples/dqn/train.ts [--steps 20000]
import { parseArgs } from 'node:util';
import { AdamW, cat, clipGradValue_, device, manualSeed, nn, noGrad, type Tensor, tensor, zeros } from 'trenio';
import { CartPole, type State } from '../cart-pole.ts';
import { countOf } from '../count-of.ts';
import { randomNumbers } from '../random.ts';

const { values: options } = parseArgs({ options: { steps: { type: 'string', default: '20000' } } });
const totalSteps = countOf('--steps', options.steps);
const batchSize = 128;
const discount = 0.99;
const memorySize = 10_000;
/** How much of the target network is replaced at each step. */
const tau = 0.005;

interface Transition {
  /** [1, 4] */
  readonly state: Tensor;
  /** [1, 1] */
  readonly action: Tensor;
  /** [1, 4]; undefined if the pole has fallen. */
  readonly next: Tensor | undefined;
  /** [1] */
  readonly reward: Tensor;
}

/** States [N, 4] → the value of each action, [N, 2] */
const network = (): nn.Sequential =>
  new nn.Sequential(
    new nn.Linear(4, 128),
    new nn.ReLU(),
    new nn.Linear(128, 128),
    new nn.ReLU(),
    new nn.Linear(128, 2),
  );

manualSeed(1);
const random = randomNumbers(1);
const [policy, target] = [network(), network()];
target.loadStateDict(policy.stateDict());
const optimizer = new AdamW(policy.parameters(), { lr: 3e-4, amsgrad: true });
const criterion = new nn.SmoothL1Loss();
const memory: Transition[] = [];

/** The best action, or, in the beginning more often, any. */
function act(state: Tensor, steps: number): number {
  const exploration = 0.01 + 0.89 * Math.exp(-steps / 2500);
  if (random() < exploration) return Math.floor(random() * 2);
  return noGrad(() => policy(state).argmax(1)).item();
}

function sample(): readonly Transition[] {
  const chosen = new Set<Transition>();
  while (chosen.size < batchSize) chosen.add(memory[Math.floor(random() * memory.length)]!);
  return [...chosen];
}

function learn(): Tensor {
  const batch = sample();
  const hasNext = tensor(batch.map(({ next }) => next !== undefined));
  const values = policy(cat(batch.map(({ state }) => state))).gather(1, cat(batch.map(({ action }) => action)));
  const expected = noGrad(() => {
    const next = cat(batch.flatMap(transition => transition.next ?? []));
    const nextValues = zeros(batchSize).indexPut([hasNext], target(next).max(1)[0]);
    return nextValues.mul(discount).add(cat(batch.map(({ reward }) => reward)));
  });
  const loss = criterion(values, expected.unsqueeze(1));
  optimizer.zeroGrad();
  loss.backward();
  clipGradValue_(policy.parameters(), 100);
  optimizer.step();
  noGrad(() => {
    const updated = [...policy.parameters()];
    for (const [i, parameter] of [...target.parameters()].entries()) parameter.lerp_(updated[i]!, tau);
  });
  return loss;
}

const cart = new CartPole(random);
const stateTensor = (state: State): Tensor => tensor([state]);
let running = 10;
let loss: Tensor | undefined;
for (let steps = 0, episodes = 0, length = 0, state = stateTensor(cart.reset()); steps < totalSteps; ) {
  const action = act(state, steps);
  const result = cart.step(action);
  const next = result.hasFallen ? undefined : stateTensor(result.state);
  memory.push({ state, action: tensor([[action]]), next, reward: tensor([1]) });
  if (memory.length > memorySize) memory.shift();
  steps++;
  length++;
  if (memory.length >= batchSize) loss = learn();
  if (result.isOver) {
    episodes++;
    running += 0.05 * (length - running);
    length = 0;
  }
  state = result.isOver ? stateTensor(cart.reset()) : next!;
  if (steps === batchSize || steps % 1000 === 0 || steps === totalSteps)
    console.log(
      `${steps} steps, ${episodes} episodes: loss ${loss?.item().toFixed(4)}, mean length ${running.toFixed(0)} steps`,
    );
}
console.log(`${device().metrics.compiles} programs compiled`);
