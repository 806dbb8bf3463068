// Functions of PyTorch's torch.linalg that Trenio does not have: calling one throws an error that names the replacement. Made from the table in ../surface by scripts/write-surface.ts: change the rows, not this file.
import { absentFunction } from '../absent-functions.ts';

/** @deprecated There is no `torch.linalg.ldl_factor` here: use linalg.luFactor. */
export const ldlFactor: never = absentFunction('linalg.ldlFactor', 'use linalg.luFactor');
/** @deprecated There is no `torch.linalg.ldl_factor_ex` here: use linalg.luFactorEx. */
export const ldlFactorEx: never = absentFunction('linalg.ldlFactorEx', 'use linalg.luFactorEx');
/** @deprecated There is no `torch.linalg.ldl_solve` here: use linalg.luSolve. */
export const ldlSolve: never = absentFunction('linalg.ldlSolve', 'use linalg.luSolve');
