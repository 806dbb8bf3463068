// Random scripts with a loop: statements over values that are carried, parameters, inputs of each iteration, numbers and slices;
// lists of results that are stacked, summed or read by a second loop; with or without a backward pass.
import type { Func } from '../../hlo/program.ts';
import { InterpreterBackend } from '../../runtime/backends/interpreter/interpreter-backend.ts';
import { cat, Device, ones, setDefaultDevice, stack, type Tensor, tensor, zeros } from '../index.ts';

/** Numbers in [0, limit), the same for a seed. */
export function randomOf(seed: number): (limit: number) => number {
  let state = seed * 2654435761;
  return limit => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x6d2b79f5) | 0;
    return ((state ^ (state >>> 13)) >>> 0) % limit;
  };
}

type Statement = (state: Tensor[], t: number) => Tensor;

/** Records the script of a seed with this number of iterations; ends with a step. */
export function runScript(device: Device, seed: number, turns: number): void {
  const random = randomOf(seed);
  const size = 3;
  const w = ones([size, size], { requiresGrad: true });
  const bias = zeros([size], { requiresGrad: true });
  const table = ones([turns, size], { requiresGrad: random(2) === 0 });
  const statement = (): Statement => {
    const [kind, i, k] = [random(12), random(4), random(4)];
    switch (kind) {
      case 0:
        return s => s[i % s.length]!.add(s[k % s.length]!);
      case 1:
        return s => s[i % s.length]!.mul(s[k % s.length]!);
      case 2:
        return s => s[i % s.length]!.matmul(w).tanh();
      case 3:
        return s => s[i % s.length]!.sub(bias).relu();
      case 4:
        return (s, t) => s[i % s.length]!.add(tensor([t, 1, 2]));
      case 5:
        return (s, t) => s[i % s.length]!.mul(0.9 ** t);
      case 6:
        return (s, t) => s[i % s.length]!.add(table.select(0, t));
      case 7:
        return (s, t) => s[i % s.length]!.mul(table.select(0, turns - 1 - t));
      case 8:
        return s => s[i % s.length]!.softmax(0);
      case 9:
        return s => s[i % s.length]!.sum().add(s[k % s.length]!);
      case 10:
        return s =>
          s[i % s.length]!.max()
            .mul(s[k % s.length]!)
            .sigmoid();
      default:
        return s => cat([s[i % s.length]!.slice(0, 0, 1), s[k % s.length]!.slice(0, 1, size)]);
    }
  };
  const body = Array.from({ length: 1 + random(5) }, statement);
  const carried = 1 + random(2);
  let state: Tensor[] = Array.from({ length: carried }, (_, i) => bias.add(i));
  const list: Tensor[] = [];
  const scalars: Tensor[] = [];
  const [hasScalars, isKept] = [random(2) === 0, random(4) === 0];
  for (let t = 0; t < turns; t++) {
    const values = [...state];
    for (const next of body) values.push(next(values.slice(-3), t));
    state = values.slice(-carried);
    list.push(state[0]!);
    if (hasScalars) scalars.push(state[0]!.mean());
  }
  if (isKept) for (const value of list) value.keep();
  let loss = state[0]!.sum();
  if (hasScalars) loss = loss.add(stack(scalars).square().sum());
  switch (random(5)) {
    case 0:
      loss = loss.add(stack(list).square().mean());
      break;
    case 1:
      loss = loss.add(cat(list).exp().sum());
      break;
    case 2:
      for (const value of list) loss = loss.add(value.prod());
      break;
    case 3: {
      let back = zeros([size]);
      for (const value of [...list].reverse()) back = back.mul(0.5).add(value);
      loss = loss.add(back.sum());
      break;
    }
    default:
  }
  if (random(4) > 0) loss.backward();
  loss.keep();
  device.markStep();
}

/** The program of the script's step. */
export function recordedScript(seed: number, turns: number): Func {
  const device = new Device(new InterpreterBackend(), { seed: 0, log: () => {} });
  setDefaultDevice(device);
  let func: Func | undefined;
  try {
    device.observed(
      run => {
        func = run.func;
      },
      () => runScript(device, seed, turns),
    );
  } finally {
    setDefaultDevice(undefined);
  }
  return func!;
}
