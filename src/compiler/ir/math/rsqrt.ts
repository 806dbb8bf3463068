// 1 / √x: rounded twice, as the instructions for both are.
import { mathFunction } from './math-function.ts';

export const rsqrt = mathFunction('rsqrt', (m, x) => m.divide(1, m.sqrt(x)));
