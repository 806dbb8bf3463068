// The model server of the image `trenio`: implements the contract of SageMaker's serving containers.
//
//   node model-server-main.ts /opt/ml/model      GET /ping, POST /invocations
//
// Listens on TRENIO_SERVE_SOCKET, or else on SAGEMAKER_BIND_TO_PORT.
import { readVariable } from '../base/environment.ts';
import { Endpoint } from '../serving/model/endpoint.ts';
import { loadServedModel } from '../serving/model/load-served-model.ts';
import { EndpointServer } from './endpoint-server.ts';

const MAX_BODY_BYTES = 6_291_456;
/** SageMaker's own limit is a minute; requests that would wait longer than this are rejected. */
const MAX_WAIT_MS = 50_000;

const [folder = '/opt/ml/model'] = process.argv.slice(2);
const log = (line: string): void => void process.stderr.write(`${line}\n`);
const endpoint = new Endpoint('model', { maxWaitMs: MAX_WAIT_MS });
const server = new EndpointServer([endpoint], {
  host: '127.0.0.1',
  port: readVariable('SAGEMAKER_BIND_TO_PORT') ?? 8080,
  socketPath: readVariable('TRENIO_SERVE_SOCKET'),
  maxBodyBytes: MAX_BODY_BYTES,
  log,
});
const stop = (): void => void server.close().then(() => process.exit(0));
process.once('SIGTERM', stop);
process.once('SIGINT', stop);
// GET /ping answers 503 while the model loads.
const url = await server.listen();
await endpoint.start(() =>
  loadServedModel(folder, { maxBatch: readVariable('TRENIO_SERVE_MAX_BATCH'), onWarning: log }),
);
log(`serving ${folder} at ${url}: ${JSON.stringify(endpoint.description)}`);
