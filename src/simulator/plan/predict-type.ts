// The interface of the simulator that a plan needs: one function. It is passed in, so that tests can replace it.
import type { Prediction } from '../prediction.ts';
import type { StepQuestion } from '../question.ts';

/** One step. Throws a TrenioError if the layout is impossible. */
export type Predict = (question: StepQuestion) => Prediction;
