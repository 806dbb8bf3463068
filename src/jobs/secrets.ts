// Secrets in the environments of jobs and models: variables with names such as API_TOKEN or DB_PASSWORD. Programs get them;
// lines, reasons of failures, descriptions and the console do not show their values.

const SECRET_NAME =
  /SECRET|TOKEN|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL|(?:PRIVATE|ACCESS|API|AUTH|ENCRYPTION|SIGNING)_?KEY/i;
/** Shorter values would hide parts of ordinary words. */
const MIN_CHARACTERS = 6;
const HIDDEN_VALUE = '******';

export const isSecretName = (name: string): boolean => SECRET_NAME.test(name);

/** An environment as it is shown. */
export const shownEnvironment = (environment: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(environment).map(([name, value]) => [name, isSecretName(name) ? HIDDEN_VALUE : value]),
  );

/** A request as it is shown: each `Environment` in it without its secrets. */
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

/** Takes the values of secrets out of texts that a program wrote. */
export class SecretMask {
  /** Longest first: one may be the start of another. */
  readonly #values: readonly string[];

  constructor(...environments: readonly Readonly<Record<string, string>>[]) {
    const values = environments
      .flatMap(environment => Object.entries(environment))
      .filter(([name]) => isSecretName(name))
      // Programs print a key of several lines line by line.
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
