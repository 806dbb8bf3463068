// A name that PyTorch has and Trenio does not.
export interface AbsentName {
  /** `Tensor.cuda`, `torch.sparse_coo_tensor`. */
  readonly name: string;
  /** What to do, as the fix of an error: `use …`. */
  readonly instead: string;
}
