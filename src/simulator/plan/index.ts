export { type Amount, describeAmount, type Step, stepsOf } from './amount.ts';
export { assumedBatch } from './assumed-batch.ts';
export { expectPlan, type StepExpectation, type TrainingExpectation } from './budget.ts';
export type { BlockDates } from './capacity-block.ts';
export { type ChosenLayout, chooseLayout } from './choose-layout.ts';
export { type Compared, compare, compareTrainings, type Measures } from './comparison.ts';
export { type FailureOptions, type TrainingUnderFailures, underFailures } from './failures.ts';
export { formatLayout, formatStep } from './format.ts';
export { whyNoLayout } from './given-layout.ts';
export type { LayoutQuestion } from './layout-question.ts';
export { type LayoutSpace, layoutsOf } from './layouts.ts';
export type { Predict } from './predict-type.ts';
export { publishedPrice, purchaseKinds, type Service, serviceOf } from './price.ts';
export {
  type ImpossibleOption,
  type PricedOption,
  type PurchaseOption,
  type PurchaseQuestion,
  purchaseOptions,
  type UnpricedOption,
} from './purchase.ts';
export {
  bestQuote,
  cheapestRate,
  type Limits,
  type Objective,
  type Offer,
  type PricedQuote,
  type Quote,
  quoteOf,
  type Rate,
  type RefusedQuote,
  type Terms,
  type TermsOptions,
  termsOf,
  type UnpricedQuote,
} from './quote.ts';
export { type PublishedRun, type Recipe, recipeNames, recipeOf, recipes } from './recipes.ts';
export { type ImpossibleRow, type PlanRow, type PredictedRow, planRows, type RowsQuestion } from './rows.ts';
export { type ScalingCurves, type ScalingPoint, scalingOf, whySuperLinear } from './scaling.ts';
export {
  type Candidate,
  type LostCandidate,
  type MachineWithoutAny,
  type SearchConstraints,
  type SearchProgress,
  type SearchQuestion,
  type SearchResult,
  searchLayouts,
} from './search.ts';
export { defaultSpot, expectedSpotTime, type SpotAssumptions, type SpotTime } from './spot.ts';
export { defaultStartUp, type StartUp, startUpSeconds } from './start-up.ts';
export { dollarsPerSample, planTraining, type Totals, type TrainingOptions, type TrainingPlan } from './training.ts';
export { type Comparison, comparedLoss, describeLoss, type Loss, type PhaseDifference } from './why-lost.ts';
