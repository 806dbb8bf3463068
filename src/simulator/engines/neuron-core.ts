// Time of work on a NeuronCore. Four engines work concurrently on data in SBUF; a section takes as long as its busiest engine,
// plus the time of the others that does not overlap with it.
//
// Multiply: a tile of at most 128 × 128 is loaded into the systolic array and at most 512 rows stream through it, one per cycle
// (four cycles in f32). Every result leaves PSUM through the vector or the scalar engine. NKI documentation, NeuronCore-v2.
import type { NeuronCore } from '../../hardware/machine.ts';
import type { Multiply, Work } from '../work.ts';
import type { NeuronConstants } from './constants.ts';
import { type Spent, spendOn } from './spent.ts';

/** The time of one unit of work in the schedule: a block's pass, an optimizer's sweep. */
export function timeOnNeuronCore(works: readonly Work[], device: NeuronCore, constants: NeuronConstants): Spent {
  let tensor = 0;
  let vector = 0;
  let scalar = 0;
  let leaving = 0; // elements from PSUM to SBUF
  let bytes = 0;
  for (const work of works) {
    switch (work.kind) {
      case 'multiply':
        tensor += multiplyCycles(work, device, constants);
        leaving += work.batch * work.m * work.n + (work.turned ?? 0);
        bytes += work.bytes;
        break;
      case 'sweep':
        vector += work.elements * work.simple;
        scalar += work.elements * work.transcendental;
        bytes += work.bytesRead + work.bytesWritten;
        break;
      case 'row-move':
        // Each row is a separate descriptor; writing one reads it first.
        bytes += work.rows * Math.max(work.bytesPerRow, 512) * (work.direction === 'scatter' ? 3 : 2);
        break;
    }
  }
  // The compiler spreads them over both engines that can carry them.
  vector += leaving / 2;
  scalar += leaving / 2;
  const busy = {
    'tensor engine': tensor / device.tensor.clock,
    'vector engine': (vector / (device.vector.elementsPerCycle * device.vector.clock)) * constants.vectorStall,
    'scalar engine': (scalar / (device.scalar.elementsPerCycle * device.scalar.clock)) * constants.vectorStall,
    memory: bytes / (device.memoryBandwidth * constants.memoryEfficiency),
  } as const;
  const longest = Math.max(...Object.values(busy));
  const exposed = (own: number): number => (own === longest ? own : own * (1 - constants.overlap));
  return spendOn({
    'tensor engine': exposed(busy['tensor engine']),
    'vector engine': exposed(busy['vector engine']),
    'scalar engine': exposed(busy['scalar engine']),
    memory: exposed(busy.memory),
  });
}

function multiplyCycles(
  { batch, m, n, k, type, turned = 0 }: Multiply,
  { tensor }: NeuronCore,
  { tileOverheadCycles }: NeuronConstants,
): number {
  const slowdown = tensor.slowdown[type] ?? 1;
  const deep = Math.ceil(k / tensor.rows);
  // Either operand can stay in the array while the other streams.
  const stationary = (still: number, streamed: number): number => {
    const chunks = Math.ceil(streamed / tensor.moving);
    return Math.ceil(still / tensor.columns) * (Math.max(streamed, 64) * slowdown + chunks * tileOverheadCycles);
  };
  // Transposing is a multiply by the identity.
  const turning = (turned / (tensor.rows * tensor.columns)) * (tensor.columns * slowdown + tileOverheadCycles / 4);
  return batch * deep * Math.min(stationary(m, n), stationary(n, m)) + turning;
}
