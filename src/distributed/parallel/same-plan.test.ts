import { expect, test } from 'vitest';
import { DeviceMesh } from '../../hlo/sharding/device-mesh.ts';
import { checkSamePlan } from './same-plan.ts';

/** The bytes that a rank gives. */
function givenBy(plan: object, mesh: DeviceMesh): Uint8Array {
  let given = new Uint8Array();
  checkSamePlan('parallelize', mesh, plan, mine => {
    given = mine.slice();
    return [mine];
  });
  return given;
}
const mesh = new DeviceMesh({ tp: 2 });
const check = (others: readonly Uint8Array[], plan: object = { sequenceParallel: true }): void =>
  checkSamePlan('parallelize', mesh, plan, mine => [mine, ...others]);

test('ranks with the same plan go on', () => {
  const long = { plan: 'x'.repeat(2000) };
  check([givenBy({ sequenceParallel: true }, mesh)]);
  check([givenBy(long, mesh)], long);
  checkSamePlan('parallelize', new DeviceMesh({ tp: 1 }), {}, () => expect.unreachable());
});
test('an error names both plans and the rank', () => {
  const same = givenBy({ sequenceParallel: true }, mesh);
  expect(() => check([same, givenBy({ sequenceParallel: false }, mesh)])).toThrow(
    'parallelize: rank 0 was given {"sequenceParallel":true} on { tp: 2 }, and rank 2 {"sequenceParallel":false} on { tp: 2 }',
  );
  expect(() => check([givenBy({ sequenceParallel: true }, new DeviceMesh({ cp: 2 }))])).toThrow(
    /rank 1 .* on { cp: 2 }/,
  );
});
