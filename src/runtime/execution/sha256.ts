// SHA-256 of memory by the OpenSSL inside Node, on threads of Node's pool and without a copy. `subtle.digest` copies its input
// first, which in a worker costs more than the hash itself; `createHash` works only on the calling thread.
import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import koffi from 'koffi';

const chunkBytes = 1 << 21;

type Sha256 = (bytes: Uint8Array) => Promise<string>;

/** The hash of `bytes`, in hexadecimal. They must not change until the promise resolves. */
export const sha256: Sha256 = opensslHash() ?? hashHere;

// https://docs.openssl.org/3.5/man3/SHA256_init/
const openssl = () => koffi.load(null).func('void *SHA256(const void *data, size_t bytes, _Out_ uint8_t *hash)');

/** Undefined for a Node that does not export the functions of its OpenSSL. */
function opensslHash(): Sha256 | undefined {
  let native: ReturnType<typeof openssl>;
  try {
    native = openssl();
  } catch {
    return undefined;
  }
  return bytes => {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const hash = Buffer.alloc(32);
    native.async(bytes, bytes.length, hash, (error: unknown) => {
      if (error) reject(error);
      else resolve(hash.toString('hex'));
    });
    return promise;
  };
}

/** Hashes on this thread, in chunks that yield to other work. */
export async function hashHere(bytes: Uint8Array): Promise<string> {
  const hash = createHash('sha256');
  for (let from = 0; from < bytes.length; from += chunkBytes) {
    hash.update(bytes.subarray(from, from + chunkBytes));
    await nextTurn();
  }
  return hash.digest('hex');
}
