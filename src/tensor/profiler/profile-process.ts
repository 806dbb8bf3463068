// Profiles a script that does not use the profiler: `trenio profile run` passes a folder and the steps to record.
import { join } from 'node:path';
import { readVariable } from '../../base/environment.ts';
import { makeOutputFolder, writeOutputFile } from '../../base/output-files.ts';
import { rankInfo } from '../../runtime/comm/ranks.ts';
import type { Device } from '../device.ts';
import { Recording } from './recording.ts';
import { schedule } from './schedule.ts';

/** Profiles the steps of this device if TRENIO_PROFILE_FOLDER is set. A step ends with the step of an optimizer. */
export function profileProcess(device: Device): void {
  const folder = readVariable('TRENIO_PROFILE_FOLDER');
  if (folder === undefined) return;
  const { wait, active } = readVariable('TRENIO_PROFILE_STEPS') ?? { wait: 5, active: 20 };
  const actionOf = schedule({ skipFirst: wait, active, repeat: 1 });
  let step = 0;
  let recording: Recording | undefined;
  const finish = (): void => {
    const timeline = recording?.stop();
    recording = undefined;
    if (timeline === undefined) return;
    makeOutputFolder(folder);
    writeOutputFile(join(folder, `rank-${rankInfo().rank}.json`), JSON.stringify(timeline));
  };
  const begin = (): void => {
    if (actionOf(step).startsWith('record')) recording ??= new Recording(device);
  };
  begin();
  device.onStep = () => {
    recording?.step();
    if (actionOf(step) === 'record_and_save') finish();
    step++;
    begin();
  };
  // A script with fewer steps is profiled up to its end.
  process.once('exit', finish);
}
