// The complete job: train on all cores, print the table, deploy the model, classify a review with it, stop.
//
//   npm start                     all options of train.ts can follow: npm start -- --epochs 3
//
// Each start is a new run; the files of the previous run are moved to previous/ in the output folder.
import { join } from 'node:path';
import { deploy, launch } from 'trenio';
import { readOptions } from './options.ts';

const review = 'The box was dented, but the blender itself works perfectly and I would buy it again.';

const given = process.argv.slice(2);
const { output, resume, startOver } = readOptions(given);
const args = resume || startOver ? given : [...given, '--start-over'];
const { exitCode } = await launch({ script: join(import.meta.dirname, 'train.ts'), args, nprocPerNode: 'auto' });
if (exitCode !== 0) process.exit(exitCode);

console.log('\nDeploying the checkpoint…');
const endpoint = await deploy(join(output, 'checkpoint'), { name: 'bert-polarity' });
try {
  const request = { inputs: review };
  console.log(`POST ${endpoint.invocationsUrl}\n     ${JSON.stringify(request)}`);
  const response = await fetch(endpoint.invocationsUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(request),
  });
  console.log(`${response.status}  ${JSON.stringify(await response.json())}`);
  if (!response.ok) process.exitCode = 1;
} finally {
  await endpoint.close();
}
console.log('Endpoint stopped.');
