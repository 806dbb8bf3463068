// Compares a step with the same step in f64: every program is run a second time together with its shadow
// (`transforms/shadow.ts`), on the same inputs, and each op is compared with its shadow. This is not the error after many steps,
// because each step starts from the state of the training run.
import { formatLocation, type SourceLocation, TrenioError } from '../../base/errors.ts';
import { formatTable } from '../../base/table.ts';
import { moduleOf } from '../../hlo/index.ts';
import { formatType } from '../../hlo/types.ts';
import type { DeviceBuffer } from '../../runtime/execution/executable.ts';
import { type ComparedOp, shadowed } from '../../transforms/shadow.ts';
import type { Device } from '../device.ts';
import { device as defaultDevice } from '../devices.ts';
import { userLocation } from '../location.ts';
import type { ObservedRun } from '../step/programs.ts';

/** One result of one op, compared with its shadow in f64. */
export interface PrecisionRow {
  /** The name of the program. */
  readonly program: string;
  /** The op. */
  readonly op: string;
  /** The data type and shape of the result. */
  readonly type: string;
  /** The line that recorded the op, if it is known. */
  readonly location: SourceLocation | undefined;
  /** √(Σ(y − y′)² / Σ y′²); infinite where y′ is 0 everywhere and y is not. */
  readonly error: number;
  /** The largest error of the op's operands. */
  readonly inherited: number;
  /** The largest absolute error. */
  readonly maxAbsoluteError: number;
  /** Elements that are infinite or NaN where the shadow is a number. */
  readonly notFinite: number;
}

/** The errors of the ops of a step, compared with f64. */
export interface PrecisionReport {
  /** In program order. */
  readonly rows: readonly PrecisionRow[];
  /** The first op that loses numbers, or whose error exceeds the tolerance; undefined if there is none. */
  readonly firstDivergence: PrecisionRow | undefined;
  /** The ops that add most to the error, as a table. */
  toString(): string;
}

/** Options of `precisionReport`. */
export interface PrecisionReportOptions {
  /** The device. */
  readonly device?: Device;
  /** The relative error above which an op counts as diverging; 0.05 by default. */
  readonly tolerance?: number;
}

/**
 * Runs `body`, which should mark one step or read its results, and reports the error of every op that ran in it. Training is not
 * affected.
 * @throws {INVALID_OPTION} for a tolerance that is not above 0
 * @example
 * const report = precisionReport(() => tensor([1, 2]).div(3).sum().item());
 * report.firstDivergence // undefined
 */
export function precisionReport(body: () => void, options: PrecisionReportOptions = {}): PrecisionReport {
  const { device = defaultDevice(), tolerance = 0.05 } = options;
  if (!(tolerance > 0))
    throw new TrenioError(
      'INVALID_OPTION',
      { what: 'precisionReport', option: 'tolerance', got: String(tolerance), expected: 'a number above 0' },
      { location: userLocation() },
    );
  const rows: PrecisionRow[] = [];
  device.observed(run => rows.push(...compare(device, run)), body);
  const diverges = (row: PrecisionRow): boolean => row.notFinite > 0 || row.error > tolerance;
  const firstDivergence = rows.find(diverges);
  return { rows, firstDivergence, toString: () => text(rows, firstDivergence, tolerance) };
}

function compare(device: Device, run: ObservedRun): PrecisionRow[] {
  const { module, compared } = shadowed(moduleOf(run.func, { name: 'shadow', numReplicas: device.mesh.size() }));
  const results = run.execute(module);
  const rows: PrecisionRow[] = [];
  compared.forEach((at, i) => {
    rows.push(
      rowOf(
        run.at,
        at,
        numbersOf(results[i]!),
        at.from.map(from => rows[from]!),
      ),
    );
  });
  return rows;
}

const numbersOf = (buffer: DeviceBuffer): Float64Array => new Float64Array(buffer.copyToHost().buffer);

function rowOf(
  program: string,
  { op, value }: ComparedOp,
  [difference, reference, maxAbsoluteError, notFinite]: Float64Array,
  from: readonly PrecisionRow[],
): PrecisionRow {
  const error = difference === 0 ? 0 : Math.sqrt(difference! / reference!);
  return {
    program,
    op: op.name,
    type: formatType(value.type),
    location: op.location,
    error,
    inherited: Math.max(0, ...from.map(row => row.error)),
    maxAbsoluteError: maxAbsoluteError!,
    notFinite: notFinite!,
  };
}

const shownRows = 20;

function text(rows: readonly PrecisionRow[], first: PrecisionRow | undefined, tolerance: number): string {
  const place = (row: PrecisionRow): string => (row.location ? formatLocation(row.location) : '');
  const worst = [...rows].sort((a, b) => b.error - b.inherited - (a.error - a.inherited)).slice(0, shownRows);
  const table = formatTable(
    [
      { header: 'op' },
      { header: 'type' },
      { header: 'error', align: 'right' },
      { header: 'of what it read', align: 'right' },
      { header: 'largest', align: 'right' },
      { header: 'not finite', align: 'right' },
      { header: 'at' },
    ],
    worst.map(row => [
      row.op,
      row.type,
      row.error.toExponential(1),
      row.inherited.toExponential(1),
      row.maxAbsoluteError.toExponential(1),
      String(row.notFinite),
      place(row),
    ]),
  );
  const verdict =
    first === undefined
      ? `no op is further than ${tolerance} from its shadow in f64, and none lost a number`
      : first.notFinite > 0
        ? `first divergence: ${first.op} ${first.type} at ${place(first)} has ${first.notFinite} elements that are not finite, where f64 has numbers`
        : `first divergence: ${first.op} ${first.type} at ${place(first)} is off by ${(100 * first.error).toPrecision(2)} % of its size (what it read: ${(100 * first.inherited).toPrecision(2)} %)`;
  return `${table}\n${verdict}`;
}
