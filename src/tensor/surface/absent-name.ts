// A name that exists in PyTorch but not in Trenio.
export interface AbsentName {
  /** `Tensor.cuda`, `torch.sparse_coo_tensor`. */
  readonly name: string;
  /** The fix of the error: `use …`. */
  readonly instead: string;
}
