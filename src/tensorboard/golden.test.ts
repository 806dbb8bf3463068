// Event files are byte-identical to those of PyTorch's SummaryWriter (scripts/golden/event-files.py).
import { mkdtempDisposableSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SummaryWriter } from './index.ts';

const golden = JSON.parse(
  readFileSync(new URL('../../test/golden/tensorboard/events.json', import.meta.url), 'utf8'),
) as {
  readonly events: readonly string[];
  readonly hparams: readonly (readonly string[])[];
  readonly layout: readonly string[];
};
const T = 1_700_000_000.5;

/** The records of the folder's event file, except the first, which names the program that wrote it. */
function recordsOf(folder: string): readonly Buffer[] {
  const file = readdirSync(folder).find(name => name.startsWith('events'))!;
  const bytes = readFileSync(join(folder, file));
  const records: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = at + 16 + Number(bytes.readBigUInt64LE(at));
    records.push(bytes.subarray(at, end));
    at = end;
  }
  return records.slice(1);
}
const base64 = (records: readonly Buffer[]): readonly string[] => records.map(record => record.toString('base64'));
/** Without the framing and the time of the event. */
const untimed = (records: readonly Buffer[]): readonly Buffer[] =>
  records.map(record => record.subarray(12 + 9, record.length - 4));

test('scalars, histograms, text and curves are byte-identical to PyTorch', () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'trenio-events-'));
  using writer = new SummaryWriter(folder.path);
  writer.addScalar('loss/train', 0.25, 7, T);
  writer.addScalar('zero', 0, undefined, T);
  writer.addScalar('nan', Number.NaN, 3, T);
  writer.addHistogram('whole', [-3, -2, -1, 0, 0, 1, 2, 1000], 1, { walltime: T });
  writer.addHistogram('equal', [0.5, 1.5, 2.5, 4], 2, { bins: 4, walltime: T });
  writer.addHistogram('edges', [0.5, 1.5, 2.5, 4], 2, { bins: [0, 1, 2, 3, 4, 5], maxBins: 3, walltime: T });
  writer.addText('note', 'to be, or **nöt** to be', 4, T);
  writer.addPrCurve('curve', [1, 0, 1, 1, 0], [0.9, 0.2, 0.5, 0.7, 0.6], 5, { numThresholds: 9, walltime: T });
  const weights = [1, 2, 0.5];
  writer.addPrCurve('weighted', [1, 0, 1], [1, 0.25, 0], 5, { numThresholds: 5, weights, walltime: T });
  writer.flush();
  expect(base64(recordsOf(folder.path))).toEqual(golden.events);
});
test('hyperparameters and layouts are byte-identical to PyTorch', () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'trenio-events-'));
  using writer = new SummaryWriter(folder.path);
  const hparamDomainDiscrete = { layers: [1, 2, 4] };
  writer.addHparams({ layers: 2, none: null }, { accuracy: 0.5 }, { runName: 'number', hparamDomainDiscrete });
  writer.addHparams({ name: 'adamw' }, {}, { runName: 'string' });
  writer.addCustomScalars({ Loss: { both: ['Multiline', ['a', 'b']], band: ['Margin', ['a', 'b', 'c']] } });
  writer.flush();
  const runs = ['number', 'string'].map(run => base64(untimed(recordsOf(join(folder.path, run)))));
  expect(runs).toEqual(golden.hparams);
  expect(base64(untimed(recordsOf(folder.path)))).toEqual(golden.layout);
});
