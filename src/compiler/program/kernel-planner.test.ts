// Which kernels are omitted because they have nothing to do. Both ends of a transfer decide in the same way.
import { expect, test } from 'vitest';
import { buildFunc } from '../../hlo/builder.ts';
import { moduleOf } from '../../hlo/program.ts';
import { tensorType } from '../../hlo/types.ts';
import { compileToC, targetOf } from '../index.ts';

/** The names of the collectives in the C of a program in which a process sends a tensor of this shape and receives it. */
function sendsOf(shape: readonly number[]): string[] {
  const type = tensorType('f32', shape);
  const channel = {
    channelHandle: { handle: 1, type: 1 },
    isHostTransfer: false,
    sourceTargetPairs: [[0, 1]],
  } as const;
  const main = buildFunc('main', [type], (b, [x]) => {
    const token = b.emit('create_token', [], {})[0]!;
    const sent = b.emit('send', [x!, token], channel)[0]!;
    const [received] = b.emit('recv', [sent], { ...channel, resultTypes: [type, { kind: 'token' }] });
    return [received!];
  });
  const { text } = compileToC(moduleOf(main, { numReplicas: 2 }), targetOf('avx2'));
  return [...text!.step.source.matchAll(/\/\/ (send|recv)$/gm)].map(([, name]) => name!);
}

test('a transfer has both its ends in the step', () => {
  expect(sendsOf([2, 3])).toEqual(['send', 'recv']);
});

test('a transfer of no elements has neither', () => {
  expect(sendsOf([0, 3])).toEqual([]);
});
