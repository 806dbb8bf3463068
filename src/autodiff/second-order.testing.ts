// The gradient of a gradient: a case whose results are the gradients of another case.
import { tensorTypeOf } from '../hlo/program.ts';
import { type Case, weightedSum } from './finite-differences.testing.ts';
import { gradients } from './gradient.ts';

export function gradientCase(theCase: Case): Case {
  return {
    ...theCase,
    build: (b, args) => {
      const output = weightedSum(b, theCase.build(b, args));
      const wrt = args.filter((arg, i) => tensorTypeOf(arg).elementType === 'f64' && !theCase.constant?.includes(i));
      return gradients(b, output, wrt, { functions: theCase.functions ?? [] });
    },
  };
}
