// The training program of bench/server-kills.ts. It keeps a record outside of the job: a file for each run, with its start time, touched
// while it runs.
//
//   node program.mjs LEDGER
import { readFileSync, utimesSync, writeFileSync } from 'node:fs';

const started = performance.timeOrigin;
const root = process.env.SM_MODEL_DIR.replace(/\/model$/, '');
const { seconds } = JSON.parse(readFileSync(`${root}/input/config/hyperparameters.json`, 'utf8'));
const record = `${process.argv[2]}/${process.env.TRAINING_JOB_NAME}.${Math.round(started * 1000)}`;
writeFileSync(record, '');
const touch = () => utimesSync(record, Date.now() / 1000, Date.now() / 1000);
setInterval(touch, 50);
const end = () => {
  touch();
  process.exit(0);
};
process.once('SIGTERM', end);
writeFileSync(`${root}/model/weights`, process.env.TRAINING_JOB_NAME.repeat(1000));
setTimeout(end, Number(seconds) * 1000);
