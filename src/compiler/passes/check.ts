// Ops that the compiler cannot compile are rejected here, with a typed error that names the op and its line.
import { TrenioError } from '../../base/errors.ts';
import { adviceOn } from '../../hlo/ops/known-calls.ts';
import type { Func, Op, Value } from '../../hlo/program.ts';
import { dynamicDim, formatType } from '../../hlo/types.ts';
import { forEachOp } from '../../hlo/walk.ts';
import { isKnownCall, type Operators } from '../ir/operators.ts';
import { hostTransfers, isLoweredAs, type LoweringKind, loweringKindOf } from '../lowering/lowering-kinds.ts';

const interpreter = 'run this program on the interpreter (TRENIO_BACKEND=interpreter)';

function refused(what: string, op: Op | undefined, instead: string = interpreter, reason = ''): TrenioError {
  return new TrenioError(
    'UNSUPPORTED',
    { what, where: `the C compiler backend${reason}`, instead },
    { location: op?.location },
  );
}

/** The reason why an op that remains after the passes cannot be compiled; undefined if it can. */
function reasonAgainst(op: Op): string | undefined {
  const kind: LoweringKind = loweringKindOf(op);
  if (typeof kind === 'object') return kind.unsupported;
  if ('isHostTransfer' in op.attributes && op.attributes.isHostTransfer) return hostTransfers;
  switch (kind) {
    case 'call':
      return 'the module calls a function that it does not define';
    case 'decomposed':
      return 'in this form it cannot be decomposed';
    case 'resolved':
      // tokens carry no data, so ops that only produce tokens are not run
      return op.results.every(v => v.type.kind === 'token') ? undefined : 'it cannot be resolved here';
    case 'reduce':
    case 'kernel':
    case 'inlined':
    case 'multiply':
    case 'operator':
    case 'collective':
      return op.regions.some(r => r.args.some(v => v.type.kind !== 'tensor' || v.type.shape.length > 0))
        ? 'its region takes more than scalars'
        : undefined;
    default:
      return undefined;
  }
}

/**
 * `operators`: those that custom calls may name.
 * @throws {UNSUPPORTED} unless every op can be compiled and every value is a tensor of known shape
 */
export function checkCompilable(func: Func, operators: Operators): void {
  const check = (value: Value, op: Op | undefined): void => {
    const { type } = value;
    const what = (): string => `${formatType(type)}${op === undefined ? '' : ` in ${op.name}`}`;
    if (type.kind === 'token' && op !== undefined) return;
    if (type.kind !== 'tensor') throw refused(what(), op, 'pass and return tensors');
    if (type.shape.includes(dynamicDim)) {
      throw refused(`the unknown size of ${what()}`, op, 'compile once for each shape: pass tensors of known sizes');
    }
  };
  for (const arg of func.body.args) check(arg, undefined);
  forEachOp(func.body, op => {
    const reason = reasonAgainst(op);
    if (reason !== undefined) throw refused(op.name, op, interpreter, `: ${reason}`);
    if (isLoweredAs(op, 'operator') && !isKnownCall(op, operators)) {
      const load = adviceOn(op) ?? 'load an operator of this name with loadOperator() first';
      throw refused(`custom_call @${op.attributes.callTargetName}`, op, load);
    }
    for (const v of op.results) check(v, op);
  });
  for (const v of func.body.results)
    if (v.type.kind !== 'tensor') throw refused(`the result ${formatType(v.type)}`, v.op);
}
