// The complete job: train on all cores (one without a C compiler), print the table, deploy the model, classify reviews, stop.
//
//   npm start                     all options of train.ts can follow: npm start -- --epochs 3
//
// Each start is a new run; the files of the previous run are moved to previous/ in the output folder.
import { join } from 'node:path';
import { readOptions } from './options.ts';

const reviews = [
  'Absolutely wonderful experience, highly recommend.',
  'Broke after two days. Do not waste your money.',
  'The box was dented, but the blender itself works perfectly and I would buy it again.',
];

const given = process.argv.slice(2);
const { output, resume, startOver } = readOptions(given);
const args = resume || startOver ? given : [...given, '--start-over'];
console.log('Starting to train. The first run on a machine compiles the programs, which takes a few seconds.');
// After this line: in a checkout, loading Trenio takes seconds.
const { deploy, formatTable, launch } = await import('trenio');
const { exitCode } = await launch({ script: join(import.meta.dirname, 'train.ts'), args, nprocPerNode: 'auto' });
if (exitCode !== 0) process.exit(exitCode);

console.log('\nDeploying the checkpoint…');
const endpoint = await deploy(join(output, 'checkpoint'), { name: 'bert-polarity' });
try {
  console.log(`POST ${endpoint.invocationsUrl}`);
  const response = await fetch(endpoint.invocationsUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ inputs: reviews }),
  });
  if (!response.ok) {
    console.log(`${response.status}  ${await response.text()}`);
    process.exitCode = 1;
  } else {
    const answers = (await response.json()) as { readonly label: string; readonly score: number }[];
    const columns = [{ header: 'label' }, { header: 'score', align: 'right' as const }, { header: 'review' }];
    console.log(
      formatTable(
        columns,
        answers.map(({ label, score }, i) => [label, score.toFixed(3), reviews[i]!]),
      ),
    );
  }
} finally {
  await endpoint.close();
}
console.log(`Endpoint stopped.

Next:
  npx trenio deploy ${join(output, 'checkpoint')} --port 8080    serve this model
  npm start -- --data reviews.csv                                  train on your reviews: "label","title","text"
  node examples/char-gpt/train.ts                                  train a GPT that writes text
  npx trenio plan --model llama3-8b --on trn1.32xlarge             predict the time and cost of a training run
  docs/tutorial.md                                                 write a training script, coming from PyTorch`);
