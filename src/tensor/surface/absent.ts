// Names that PyTorch has and Trenio does not, with what to use. Members of tensors throw it when they are read
// (`absent-names.ts`), and are typed `never`, with this advice.
export interface AbsentName {
  /** `Tensor.cuda`, `torch.sparse_coo_tensor`. */
  readonly name: string;
  /** What to do, as the fix of an error: `use …`. */
  readonly instead: string;
}

const dense = 'leave it out: all tensors are dense';
const cores = 'leave it out: programs run on the cores of this machine; to(device) moves a tensor';

const fsdp = 'use the module as it is: parameters are held by every rank';

export const absentNames: readonly AbsentName[] = [
  { name: 'Tensor.cuda', instead: cores },
  { name: 'Tensor.xpu', instead: cores },
  { name: 'Tensor.is_cuda', instead: 'use x.device.name' },
  { name: 'Tensor.is_mps', instead: 'use x.device.name' },
  { name: 'Tensor.get_device', instead: 'use x.device' },
  { name: 'Tensor.pin_memory', instead: 'leave it out: uploads are asynchronous already' },
  { name: 'Tensor.is_pinned', instead: 'leave it out: uploads are asynchronous already' },
  { name: 'Tensor.share_memory_', instead: 'leave it out: ranks exchange data through collectives' },
  {
    name: 'Tensor.data_ptr',
    instead: 'compare the tensors themselves: memory is planned by the compiler and has no fixed address',
  },
  { name: 'Tensor.storage', instead: 'use x.data for the elements in a typed array' },
  { name: 'Tensor.untyped_storage', instead: 'use x.data for the elements in a typed array' },
  { name: 'Tensor.as_strided', instead: 'use reshape, permute, narrow or slice' },
  { name: 'Tensor.set_', instead: 'use copy_ or assign_' },
  { name: 'Tensor.resize_', instead: 'make a new tensor: the shape of a tensor does not change' },
  { name: 'Tensor.resize_as_', instead: 'make a new tensor: the shape of a tensor does not change' },
  { name: 'Tensor.element_size', instead: 'use finfo(x.dtype).bits / 8, or iinfo for whole numbers' },
  { name: 'Tensor.itemsize', instead: 'use finfo(x.dtype).bits / 8, or iinfo for whole numbers' },
  { name: 'Tensor.is_sparse', instead: dense },
  { name: 'Tensor.to_sparse', instead: dense },
  { name: 'Tensor.to_dense', instead: dense },
  { name: 'Tensor.coalesce', instead: dense },
  { name: 'Tensor.is_quantized', instead: 'use x.roundTo(format) for other number formats' },
  { name: 'Tensor.dequantize', instead: 'use x.float()' },
  { name: 'Tensor.names', instead: 'name dims in your own variables: tensors have no named dims' },
  { name: 'Tensor.align_to', instead: 'use permute: tensors have no named dims' },
  { name: 'Tensor.numpy_', instead: 'use x.data' },
  { name: 'Tensor.map_', instead: 'use methods of tensors: JavaScript functions of elements cannot be compiled' },
  { name: 'Tensor.apply_', instead: 'use methods of tensors: JavaScript functions of elements cannot be compiled' },
  { name: 'Tensor.is_inference', instead: 'use x.requiresGrad' },
  { name: 'torch.SymInt', instead: 'use numbers: a program is compiled for each shape' },
  { name: 'torch.LongTensor', instead: "use tensor(data, { dtype: 'long' })" },
  { name: 'torch.FloatTensor', instead: "use tensor(data, { dtype: 'float' })" },
  { name: 'torch.memory_format', instead: 'leave it out: the compiler chooses layouts' },
  { name: 'torch.contiguous_format', instead: 'leave it out: the compiler chooses layouts' },
  { name: 'torch.channels_last', instead: 'leave it out: the compiler chooses layouts' },
  { name: 'torch.set_num_threads', instead: 'set TRENIO_NUM_THREADS' },
  { name: 'torch.set_default_dtype', instead: 'give dtype where tensors are made' },
  { name: 'torch.set_default_tensor_type', instead: 'give dtype where tensors are made' },
  { name: 'torch.cuda', instead: cores },
  { name: 'torch.backends', instead: 'leave it out: the compiler chooses kernels' },
  { name: 'torch.sparse_coo_tensor', instead: 'use dense tensors' },
  { name: 'torch.utils.data.Dataset', instead: 'implement the interface Dataset: an object with length and get' },
  {
    name: 'torch.nn.parallel.DistributedDataParallel',
    instead: 'use the module as it is: gradients are averaged by the step',
  },
  { name: 'torch.distributed.fsdp.FullyShardedDataParallel', instead: fsdp },
  { name: 'torch.distributed.fsdp.fully_shard', instead: fsdp },
  { name: 'torch.distributed.fsdp.FSDPModule', instead: fsdp },
  { name: 'torch.distributed.fsdp.MixedPrecision', instead: 'use autocast' },
  { name: 'torch.distributed.fsdp.MixedPrecisionPolicy', instead: 'use autocast' },
  { name: 'Module.compile', instead: 'leave it out: steps are compiled as a whole' },
  { name: 'torch.save', instead: 'use saveCheckpoint, or writeSafetensors for weights' },
  { name: 'torch.load', instead: 'use loadCheckpoint, or readSafetensors for weights' },
  { name: 'torch.amp', instead: 'use autocast and GradScaler' },
  { name: 'torch.is_autocast_enabled', instead: 'leave it out: autocast takes the function that it applies to' },
  { name: 'torch.nn.utils.convert_conv2d_weight_memory_format', instead: 'leave it out: the compiler chooses layouts' },
  { name: 'torch.nn.utils.convert_conv3d_weight_memory_format', instead: 'leave it out: the compiler chooses layouts' },
  { name: 'torch.nn.utils.clip_grad_norm', instead: 'use nn.utils.clipGradNorm_' },
  { name: 'torch.nn.utils.prune.BasePruningMethod', instead: 'use prune.customFromMask with a mask of your own' },
  {
    name: 'torch.nn.utils.parametrize.transfer_parametrizations_and_params',
    instead: 'register the parametrizations on the other module, and load the state',
  },
  {
    name: 'torch.utils.data.get_worker_info',
    instead: 'leave it out: a loader reads batches ahead in the same process',
  },
  { name: 'torch.utils.data.default_convert', instead: 'use tensor(data)' },
  {
    name: 'torch.optim.swap_in_optimizer_params_and_state',
    instead: 'use optimizer.loadStateDict and model.loadStateDict',
  },
  { name: 'torch.nn.DataParallel', instead: 'start several ranks with trenio run' },
  { name: 'torch.nn.Container', instead: 'use nn.Module' },
  { name: 'torch.nn.CrossMapLRN2d', instead: 'use nn.LocalResponseNorm' },
  { name: 'torch.nn.NLLLoss2d', instead: 'use nn.NLLLoss: it takes [N, C, H, W] too' },
  { name: 'torch.nn.RNNBase', instead: 'extend nn.Module, or use nn.RNN, nn.LSTM or nn.GRU' },
  { name: 'torch.nn.RNNCellBase', instead: 'extend nn.Module, or use nn.RNNCell, nn.LSTMCell or nn.GRUCell' },
  { name: 'torch.nn.functional.grouped_mm', instead: 'use matmul of each group, or bmm of groups of one size' },
  { name: 'torch.nn.functional.scaled_mm', instead: 'use matmul of x.roundTo(format) times the scales' },
  { name: 'torch.nn.functional.scaled_grouped_mm', instead: 'use matmul of x.roundTo(format) times the scales' },
  { name: 'torch.nn.functional.native_channel_shuffle', instead: 'use channelShuffle' },
  { name: 'torch.nn.functional.multi_head_attention_forward', instead: 'use nn.MultiheadAttention' },
  { name: 'torch.optim.SparseAdam', instead: 'use optim.Adam: gradients are dense' },
  { name: 'torch.jit', instead: 'leave it out: steps are compiled as a whole' },
  { name: 'torch.set_float32_matmul_precision', instead: 'use autocast' },
  { name: 'torch.get_default_dtype', instead: "leave it out: the default is 'float32'" },
  { name: 'torch.multiprocessing', instead: 'start several ranks with trenio run' },
  { name: 'torch.utils.data.distributed.DistributedSampler', instead: 'give rank and worldSize to DataLoader' },
];
