// For campaigns: how much they do, and from which seed. TRENIO_TEST_BUDGET multiplies the usual amount; the seed is
// TRENIO_TEST_SEED, or that of the week, and is printed with each campaign.

/** A count of programs, kills or seconds, for the budget of this run; at least 1. */
export const budget = (usual: number): number =>
  Math.max(1, Math.round(usual * Number(process.env.TRENIO_TEST_BUDGET ?? 1)));

const weekMs = 7 * 24 * 3600 * 1000;
export const campaignSeed: number = Number(process.env.TRENIO_TEST_SEED ?? Math.floor(Date.now() / weekMs));
console.log(`campaign: TRENIO_TEST_SEED=${campaignSeed} TRENIO_TEST_BUDGET=${process.env.TRENIO_TEST_BUDGET ?? 1}`);
