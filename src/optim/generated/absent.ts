// Functions of PyTorch's torch.optim that Trenio does not have: calling one throws an error that names the replacement. Made from the table in ../surface by scripts/write-surface.ts: change the rows, not this file.
import { absentFunction } from '../../tensor/index.ts';

/** @deprecated There is no `torch.optim.swap_in_optimizer_params_and_state` here: use optimizer.loadStateDict and model.loadStateDict. */
export const swapInOptimizerParamsAndState: never = absentFunction(
  'optim.swapInOptimizerParamsAndState',
  'use optimizer.loadStateDict and model.loadStateDict',
);
/** @deprecated There is no `torch.optim.SparseAdam` here: use optim.Adam: gradients are dense. */
export const SparseAdam: never = absentFunction('optim.SparseAdam', 'use optim.Adam: gradients are dense');
