// An entry of a stream that is computed when it is used.

/** Computes an entry; the result may be a promise. Called at most once by a reader. */
export type Lazy<T> = () => T | Promise<T>;
