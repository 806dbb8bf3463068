// Programs that share a process: each must have the bits that it has on a new device, whatever ran before it from the same lines
// (src/tensor/surface/together.testing.ts). Two or three random samples of the tables are run nine times in random order.
//
//   node bench/programs-together.ts [--rounds 2000] [--seed 0] [--device interpreter]
//
// Prints the differences; exit code 1 if there are any.
import './help.ts';
import { parseArgs } from 'node:util';
import { defaultRuntime } from '../src/runtime/index.ts';
import { differencesTogether } from '../src/tensor/surface/together.testing.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '2000' },
    seed: { type: 'string', default: '0' },
    device: { type: 'string', default: 'interpreter' },
  },
});
const [rounds, first] = [Number(values.rounds), Number(values.seed)];
const backend = defaultRuntime().backend(values.device);
const differences = differencesTogether(backend, [first, first + rounds]);
process.stdout.write([...differences, `${rounds} rounds, ${differences.length} with a difference`, ''].join('\n'));
process.exitCode = differences.length === 0 ? 0 : 1;
