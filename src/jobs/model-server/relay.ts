// Forwards connections of a Unix socket to a port of this network namespace. Runs inside the network of a replica that has no
// other connection: sockets in the file system can be reached across namespaces.
//
//   node relay.ts SOCKET PORT
import { connect, createServer } from 'node:net';

const [socketPath, port] = process.argv.slice(2);
createServer(client => {
  const program = connect({ port: Number(port), host: '127.0.0.1', noDelay: true });
  client.pipe(program).pipe(client);
  client.on('error', () => program.destroy());
  program.on('error', () => client.destroy());
  client.on('close', () => program.destroy());
  program.on('close', () => client.destroy());
}).listen(socketPath);
