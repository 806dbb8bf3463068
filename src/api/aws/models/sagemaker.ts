// SageMaker: members, types and limits.
import type {
  SageMaker,
  Filter as SdkFilter,
  SearchExpression as SdkSearchExpression,
} from '@aws-sdk/client-sagemaker';
import type { SagemakerOperation } from './operations.ts';
import data from './sagemaker.json' with { type: 'json' };
import type { AnswersOf, InputsOf, Wire } from './sdk-types.ts';
import { modelOf } from './service-model.ts';

export const sagemaker = modelOf<InputsOf<SageMaker, SagemakerOperation>>(data);
export type SagemakerAnswers = AnswersOf<SageMaker, SagemakerOperation>;
export type SearchExpression = Wire<SdkSearchExpression>;
export type Filter = Wire<SdkFilter>;
