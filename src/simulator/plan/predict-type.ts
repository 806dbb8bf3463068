// What a plan asks of the simulator: one function. It is passed in, so that a plan can be made with another one.
import type { Prediction } from '../prediction.ts';
import type { StepQuestion } from '../question.ts';

/** One step. Throws a TrenioError where the layout is impossible. */
export type Predict = (question: StepQuestion) => Prediction;
