// The edge of the compiler: what it cannot compile is refused here, by a typed error that names the op and its line.
import { TrenioError } from '../../base/errors.ts';
import type { Func, Op, Value } from '../../hlo/program.ts';
import { dynamicDim, formatType } from '../../hlo/types.ts';
import { forEachOp } from '../../hlo/walk.ts';
import { isSupported } from '../emit/c-types.ts';

const instead = 'convert to f32, bf16 or f16 first, or run on the interpreter (TRENIO_BACKEND=interpreter)';

/** Throws UNSUPPORTED unless every value is a tensor of known shape whose elements C can hold. */
export function checkCompilable(func: Func): void {
  const check = (value: Value, op: Op | undefined): void => {
    const { type } = value;
    const what = (): string => `${formatType(type)}${op === undefined ? '' : ` in ${op.name}`}`;
    if (type.kind !== 'tensor' || !isSupported(type.elementType)) {
      throw new TrenioError(
        'UNSUPPORTED',
        { what: what(), where: 'the C compiler backend', instead },
        { location: op?.location },
      );
    }
    if (type.shape.includes(dynamicDim)) {
      throw new TrenioError(
        'UNSUPPORTED',
        {
          what: `the unknown size of ${what()}`,
          where: 'the C compiler backend',
          instead: 'compile once for each shape: pass tensors of known sizes',
        },
        { location: op?.location },
      );
    }
  };
  for (const arg of func.body.args) check(arg, undefined);
  forEachOp(func.body, op => {
    for (const v of op.results) check(v, op);
  });
}
