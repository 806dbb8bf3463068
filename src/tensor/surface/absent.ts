// Names that PyTorch has and Trenio does not, with what to use. Methods that are missing throw it when they are read.
export interface AbsentName {
  /** `Tensor.cuda`, `torch.sparse_coo_tensor`. */
  readonly name: string;
  /** What to do, as the fix of an error: `use …`. */
  readonly instead: string;
}

export const absentNames: readonly AbsentName[] = [
  {
    name: 'Tensor.data_ptr',
    instead: 'compare the tensors themselves; memory is planned by the compiler and has no address',
  },
  { name: 'Tensor.is_cuda', instead: 'use x.device.name; there are no CUDA devices' },
  { name: 'Tensor.to_sparse', instead: 'use dense tensors; Trenio has no sparse layouts' },
  {
    name: 'Tensor.storage',
    instead: 'use x.data for the elements in a typed array; tensors have no storage of their own',
  },
  { name: 'Tensor.share_memory_', instead: 'leave it out; ranks exchange data through collectives' },
  { name: 'Tensor.pin_memory', instead: 'leave it out; uploads are asynchronous already' },
  { name: 'Tensor.register_hook', instead: 'read x.grad after backward()' },
  { name: 'torch.SymInt', instead: 'use numbers; a program is compiled for each shape' },
];
