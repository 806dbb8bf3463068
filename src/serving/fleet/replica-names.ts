// The log group and stream of a replica, with SageMaker's names.
import type { Replica } from './resources.ts';

export const logGroupOf = (endpoint: string): string => `/aws/sagemaker/Endpoints/${endpoint}`;
export const logStreamOf = ({ variant, id }: Pick<Replica, 'variant' | 'id'>): string => `${variant}/${id}`;
