// `trenio deploy`: a checkpoint as an HTTP endpoint, until it is told to stop.
import { defineCommand } from './command.ts';

export const deployCommand = defineCommand({
  name: 'deploy',
  summary: 'Serve a checkpoint as an HTTP endpoint.',
  description: [
    'Loads a checkpoint (config.json, model.safetensors, vocab.txt) and answers POST /endpoints/<name>/invocations with a label',
    'and probabilities for each text, GET /ping with 200 when ready, and GET /endpoints with what is deployed. Runs until',
    'Ctrl-C or SIGTERM; then finishes the requests it has, and ends with 0.',
    '',
    'Requests that would wait longer than --max-wait are refused with 503 and Retry-After. On a loopback address (the default)',
    'the Host of a request must be localhost, 127.0.0.1 or [::1] with this port, or an --allow-host: a web page could otherwise',
    'reach the endpoint through a name of its own. On other addresses any Host is answered, unless --allow-host is given. An',
    'Origin must be that of the Host, or an --allow-origin. There is no authentication: put a proxy before it where that is needed.',
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
    'allow-host': {
      kind: 'list',
      placeholder: 'NAME[:PORT]',
      description: 'Answer to this Host too: the name that a proxy or a tunnel gives the server.',
    },
    'allow-origin': {
      kind: 'list',
      placeholder: 'ORIGIN',
      description: 'Let web pages of this origin ask, such as https://app.example.com.',
    },
    'max-batch': {
      kind: 'integer',
      placeholder: 'N',
      min: 1,
      max: 1024,
      default: 8,
      description: 'The most texts of one run of the model.',
    },
    'max-wait': {
      kind: 'integer',
      placeholder: 'MS',
      min: 1,
      max: 3_600_000,
      default: 2000,
      description: 'Refuse requests that would wait longer for their answer; one batch may always wait.',
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
    {
      command: 'trenio deploy runs/review-polarity --allow-origin http://localhost:3000',
      explanation: 'for a web page that a development server on port 3000 serves',
    },
    {
      command: 'trenio deploy runs/review-polarity --host 0.0.0.0 --allow-host models.example.com --max-wait 500',
      explanation: 'for other machines, under one name only; answers within about half a second, or 503',
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
      maxWaitMs: options['max-wait'],
      allowHosts: options['allow-host'],
      allowOrigins: options['allow-origin'],
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
