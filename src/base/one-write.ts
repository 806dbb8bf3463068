// Sends small messages in one write. Node copies a short string to the socket at once, while a head and a body in two buffers
// become a vectored write with its own request object, which takes 20 µs longer.

/** Messages with bodies up to this size are written as one string. */
export const ONE_WRITE_BYTES = 8 * 1024;

/** A string with one character per byte; written with the encoding `latin1`, it is these bytes again. */
export const latin1 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
