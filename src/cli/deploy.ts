// `trenio deploy`: serves a checkpoint as an HTTP endpoint until it is stopped.
import { BlockedProgress } from '../base/blocked-progress.ts';
import { defineCommand } from './command/command.ts';

export const deployCommand = defineCommand({
  name: 'deploy',
  summary: 'Serve a checkpoint as an HTTP endpoint.',
  description: [
    'Loads a model (config.json, model.safetensors, vocab.txt), or a training checkpoint that includes config.json and vocab.txt',
    '(option `files` of a Checkpointer). POST /endpoints/<name>/invocations returns a label and probabilities for each text, GET /ping',
    'returns 200 when the model is ready, and GET /endpoints lists the deployed models. Runs until Ctrl-C or SIGTERM, then finishes pending',
    'requests and exits with 0.',
    '',
    'Requests that would wait longer than --max-wait are rejected with 503 and Retry-After. On a loopback address (the default)',
    'the Host header must be localhost, 127.0.0.1 or [::1] with this port, or match --allow-host. This protects against DNS',
    'rebinding: a web page could otherwise reach the endpoint through a domain that resolves to 127.0.0.1. On other addresses any',
    'Host is accepted unless --allow-host is given. The Origin header must match the Host, or --allow-origin. There is no',
    'authentication: if you need it, put a proxy in front of the endpoint.',
  ].join('\n'),
  positionals: [
    {
      name: 'checkpoint',
      description:
        'A folder with config.json, model.safetensors and vocab.txt; a checkpoint, or a folder of checkpoints.',
      required: true,
    },
  ],
  options: {
    name: { kind: 'text', placeholder: 'NAME', description: 'Name in the URL. Default: derived from the folder name.' },
    port: {
      kind: 'integer',
      short: 'p',
      placeholder: 'PORT',
      min: 0,
      max: 65_535,
      default: 8080,
      description: 'Port to listen on; 0 picks any free port.',
    },
    host: {
      kind: 'text',
      placeholder: 'ADDRESS',
      default: '127.0.0.1',
      description: 'Address to listen on; 0.0.0.0 accepts connections from other machines.',
    },
    'allow-host': {
      kind: 'list',
      placeholder: 'NAME[:PORT]',
      description: 'Accept this Host header too, such as the name that a proxy or tunnel uses.',
    },
    'allow-origin': {
      kind: 'list',
      placeholder: 'ORIGIN',
      description: 'Accept requests from web pages at this origin, such as https://app.example.com.',
    },
    'max-batch': {
      kind: 'integer',
      placeholder: 'N',
      min: 1,
      max: 1024,
      default: 8,
      description: 'Maximum number of texts per batch.',
    },
    'max-wait': {
      kind: 'integer',
      placeholder: 'MS',
      min: 1,
      max: 3_600_000,
      default: 2000,
      description: 'Reject requests that would wait longer than this; one batch may always wait.',
    },
    'max-length': {
      kind: 'integer',
      placeholder: 'TOKENS',
      min: 3,
      max: 1_000_000,
      description: 'Truncate texts to this many tokens. Default: the limit of the model.',
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
      explanation: 'send a request',
    },
    {
      command: 'trenio deploy runs/review-polarity --allow-origin http://localhost:3000',
      explanation: 'accept requests from a web page served on port 3000',
    },
    {
      command: 'trenio deploy runs/review-polarity --host 0.0.0.0 --allow-host models.example.com --max-wait 500',
      explanation: 'for other machines, under one host name; answers within about half a second, or 503',
    },
  ],
  run: async ({ options, positionals: [checkpoint] }, { stdout, stderr, signal, cwd }) => {
    const [{ deploy }, { resolve }] = await Promise.all([import('../api/deploy.ts'), import('node:path')]);
    const folder = resolve(cwd, checkpoint!);
    if (!options.json) stderr.write(`trenio deploy: loading ${folder}\n`);
    using progress = new BlockedProgress('loading the weights and compiling', { stream: stderr, quiet: options.json });
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
    progress.done();
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
      if (!options.json) stderr.write('trenio deploy: finishing pending requests, then exiting\n');
    } finally {
      await deployment.close();
    }
    // A signal is the normal way to stop an endpoint.
    return 0;
  },
});

function aborted(signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  signal.addEventListener('abort', () => resolve(), { once: true });
  if (signal.aborted) resolve();
  return promise;
}
