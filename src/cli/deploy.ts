// `trenio deploy`: a checkpoint as an HTTP endpoint, until it is told to stop.
import { defineCommand } from './command.ts';

export const deployCommand = defineCommand({
  name: 'deploy',
  summary: 'Serve a checkpoint as an HTTP endpoint.',
  description: [
    'Loads a checkpoint (config.json, model.safetensors, vocab.txt) and answers POST /endpoints/<name>/invocations with a label',
    'and probabilities for each text, GET /ping with 200 when ready, and GET /endpoints with what is deployed. Runs until',
    'Ctrl-C or SIGTERM; then finishes the requests it has, and ends with 0.',
  ].join('\n'),
  positionals: [
    { name: 'checkpoint', description: 'A folder with config.json, model.safetensors and vocab.txt.', required: true },
  ],
  options: {
    name: { kind: 'text', placeholder: 'NAME', description: 'Name in the URL; by default made of the folder’s.' },
    port: {
      kind: 'integer',
      short: 'p',
      placeholder: 'PORT',
      min: 0,
      max: 65_535,
      default: 8080,
      description: '0 takes any free one.',
    },
    host: {
      kind: 'text',
      placeholder: 'ADDRESS',
      default: '127.0.0.1',
      description: 'Where to listen; 0.0.0.0 lets other machines in.',
    },
    'max-batch': {
      kind: 'integer',
      placeholder: 'N',
      min: 1,
      max: 1024,
      default: 8,
      description: 'The most texts of one run of the model.',
    },
    'max-length': {
      kind: 'integer',
      placeholder: 'TOKENS',
      min: 3,
      max: 1_000_000,
      description: 'Cut texts to so many tokens; by default to what the model takes.',
    },
    json: {
      kind: 'flag',
      description: 'Print one JSON object when ready: {"name", "url", "invocationsUrl", "labels"}.',
    },
  },
  examples: [
    {
      command: 'trenio deploy runs/review-polarity',
      explanation: 'at http://127.0.0.1:8080/endpoints/review-polarity/invocations',
    },
    {
      command:
        'curl -s localhost:8080/endpoints/review-polarity/invocations -H "content-type: application/json" -d \'{"inputs": "A lovely book"}\'',
      explanation: 'asks it',
    },
  ],
  run: async ({ options, positionals: [checkpoint] }, { stdout, stderr, signal, cwd }) => {
    const [{ deploy }, { resolve }] = await Promise.all([import('../api/deploy.ts'), import('node:path')]);
    const folder = resolve(cwd, checkpoint!);
    if (!options.json) stderr.write(`trenio deploy: loading ${folder}\n`);
    const deployment = await deploy(folder, {
      ...(options.name === undefined ? {} : { name: options.name }),
      ...(options['max-length'] === undefined ? {} : { maxLength: options['max-length'] }),
      maxBatch: options['max-batch'],
      host: options.host,
      port: options.port,
      log: line => stderr.write(`${line}\n`),
      signal,
    });
    try {
      if (options.json) {
        const { name, url, invocationsUrl, labels } = deployment;
        stdout.write(`${JSON.stringify({ name, url, invocationsUrl, labels })}\n`);
      } else {
        stdout.write(
          `ready: POST ${deployment.invocationsUrl} with {"inputs": "a text"} (labels: ${deployment.labels.join(', ')})\n`,
        );
      }
      await aborted(signal);
      if (!options.json) stderr.write('trenio deploy: finishing what is under way, then ending\n');
    } finally {
      await deployment.close();
    }
    // Being told to stop is how an endpoint ends well.
    return 0;
  },
});

function aborted(signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  signal.addEventListener('abort', () => resolve(), { once: true });
  if (signal.aborted) resolve();
  return promise;
}
