// Hides the values of environment variables from the console; responses to signed clients contain them.

const HIDDEN = '••••••';

/** The response, with the values of every member `Environment` hidden. */
export function hideEnvironments(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(hideEnvironments);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      name === 'Environment' && typeof member === 'object' && member !== null
        ? Object.fromEntries(Object.keys(member).map(key => [key, HIDDEN]))
        : hideEnvironments(member),
    ]),
  );
}
