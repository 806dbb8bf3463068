// Secrets in the environments of jobs and models: variables with names such as API_TOKEN or DB_PASSWORD. Programs get them; their
// values are masked in log lines, failure reasons, descriptions and the console.

const SECRET_NAME =
  /SECRET|TOKEN|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL|(?:PRIVATE|ACCESS|API|AUTH|ENCRYPTION|SIGNING)_?KEY/i;
/** Shorter values would hide parts of ordinary words. */
const MIN_CHARACTERS = 6;
const HIDDEN_VALUE = '******';

export const isSecretName = (name: string): boolean => SECRET_NAME.test(name);

/** An environment with its secrets masked. */
export const shownEnvironment = (environment: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(environment).map(([name, value]) => [name, isSecretName(name) ? HIDDEN_VALUE : value]),
  );

/** A request with the secrets of each `Environment` in it masked. */
export function shownRequest<T>(value: T): T {
  if (Array.isArray(value)) return value.map(shownRequest) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      name === 'Environment' && typeof member === 'object' && member !== null
        ? shownEnvironment(member as Readonly<Record<string, string>>)
        : shownRequest(member),
    ]),
  ) as T;
}

/** Masks the values of secrets in the output of a program. */
export class SecretMask {
  /** Longest first: one may be the start of another. */
  readonly #values: readonly string[];

  constructor(...environments: readonly Readonly<Record<string, string>>[]) {
    const values = environments
      .flatMap(environment => Object.entries(environment))
      .filter(([name]) => isSecretName(name))
      // Programs print a multi-line key line by line.
      .flatMap(([, value]) => [value, ...value.split('\n')])
      .filter(value => value.trim().length >= MIN_CHARACTERS);
    this.#values = [...new Set(values)].sort((a, b) => b.length - a.length);
  }

  mask(text: string): string {
    let masked = text;
    for (const value of this.#values) masked = masked.replaceAll(value, HIDDEN_VALUE);
    return masked;
  }
}
