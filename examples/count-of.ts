/** The value of an option that is a number of something, such as steps. If it is none, says so and ends the process. */
export function countOf(option: string, value: string): number {
  const count = Number(value);
  if (Number.isSafeInteger(count) && count > 0) return count;
  console.error(`${option} takes a positive integer, got ${JSON.stringify(value)}`);
  process.exit(2);
}
