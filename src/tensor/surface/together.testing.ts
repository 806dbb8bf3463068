// Programs that share a process must not affect each other: what a device remembers of one (lines, numbers that change, results
// of reads, compiled programs) makes later ones faster, never different. Here, samples of the table and writes at random indices
// run in random order on one device, from the same lines, and each must have the bits that it has on a new device.
import { isTrenioError } from '../../base/errors.ts';
import { formatType } from '../../hlo/types.ts';
import type { Backend } from '../../runtime/backends/backend.ts';
import { Device } from '../device.ts';
import { tensor } from '../functions/create.ts';
import { slice } from '../indexing/index-spec.ts';
import { Tensor } from '../tensor.ts';
import { call } from './call.ts';
import { groups } from './index.ts';
import { argumentList, build } from './pytorch.testing.ts';
import { argumentsOf, samplesOf } from './samples.testing.ts';

type Draw = (below: number) => number;
/** A way to use the results of a program. */
interface Use {
  readonly readsFirst: boolean;
  readonly readsDetached: boolean;
  readonly isSummed: boolean;
  /** When the step ends: before the results are read again, afterwards, or later with another program's. */
  readonly stepEnds: 'before' | 'after' | 'later';
}
interface Program {
  readonly name: string;
  readonly use: Use;
  /** Records it; the floats among its arguments are passed to `leaf`. */
  record(device: Device, leaf: (x: Tensor) => void): readonly Tensor[];
}

/** Their numbers depend on the steps before them, as PyTorch's depend on the draws before them. */
const drawsNumbers: ReadonlySet<string> = new Set(['Random numbers']);
const samples = groups
  .filter(({ title }) => !drawsNumbers.has(title))
  .flatMap(group => Object.values(group.rows))
  .filter(row => !row.variants.some(({ params }) => 'training' in params || 'generator' in params))
  .flatMap(row => row.variants.flatMap((variant, i) => samplesOf(row, i).map(sample => ({ row, variant, i, sample }))));

function sampleProgram(draw: Draw): Omit<Program, 'use'> {
  const { row, variant, i, sample } = samples[draw(samples.length)]!;
  return {
    name: `${row.name} ${JSON.stringify(sample)}`,
    record(device, leaf) {
      const values = Object.fromEntries(
        Object.entries(argumentsOf(row, variant, sample)).map(([name, value]) => [
          name,
          build(device, value, x => {
            if (row.gradient !== 'none' && /^(f|bf|c)/.test(x.dtype)) leaf(x);
          }),
        ]),
      );
      const given = call(row, undefined, argumentList(row, i, values), Tensor.prototype);
      return (Array.isArray(given) ? given : [given]) as readonly Tensor[];
    },
  };
}

/** `x[…] = value`, or a read of `x[…]`, with a random index. */
function indexProgram(draw: Draw): Omit<Program, 'use'> {
  const shape = Array.from({ length: 1 + draw(3) }, () => 2 + draw(3));
  const index = shape.slice(0, 1 + draw(shape.length)).flatMap((size, d) => {
    const position = draw(2 * size) - size;
    const entry = [
      position,
      slice(draw(size), size, 1 + draw(2)),
      slice(-1 - draw(size), size),
      [position],
      Array.from({ length: 2 }, () => draw(2 * size) - size),
      ':',
    ][draw(6)]!;
    return draw(5) === 0 && d < 2 ? [null, entry] : [entry];
  });
  const value = draw(3);
  const data = Array.from({ length: shape.reduce((a, b) => a * b) }, (_, i) => i + draw(2));
  return {
    name: `[${shape}] at ${JSON.stringify(index)}, ${value === 0 ? 'read' : `set to ${value}`}`,
    record(device, leaf) {
      const x = tensor(data, { device, dtype: 'f32', shape });
      leaf(x);
      if (value === 0) return [x.at(...index)];
      const y = x.mul(2);
      y.setAt(index, value);
      return [y];
    },
  };
}

export function randomProgramOf(draw: Draw): Program {
  const use = {
    readsFirst: draw(2) === 0,
    readsDetached: draw(2) === 0,
    isSummed: draw(2) === 0,
    stepEnds: (['before', 'after', 'later'] as const)[draw(3)]!,
  };
  return { ...(draw(6) === 0 ? indexProgram(draw) : sampleProgram(draw)), use };
}

/** The results of a program on this device, as text. */
export function outcomeOf(device: Device, { record, use }: Program): string {
  const leaves: Tensor[] = [];
  const lines: string[] = [];
  const read = (x: Tensor): void => {
    const { type, data } = (use.readsDetached ? x.detach() : x).literal();
    lines.push(
      `${formatType(type)} ${Array.from(data as ArrayLike<number | bigint>, value => (Object.is(value, -0) ? '-0' : String(value)))}`,
    );
  };
  try {
    const results = record(device, x => leaves.push(x.requiresGrad_()));
    if (use.readsFirst) for (const x of results) read(x);
    const [first] = results.filter(x => x.requiresGrad && /^float/.test(x.dtype));
    if (first !== undefined && leaves.length > 0) {
      const total = first.sum();
      total.backward();
      if (use.isSummed) read(total);
    }
    if (use.stepEnds === 'before') device.markStep();
    for (const x of results) read(x);
    for (const leaf of leaves) if (leaf.grad !== undefined) read(leaf.grad);
  } catch (error) {
    if (!isTrenioError(error)) throw error;
    lines.push(error.code);
  }
  if (use.stepEnds === 'after') device.markStep();
  return lines.join('\n');
}

/** Where programs that ran on one device, in rounds of two or three that alternate, differ from the same programs alone. */
export function differencesTogether(backend: Backend, seeds: readonly [from: number, to: number]): string[] {
  const newDevice = (): Device => new Device(backend, { seed: 1, log: () => {} });
  const shared = newDevice();
  const problems: string[] = [];
  for (let seed = seeds[0]; seed < seeds[1]; seed++) {
    const draw = drawer(seed);
    const programs = Array.from({ length: 2 + draw(2) }, () => randomProgramOf(draw));
    const alone = programs.map(program => outcomeOf(newDevice(), program));
    const order = Array.from({ length: 3 * programs.length }, () => draw(programs.length));
    for (const [n, i] of order.entries()) {
      const program = programs[i]!;
      const got = attempt(() => outcomeOf(shared, program));
      if (got === alone[i]) continue;
      const said = `round ${seed}, run ${n} (${order}): ${program.name} ${JSON.stringify(program.use)}`;
      problems.push(
        `${said}\n  together ${got}\n  alone ${alone[i]}\n  with ${programs.map(({ name }) => name).join('; ')}`,
      );
      break;
    }
  }
  return problems;
}
const attempt = (run: () => string): string => {
  try {
    return run();
  } catch (error) {
    return String(error);
  }
};
/** Numbers below a limit, the same for the same seed. */
function drawer(seed: number): Draw {
  let state = (seed + 1) * 0x9e3779b1;
  return below => {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x6d2b79f5;
    const mixed = Math.imul(state ^ (state >>> 12), 0x297a2d39);
    return ((mixed ^ (mixed >>> 15)) >>> 0) % below;
  };
}
