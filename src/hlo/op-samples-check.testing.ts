// Samples of check ops; all pass.
import { type Literal, scalar } from './literal.ts';
import type { Add } from './op-sample.testing.ts';
import { sampleLiteral } from './sample-literal.testing.ts';

export function addChecks(add: Add): void {
  const value = sampleLiteral('f32', [2, 3]);
  const inputs: readonly Literal[] = [value, value];
  add('check.expect_eq', '', inputs, (b, args) => {
    b.emit('check.expect_eq', args, {});
    return args;
  });
  add('check.expect_eq_const', '', [value], (b, args) => {
    b.emit('check.expect_eq_const', args, { value });
    return args;
  });
  add('check.expect_almost_eq', '', inputs, (b, args) => {
    b.emit('check.expect_almost_eq', args, { tolerance: 0.125 });
    return args;
  });
  add('check.expect_almost_eq_const', '', [value], (b, args) => {
    b.emit('check.expect_almost_eq_const', args, { value, tolerance: 1e-4 });
    return args;
  });
  add('check.expect_close', '', inputs, (b, args) => {
    b.emit('check.expect_close', args, { minUlpDifference: 0, maxUlpDifference: 3 });
    return args;
  });
  add('check.expect_serialized_eq', '', [value], (b, args) => {
    const kept = b.emit('interpreter.probe', args, { probeId: 'x' });
    b.emit('check.expect_serialized_eq', kept, { probeId: 'x', iteration: 0 });
    return kept;
  });
  add('check.eq', '', [scalar('i32', 1), scalar('i32', 1)], (b, args) => b.emit('check.eq', args, {}));
  add('check.eq', 'of floats', [value, value], (b, args) => {
    const [passed] = b.emit('check.eq', args, {});
    return b.broadcastInDim(passed, [], [2]);
  });
}
