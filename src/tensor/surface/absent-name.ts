// A name that PyTorch has and Trenio does not.
export interface AbsentName {
  /** `Tensor.cuda`, `torch.sparse_coo_tensor`. */
  readonly name: string;
  /** The fix of the error: `use …`. */
  readonly instead: string;
}
