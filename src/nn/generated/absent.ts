// Functions of PyTorch's torch.nn that Trenio does not have: calling one throws an error that names the replacement. Made from the table in ../surface by scripts/write-surface.ts: change the rows, not this file.
import { absentFunction } from '../../tensor/index.ts';

/** @deprecated There is no `torch.nn.DataParallel` here: start several ranks with trenio run. */
export const DataParallel: never = absentFunction('nn.DataParallel', 'start several ranks with trenio run');
/** @deprecated There is no `torch.nn.Container` here: use nn.Module. */
export const Container: never = absentFunction('nn.Container', 'use nn.Module');
/** @deprecated There is no `torch.nn.CrossMapLRN2d` here: use nn.LocalResponseNorm. */
export const CrossMapLRN2d: never = absentFunction('nn.CrossMapLRN2d', 'use nn.LocalResponseNorm');
/** @deprecated There is no `torch.nn.NLLLoss2d` here: use nn.NLLLoss: it takes [N, C, H, W] too. */
export const NLLLoss2d: never = absentFunction('nn.NLLLoss2d', 'use nn.NLLLoss: it takes [N, C, H, W] too');
/** @deprecated There is no `torch.nn.RNNBase` here: extend nn.Module, or use nn.RNN, nn.LSTM or nn.GRU. */
export const RNNBase: never = absentFunction('nn.RNNBase', 'extend nn.Module, or use nn.RNN, nn.LSTM or nn.GRU');
/** @deprecated There is no `torch.nn.RNNCellBase` here: extend nn.Module, or use nn.RNNCell, nn.LSTMCell or nn.GRUCell. */
export const RNNCellBase: never = absentFunction(
  'nn.RNNCellBase',
  'extend nn.Module, or use nn.RNNCell, nn.LSTMCell or nn.GRUCell',
);
