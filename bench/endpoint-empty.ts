// The baseline of the endpoint load test, forked by bench/endpoint.ts: a node:http server that reads the body and responds
// with a constant of the size of a prediction.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const answer = `${JSON.stringify([{ label: 'positive', score: 0.9820780158042908, probabilities: { negative: 0.01792200095951557, positive: 0.9820780158042908 } }])}\n`;
const headers = { 'content-type': 'application/json; charset=utf-8', 'content-length': Buffer.byteLength(answer) };
const server = createServer((request, response) => {
  request.on('data', () => {});
  request.once('end', () => response.writeHead(200, headers).end(answer));
});
server.listen(0, '127.0.0.1', () => process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`));
process.once('disconnect', () => process.exit());
