// Every error that users see: a code, the problem (with its data) and the fix. Grouped by folder.
import { formatBytes } from './units.ts';

const row = <D>(what: (data: D) => string, fix: (data: D) => string) => ({ what, fix });

/** The fix for a request that the job server refuses. */
function serviceFix(code: string, status: number): string {
  if (/^(?:UnrecognizedClient|InvalidClientToken|InvalidAccessKey|InvalidSignature|SignatureDoesNotMatch)/.test(code))
    return 'set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY as `trenio server` printed them';
  if (/^AccessDenied/.test(code)) return 'use a key with a role that may do this';
  if (code === 'ResourceInUse') return 'choose another name, or wait until it is free';
  if (code === 'ResourceLimitExceeded') return 'use fewer instances, or a server whose --pool has more';
  return status >= 500 ? 'check the log of the server, and try again' : 'correct the request as the message says';
}

export const errorCatalog = {
  // base
  BAD_ENVIRONMENT: row<{ name: string; value: string; expected: string }>(
    d => `environment variable ${d.name} is '${d.value}', expected ${d.expected}`,
    d => `set ${d.name} to ${d.expected}, or unset it (docs/environment.md)`,
  ),
  FILE_UNREADABLE: row<{ file: string; reason: string }>(
    d => `cannot read ${d.file}: ${d.reason}`,
    () => 'check the path and its permissions',
  ),
  NO_SUCH_OPTION: row<{ what: string; option: string; nearest: string | undefined; known: readonly string[] }>(
    d => `${d.what} has no option ${d.option}`,
    d => (d.nearest === undefined ? `use one of ${d.known.join(', ')}` : `did you mean ${d.nearest}?`),
  ),
  WRITE_FAILED: row<{ file: string; reason: string }>(
    d => `cannot write ${d.file}: ${d.reason}; any existing file is unchanged`,
    () => 'check that the folder exists and is writable',
  ),
  DISK_FULL: row<{ file: string; bytesWritten: number; reason: string }>(
    d =>
      `not enough space to write ${d.file}: stopped after ${d.bytesWritten} bytes (${d.reason}); any existing file is unchanged`,
    () => 'free some space (df -h shows how much is left), raise the quota, or write to another disk',
  ),
  // hlo
  INVALID_OP: row<{ op: string; constraint: string; detail: string }>(
    d => `${d.op}: ${d.detail} (${d.constraint})`,
    d =>
      `see ${d.constraint.startsWith('trenio') ? 'the op table in src/hlo' : `the StableHLO specification, constraint ${d.constraint}`}`,
  ),
  UNSUPPORTED: row<{ what: string; where: string; instead: string }>(
    d => `${d.what} is not supported by ${d.where}`,
    d => d.instead,
  ),
  INVALID_SHARDING: row<{ sharding: string; detail: string }>(
    d => `invalid sharding ${d.sharding}: ${d.detail}`,
    () => 'name axes of the mesh, each at most once, and give one entry for each dim of the tensor',
  ),
  INVALID_MESH: row<{
    mesh: string;
    detail: string;
    ranks?: number | undefined;
    traced?: boolean | undefined;
    names?: readonly string[] | undefined;
  }>(
    d => `invalid mesh ${d.mesh}: ${d.detail}`,
    d =>
      d.names !== undefined
        ? `give its size once, as ${d.names[0]}`
        : d.traced === true
          ? 'trenio plan traces the script as one rank: read the sizes from arguments of the script, make them 1 for the plan, and give the layout to plan with --dp, --tp, --pp and --ep'
          : `use sizes of 1 or more whose product is the number of ranks${d.ranks === undefined ? '' : `, ${d.ranks}`}; one size may be -1, which stands for the remaining ranks`,
  ),
  UNKNOWN_MESH_AXIS: row<{ axis: string; nearest: string | undefined; known: readonly string[] }>(
    d => `unknown mesh axis '${d.axis}'`,
    d => (d.nearest === undefined ? `use one of ${d.known.join(', ')}` : `did you mean ${d.nearest}?`),
  ),
  INVALID_PROGRAM: row<{ function: string; detail: string }>(
    d => `@${d.function} is not a valid program: ${d.detail}`,
    () => 'build programs with the Builder, and check the output of passes with verify()',
  ),
  PROGRAM_TOO_LARGE: row<{ function: string; what: string; count: number; limit: number }>(
    d => `@${d.function} would have ${d.count} ${d.what} after its calls are inlined; the limit is ${d.limit}`,
    () => 'put repeated code into a loop (stablehlo.while), or use fewer nested calls',
  ),
  HLO_SYNTAX: row<{ file: string; line: number; column: number; expected: string; found: string; excerpt: string }>(
    d => `${d.file}:${d.line}:${d.column}: expected ${d.expected}, found ${d.found}\n${d.excerpt}`,
    () => 'correct the text there; the StableHLO specification and the MLIR documentation describe the syntax',
  ),
  HLO_BYTECODE: row<{ offset: number; detail: string }>(
    d => `not a portable StableHLO artifact: at byte ${d.offset}, ${d.detail}`,
    () => 'export it again, for example with jax.export (mlir_module_serialized), or as text (mlir_module())',
  ),
  INTERPRETER_ARGUMENTS: row<{ function: string; detail: string }>(
    d => `@${d.function} cannot be evaluated: ${d.detail}`,
    () => 'pass one literal per argument, with the type of that argument',
  ),
  INTERPRETER_STEP_LIMIT: row<{ limit: number }>(
    d => `a loop took more than ${d.limit} iterations`,
    () => 'check the condition of the loop, or raise maxLoopSteps',
  ),
  COLLECTIVE_MISMATCH: row<{ op: string; missing: number; group: string }>(
    d => `${d.op} waits for process ${d.missing} of its group [${d.group}], which never reaches it`,
    () =>
      'make every process of a replica group run the same collectives, and start as many processes as the groups list',
  ),
  DEADLOCK: row<{ waits: string }>(
    d => `deadlock: ${d.waits}`,
    () =>
      'make every process of a group reach the same collectives in the same order, and receive every value that is sent',
  ),
  CHECK_FAILED: row<{
    check: string;
    index: readonly number[];
    actual: string;
    expected: string;
    difference: string;
    failing: number;
    elements: number;
  }>(
    d =>
      `${d.check}: element [${d.index.join(', ')}] is ${d.actual}, expected ${d.expected} (${d.difference}); ${d.failing} of ${d.elements} elements fail`,
    () => 'compare the preceding values op by op: interpreter.print shows them, interpreter.probe stores them',
  ),
  // autodiff
  NOT_DIFFERENTIABLE: row<{ op: string; reason: string }>(
    d => `${d.op} is not differentiable: ${d.reason}`,
    () => 'stop the gradient with detach(), or rewrite the computation with differentiable ops',
  ),
  NOT_A_SCALAR: row<{ type: string }>(
    d => `gradients need a floating-point scalar output, got ${d.type}`,
    () => 'reduce the output to a scalar first, for example with sum() or mean(), or pass a gradient of the same shape',
  ),
  NOT_A_NUMBER: row<{
    op: string;
    type: string;
    what: 'NaN' | 'infinite';
    count: number;
    program: string;
    infiniteFrom: string | undefined;
  }>(
    d =>
      `${d.op} ${d.type} returns ${d.count} element${d.count === 1 ? '' : 's'} that ${d.count === 1 ? 'is' : 'are'} ${d.what} in the program at ${d.program}` +
      (d.infiniteFrom === undefined ? '' : `; the first infinity came from ${d.infiniteFrom}`),
    () =>
      'lower the learning rate, clip gradients (maxGradNorm), scale the loss in f16 (GradScaler), or compute that part in f32',
  ),
  // compiler, runtime
  LOOP_LIMIT: row<{ program: string }>(
    d => `a loop in ${d.program} ran more iterations than TRENIO_MAX_LOOP_STEPS allows`,
    () => 'check the condition of the loop, or raise the limit',
  ),
  OPERATOR_NOT_COMPILED: row<{ operator: string; compiler: string; output: string }>(
    d => `${d.compiler} could not compile the custom operator ${d.operator}:\n${d.output}`,
    () => 'fix the C++ error above; the compiler must support C++17 (Debian: apt-get install g++)',
  ),
  OPERATOR_SIGNATURE: row<{ operator: string; reason: string }>(
    d => `the custom operator ${d.operator} cannot be used: ${d.reason}`,
    d => `make TRENIO_OPERATOR(${d.operator}, …) match the declaration in loadOperator()`,
  ),
  OPERATOR_CALL: row<{ operator: string; reason: string }>(
    d => `invalid call of the custom operator ${d.operator}: ${d.reason}`,
    () => 'convert the inputs with to(), or fix the shape function',
  ),
  OPERATOR_FAILED: row<{ operator: string; reason: string }>(
    d => `the custom operator ${d.operator} failed: ${d.reason}`,
    () => 'the bug is in its C++ code: run it on small inputs under a debugger, or build it with -fsanitize=address',
  ),
  UNKNOWN_DEVICE: row<{ name: string; registered: readonly string[]; nearest: string | undefined }>(
    d => `no backend for device '${d.name}'; registered backends: ${d.registered.join(', ')}`,
    d =>
      d.nearest === undefined
        ? `pass one of them to device(…) or TRENIO_BACKEND, with a device index if there are several, as in '${d.registered[0] ?? 'cpu'}:0'`
        : `did you mean '${d.nearest}'?`,
  ),
  NO_SUCH_ORDINAL: row<{ backend: string; ordinal: number; devices: number }>(
    d =>
      `invalid device '${d.backend}:${d.ordinal}': this machine has ${d.devices} ${d.backend} device${d.devices === 1 ? '' : 's'}`,
    d => (d.devices === 1 ? `use '${d.backend}:0'` : `use '${d.backend}:0' to '${d.backend}:${d.devices - 1}'`),
  ),
  NO_C_COMPILER: row<{ tried: string }>(
    d => `no C compiler found (tried ${d.tried})`,
    () =>
      'install one (Debian: apt-get install gcc; macOS: xcode-select --install), or set CC=/path/to/cc. If CC is not set, a single process runs without one: its programs are WebAssembly, on one core',
  ),
  C_COMPILER_FAILED: row<{ compiler: string; source: string; output: string }>(
    d => `${d.compiler} could not compile a generated program:\n${d.output}`,
    d =>
      `the source is kept in ${d.source}; update the compiler or choose another with CC=, and report the error if a current gcc or clang fails`,
  ),
  C_COMPILER_UNUSABLE: row<{ compiler: string; reason: string }>(
    d => `${d.compiler} cannot be used as a C compiler: ${d.reason}`,
    () =>
      'set CC=/path/to/cc to a gcc or clang, unset CC to use the first of gcc, clang and cc on PATH, or use the interpreter with TRENIO_BACKEND=interpreter (slow)',
  ),
  C_COMPILER_TOO_OLD: row<{ compiler: string; found: string; needed: string }>(
    d => `${d.compiler} is too old: found ${d.found}, need ${d.needed} or later`,
    () =>
      'install a newer compiler, choose another with CC=/path/to/cc, or use the interpreter with TRENIO_BACKEND=interpreter (slow)',
  ),
  ISA_UNSUPPORTED: row<{ isa: string; available: string }>(
    d =>
      `TRENIO_ISA is ${d.isa}, which this CPU does not support${d.isa === 'amx' ? ' or the system does not allow' : ''}; supported: ${d.available}`,
    () => 'unset TRENIO_ISA to compile for this CPU',
  ),
  CACHE_UNUSABLE: row<{ directory: string; reason: string }>(
    d => `cannot store compiled programs in ${d.directory} or in the temporary directory: ${d.reason}`,
    () => 'free some space, or set TRENIO_CACHE_DIR to a writable directory',
  ),
  LOAD_FAILED: row<{ file: string; reason: string }>(
    d => `could not load the compiled program ${d.file}: ${d.reason}`,
    () => 'the cache directory may be mounted noexec: set TRENIO_CACHE_DIR to another directory',
  ),
  OUT_OF_MEMORY: row<{ what: string; bytes: number; available: number }>(
    d => `${d.what}: ${formatBytes(d.bytes)} of memory needed, ${formatBytes(d.available)} available`,
    () =>
      'reduce the batch, the sequence length or the model, accumulate gradients over more steps, or free memory; trenio plan <script> --layout auto finds a layout over ranks that fits',
  ),
  SIZES_DO_NOT_FIT: row<{ op: string; detail: string }>(
    d => `${d.op}: ${d.detail}`,
    () => 'these sizes are known only at run time: pass tensors with compatible shapes',
  ),
  SHAPE_ASSERTION: row<{ program: string; message: string }>(
    d => `${d.program} rejects the shapes of its inputs: ${d.message}`,
    () => 'pass tensors with shapes that the program was exported for',
  ),
  INPUT_MISMATCH: row<{ program: string; expected: string; got: string }>(
    d => `${d.program} expects ${d.expected}, not ${d.got}`,
    () => 'pass a value of that type, or compile the program for the types you have',
  ),
  BUFFER_CONSUMED: row<{ type: string; program: string }>(
    d => `this ${d.type} was donated to ${d.program}, whose result now owns its memory`,
    () => 'use the result instead, or do not donate a value that is needed later',
  ),
  STEP_FAILED: row<{ program: string; status: number }>(
    d => `${d.program} ended with status ${d.status}`,
    () => 'this is a bug in Trenio: please report it with the program that shows it',
  ),
  PEER_LOST: row<{ program: string; rank: number; reason?: string | undefined }>(
    d => `rank ${d.rank} cannot continue ${d.program}: ${d.reason || 'another rank, or the launcher, has exited'}`,
    () =>
      'look for the first error in the output of the other ranks; if there is none, the system may have run out of memory (dmesg)',
  ),
  RANKS_DIVERGED: row<{ program: string; rank: number }>(
    d => `rank ${d.rank} reached a different collective than the other ranks in ${d.program}`,
    () =>
      'all ranks must run the same programs with the same shapes in the same order: look for a branch that depends on the rank, or for data of unequal length',
  ),
  PLANS_DIFFER: row<{ call: string; plan: string; other: number; otherPlan: string }>(
    d => `${d.call}: rank 0 was given ${d.plan}, and rank ${d.other} ${d.otherPlan}`,
    () => 'give all ranks the same mesh and options: look for a value that depends on the rank',
  ),
  COLLECTIVE_TIMEOUT: row<{ program: string; rank: number; reason: string }>(
    d => `rank ${d.rank} cannot continue ${d.program}: ${d.reason}`,
    () =>
      'check what the ranks that have not arrived are doing; if they just need more time, use trenio run --timeout, or TRENIO_COMM_TIMEOUT, with more seconds (0: wait without a limit)',
  ),
  CONNECT_FAILED: row<{ rank: number; peer: string; reason: string }>(
    d => `rank ${d.rank} could not connect to ${d.peer}: ${d.reason}`,
    () =>
      'start all ranks of a run with the same secret, and make sure they can reach each other over TCP (firewalls); on a host with several addresses, set TRENIO_COMM_ADDRESS',
  ),
  MPI_FAILED: row<{ action: string; reason: string }>(
    d => `MPI could not ${d.action}: ${d.reason}`,
    () =>
      'check that mpicc and mpirun (or srun --mpi) belong to the same MPI installation; TRENIO_TRANSPORT=tcp works without MPI',
  ),
  MESH_IN_USE: row<{ device: string; mesh: string; wanted: string }>(
    d =>
      `the mesh of the device ${d.device} cannot be changed to ${d.wanted}: it is ${d.mesh}, and programs have been recorded with it`,
    () => 'call initDeviceMesh once, at the start of the script',
  ),
  MICRO_BATCH_COUNT: row<{ got: number; expected: number }>(
    d =>
      `the optimizer step follows ${d.got} calls of backward(), but device.gradientAccumulationSteps is ${d.expected}`,
    () =>
      'call backward() once per micro-batch (on the sum, if there are several losses), and set device.gradientAccumulationSteps to the number of micro-batches per step; set it again before a shorter last step',
  ),
  SHARED_MEMORY_FAILED: row<{ action: string; name: string; reason: string }>(
    d => `could not ${d.action} the shared memory ${d.name}: ${d.reason}`,
    () => 'start the ranks with trenio run; if /dev/shm is too small, enlarge it (containers: --shm-size)',
  ),
  RUNTIME_CLOSED: row<{ action: string }>(
    d => `${d.action} after the runtime was closed`,
    () => 'use the device before its runtime is closed or the process exits',
  ),
  // tensor
  SHAPE_MISMATCH: row<{ op: string; left: string; right: string; detail: string }>(
    d => `${d.op}: shapes ${d.left} and ${d.right} are incompatible: ${d.detail}`,
    () => 'change one of the two shapes, for example with reshape() or transpose()',
  ),
  BAD_DIM: row<{ op: string; dim: number; shape: string; rank: number }>(
    d => `${d.op}: dim ${d.dim} is out of range for shape ${d.shape}`,
    d => (d.rank === 0 ? 'a scalar has no dims' : `use a dim in [${-d.rank}, ${d.rank - 1}]`),
  ),
  OUT_OF_RANGE: row<{ op: string; index: string; size: number; dim: number; shape: string }>(
    d => `${d.op}: ${d.index} is out of range for dim ${d.dim} with size ${d.size} (shape ${d.shape})`,
    d => `use an index in [${-d.size}, ${d.size - 1}]`,
  ),
  INDEX_OUT_OF_RANGE: row<{ op: string; index: string; dim: number; size: number }>(
    d => `${d.op}: index ${d.index} is out of range for dim ${d.dim} with size ${d.size} (found when the step ran)`,
    d => `use indices in [0, ${d.size - 1}]`,
  ),
  BAD_DTYPE: row<{ op: string; got: string; expected: string }>(
    d => `${d.op}: got a tensor of ${d.got}, expected ${d.expected}`,
    () => "convert it with to(), for example x.to('i32')",
  ),
  UNKNOWN_DTYPE: row<{ name: string; known: string }>(
    d => `unknown data type '${d.name}'`,
    d => `use one of ${d.known}`,
  ),
  BAD_TENSOR_DATA: row<{ problem: string }>(
    d => `cannot create a tensor: ${d.problem}`,
    () =>
      'pass numbers, nested arrays of numbers with equal lengths, or a typed array and a shape with the same number of elements',
  ),
  EMPTY_REDUCTION: row<{ op: string; shape: string }>(
    d => `${d.op}: cannot reduce zero elements (shape ${d.shape})`,
    () => 'reduce over dims that have at least one element',
  ),
  NON_FINITE: row<{ op: string; value: string; index: string; inherited: boolean }>(
    d => `${d.op} returned ${d.value} at ${d.index}${d.inherited ? ', propagated from an operand' : ''}`,
    () => 'check the operands on this line; with TRENIO_EAGER_STOP=never the program continues',
  ),
  NO_TENSORS: row<{ op: string }>(
    d => `${d.op}: the list of tensors is empty`,
    () => 'pass at least one tensor',
  ),
  WRONG_ARGUMENT: row<{ call: string; argument: string; got: string; expected: string; fix: string }>(
    d => `${d.call}: ${d.argument} is ${d.got}, expected ${d.expected}`,
    d => d.fix,
  ),
  ABSENT_NAME: row<{ name: string; instead: string }>(
    d => `${d.name} does not exist in Trenio`,
    d => d.instead,
  ),
  UNKNOWN_ARGUMENT: row<{ call: string; argument: string; nearest: string | undefined; known: readonly string[] }>(
    d => `${d.call}: unknown argument '${d.argument}'`,
    d => {
      if (d.nearest !== undefined) return `did you mean ${d.nearest}?`;
      return d.known.length === 0 ? 'omit it' : `use one of ${d.known.join(', ')}`;
    },
  ),
  DEVICE_MISMATCH: row<{ op: string; left: string; right: string }>(
    d => `${d.op}: expected all tensors on the same device, got ${d.left} and ${d.right}`,
    () => 'move them to the same device with to(device)',
  ),
  TENSOR_RELEASED: row<{
    op: string;
    made: string;
    shape: string;
    lost?: string | undefined;
    isGradient?: boolean | undefined;
  }>(
    d =>
      `the ${d.shape} ${d.isGradient ? 'gradient' : 'tensor'} returned by ${d.op}${d.made} was an intermediate result of a step that has ended${d.lost === undefined ? '' : `, and cannot be recomputed: the step has changed ${d.lost}`}`,
    d =>
      d.isGradient
        ? 'call keep() on it before the optimizer steps'
        : 'call keep() on it where it is created, or read it before the step ends',
  ),
  READ_WHILE_COMPILING: row<{ op: string }>(
    d => `${d.op}: tensors cannot be read inside compile(fn), because nothing has run yet`,
    () => 'return the tensor from the function and read it outside',
  ),
  NOT_ONE_ELEMENT: row<{ op: string; shape: string }>(
    d => `${d.op} needs a tensor with one element, got shape ${d.shape}`,
    d => (d.op === 'item' ? 'read it with toArray(), or reduce it first' : 'reduce it first, for example with mean()'),
  ),
  TENSOR_OPERATOR: row<{ tensor: string }>(
    d => `JavaScript's operators do not work on tensors: this one is ${d.tensor}`,
    () =>
      'use methods: x.add(1), x.mul(y), x.neg(), x.gt(0), x.eq(y); item() gives the number of one element, String(x) the text',
  ),
  NO_GRADIENT_HERE: row<{ op: string; problem: string }>(
    d => `${d.op}: ${d.problem}`,
    () => 'compute the value from parameters, outside noGrad, in the step in which backward() is called on it',
  ),
  BAD_INDEX: row<{ op: string; shape: string; problem: string }>(
    d => `${d.op}: ${d.problem} (the tensor has shape ${d.shape})`,
    () => "index with numbers, slice(start, stop, step) or '1:5', null, '...', index tensors or masks",
  ),
  LEAF_CHANGED: row<{ op: string; leaf: string; isView: boolean }>(
    d =>
      `${d.op}: ${d.isView ? `a view of ${d.leaf}, which requires a gradient,` : `${d.leaf} requires a gradient and`} cannot be changed in place while gradients are recorded`,
    d => `call it inside noGrad(() => …), or change a clone() of ${d.leaf}`,
  ),
  BAD_GRADIENT: row<{ problem: string }>(
    d => `invalid gradient: ${d.problem}`,
    () => 'pass a gradient with the shape, data type and device of its tensor',
  ),
  CUSTOM_FUNCTION: row<{ name: string; problem: string }>(
    d => `${d.name}: ${d.problem}`,
    () =>
      'return one gradient per argument of forward, with the shape of that argument, and none for arguments that are not tensors',
  ),
  VMAP_DIMS: row<{ problem: string }>(
    d => `vmap: ${d.problem}`,
    () =>
      'pass inDims and outDims as one dim for all tensors, or as a list with one entry per argument or result: a dim, or null if it is not batched',
  ),
  RANDOM_IN_VMAP: row<Record<never, never>>(
    () => 'vmap: the function samples random numbers',
    () =>
      "pass randomness: 'different' to sample separately for each example, or 'same' to use the same numbers for all examples",
  ),
  READ_IN_FUNCTION: row<{ op: string }>(
    d =>
      `${d.op}: this tensor is an argument of a function that is being traced (vmap, scan, cond, while), and has no value yet`,
    () =>
      'return the tensor from the function and read it outside; to branch on its value, use where() or control.cond()',
  ),
  SIDE_EFFECT: row<{ call: string; shape: string; label: string | undefined }>(
    d => `${d.call}: the function assigns to ${d.label ?? `a ${d.shape} tensor`} from outside`,
    () =>
      'return the new value from the function and assign it outside; use eval() for layers that update running statistics',
  ),
  LOOP_TYPES: row<{ call: string; problem: string }>(
    d => `${d.call}: ${d.problem}`,
    () =>
      'return tensors with the same structure, shapes and data types: convert with to(dtype), or start from tensors with the final shape',
  ),
  GRADCHECK_FAILED: row<{
    output: number;
    element: number;
    input: number;
    position: number;
    numeric: number;
    analytic: number;
  }>(
    d =>
      `gradcheck: the derivative of element ${d.element} of output ${d.output} with respect to element ${d.position} of input ${d.input} is ${d.analytic}, but finite differences give ${d.numeric}`,
    () => 'fix the gradient; inputs must be f64, and not at points where the function is not differentiable',
  ),
  STATE_KEYS: row<{ what: string; missing: readonly string[]; unexpected: readonly string[] }>(
    d => {
      const list = (names: readonly string[]): string =>
        names.length > 5 ? `${names.slice(0, 5).join(', ')} and ${names.length - 5} more` : names.join(', ');
      const missing = d.missing.length > 0 ? [`missing ${list(d.missing)}`] : [];
      const unexpected = d.unexpected.length > 0 ? [`unexpected ${list(d.unexpected)}`] : [];
      return `the state does not match ${d.what}: ${[...missing, ...unexpected].join('; ')}`;
    },
    () =>
      'load a state saved from the same kind of model, or pass { strict: false } to load only the entries that match',
  ),
  UNKNOWN_MEMBER: row<{
    module: string;
    kind: string;
    name: string;
    nearest: string | undefined;
    known: readonly string[];
  }>(
    d => `${d.module} has no ${d.kind} '${d.name}'`,
    d => {
      if (d.nearest !== undefined) return `did you mean '${d.nearest}'?`;
      const more = d.known.length > 8 ? ` and ${d.known.length - 8} more` : '';
      return d.known.length === 0 ? `it has no ${d.kind}s` : `use one of ${d.known.slice(0, 8).join(', ')}${more}`;
    },
  ),
  UNINITIALIZED_PARAMETER: row<{ what: string }>(
    d => `${d.what} belongs to a lazy module and has no shape yet`,
    () => 'call the model once with an input of the final sizes, or load a state, before using its parameters',
  ),
  WEIGHT_SHAPE: row<{ name: string; expected: string; got: string }>(
    d => `size mismatch for '${d.name}': the model has ${d.expected}, the loaded state has ${d.got}`,
    () => 'load weights made for this configuration, or build the model with the configuration they were trained with',
  ),
  SEQUENCE_TOO_LONG: row<{ length: number; positions: number }>(
    d => `the sequence has ${d.length} tokens, but the model has ${d.positions} positions`,
    d => `truncate sequences to at most ${d.positions} tokens, or use a model with a larger max_position_embeddings`,
  ),
  BAD_ASSIGNMENT: row<{ problem: string }>(
    d => `assign_: ${d.problem}`,
    () => 'assign a tensor of the same shape and data type, on the same device',
  ),
  // data
  NPY_INVALID: row<{ file: string; reason: string }>(
    d => `${d.file} is not a readable NumPy array: ${d.reason}`,
    () => 'write it with numpy.save, as an array of numbers in any byte order',
  ),
  CSV_INVALID: row<{ file: string; line: number; column: number; got: string; expected: string }>(
    d => `${d.file}:${d.line}: column ${d.column}: ${d.got}, expected ${d.expected}`,
    () =>
      'each row is "label","title","text": the label is a class number from 1, quotes inside a field are doubled, and there is no header row',
  ),
  VOCABULARY_INVALID: row<{ file: string; line?: number; problem: string }>(
    d => `${d.file}${d.line === undefined ? '' : `:${d.line}`}: ${d.problem}`,
    () =>
      'a WordPiece vocabulary has one token per line, no duplicates, and includes [PAD], [UNK], [CLS] and [SEP]; use the one the model was trained with',
  ),
  TOKENIZER_INVALID: row<{ file: string; problem: string }>(
    d => `${d.file}: ${d.problem}`,
    () => 'use the tokenizer.json and tokenizer_config.json that came with the model, as transformers writes them',
  ),
  TOKENIZER_MISMATCH: row<{ tokens: number; vocabulary: number; model: string }>(
    d => `the tokenizer has ${d.tokens} tokens, but ${d.model} has embeddings for ${d.vocabulary}`,
    () => 'use the tokenizer of the model, or a model whose embeddings were resized for the added tokens',
  ),
  ADAPTER_MISMATCH: row<{ file: string; model: string; base: string | undefined; differences: readonly string[] }>(
    d => {
      const shown = d.differences.slice(0, 5).map(one => `\n  ${one}`);
      const more = d.differences.length - shown.length;
      const base = d.base === undefined ? '' : `; it was trained for ${d.base}`;
      return `${d.file} does not fit ${d.model}${base}:${shown.join('')}${more > 0 ? `\n  and ${more} more` : ''}`;
    },
    () => 'load the adapter into the base model that it was trained for',
  ),
  TRAINING_ROW_INVALID: row<{ file: string; row: number; problem: string }>(
    d => `${d.file}, row ${d.row}: ${d.problem}`,
    () =>
      'rows are {"messages": […]}, {"prompt", "completion"}, {"instruction", "input", "output"} or {"text"}; messages have a role and a content',
  ),
  CHAT_TEMPLATE_FAILED: row<{ file: string; line: number; problem: string }>(
    d => `the chat template of ${d.file} failed at line ${d.line}: ${d.problem}`,
    () => 'check that the messages have the roles and fields that the template expects, or pass another chatTemplate',
  ),
  TOKEN_ID_OUT_OF_RANGE: row<{ id: number; vocabularySize: number }>(
    d => `token ${d.id} is out of range: the vocabulary has ${d.vocabularySize} tokens`,
    () => 'use a tokenizer and a model that belong together, such as those of one directory',
  ),
  INVALID_OPTION: row<{ what: string; option: string; got: string; expected: string }>(
    d => `${d.what}: ${d.option} is ${d.got}, expected ${d.expected}`,
    d => `set ${d.option} to ${d.expected}`,
  ),
  NOTHING_PROFILED: row<{ steps: number }>(
    d => `nothing was profiled: the profiler has seen ${d.steps} ${d.steps === 1 ? 'step' : 'steps'}`,
    () => 'stop the profiler before reading its results, and use a schedule with fewer steps than the loop',
  ),
  PROFILE_INVALID: row<{ file: string; problem: string }>(
    d => `${d.file} is not a Trenio profile: ${d.problem}`,
    () => 'pass a folder written by `trenio profile run`, or a file written by `Profile.save` of this version',
  ),
  NO_STEPS_PROFILED: row<{ script: string; firstStep: number }>(
    d => `${d.script} ended before step ${d.firstStep}: nothing was recorded`,
    () => 'run more steps, or set a smaller --wait; a step ends when the optimizer steps',
  ),
  EVENT_FILE_UNWRITABLE: row<{ file: string; reason: string }>(
    d => `cannot write the event file ${d.file}: ${d.reason}`,
    () => 'choose another logDir, or free some disk space; a closed writer accepts no more events',
  ),
  TEXT_INVALID: row<{ file: string; line: number; column: number; got: string; expected: string }>(
    d => `${d.file}:${d.line}: column ${d.column}: ${d.got}, expected ${d.expected}`,
    () => 'fix the file, or convert it to UTF-8 (iconv -t utf-8)',
  ),
  JSONL_INVALID: row<{ file: string; line: number; column: number; got: string; expected: string }>(
    d => `${d.file}:${d.line}: column ${d.column}: ${d.got}, expected ${d.expected}`,
    () => 'fix this line of the file',
  ),
  PARQUET_INVALID: row<{ file: string; reason: string }>(
    d => `${d.file} is not a valid Parquet file: ${d.reason}`,
    () => 'rewrite the file, for example with pyarrow.parquet.write_table',
  ),
  NO_SUCH_COLUMN: row<{ file: string; column: string; nearest: string | undefined; known: readonly string[] }>(
    d => `${d.file} has no column ${d.column}`,
    d => (d.nearest === undefined ? `use one of ${d.known.join(', ')}` : `did you mean ${d.nearest}?`),
  ),
  IMAGE_INVALID: row<{ file: string; reason: string }>(
    d => `cannot decode the image ${d.file}: ${d.reason}`,
    () => 'remove the file, or save it again as PNG or JPEG',
  ),
  IMAGE_FOLDER_INVALID: row<{ folder: string; reason: string }>(
    d => `${d.folder} is not a valid image folder: ${d.reason}`,
    () => 'use one subfolder of images per class: root/cat/1.png, root/dog/1.jpg',
  ),
  NO_SUCH_ITEM: row<{ index: number; length: number }>(
    d => `index ${d.index} is out of range for a dataset with ${d.length} item${d.length === 1 ? '' : 's'}`,
    d => (d.length === 0 ? 'the dataset is empty' : `use an index from 0 to ${d.length - 1}`),
  ),
  CANNOT_COLLATE: row<{ path: string; problem: string; expected: string }>(
    d => `cannot collate these items into a batch: ${d.path}: ${d.problem}, expected ${d.expected}`,
    () =>
      'give all items the same structure and shapes (pad sequences, resize images), or pass a collateFn to DataLoader',
  ),
  UNKNOWN_LENGTH: row<Record<never, never>>(
    () => 'the number of batches is unknown: the dataset or the sampler has no length',
    () =>
      'define the length of the IterableDataset, count batches while iterating, or resume with loader.epoch(epoch, firstStep)',
  ),
  DATASET_TOO_SMALL: row<{ items: number; batch: number }>(
    d =>
      d.items === 0
        ? 'the dataset is empty'
        : `the dataset has ${d.items} item${d.items === 1 ? '' : 's'}, too few for a batch of ${d.batch} over all ranks`,
    () => 'use more data, a smaller batchSize or fewer ranks, or pad the last batch with fillLast: true',
  ),
  TAR_INVALID: row<{ file: string; position: number; reason: string }>(
    d => `${d.file} is not a valid tar archive: at byte ${d.position}: ${d.reason}`,
    () => 'copy the archive again, or create it again: tar --sort=name -cf data.tar -C folder .',
  ),
  STREAM_CACHE_DAMAGED: row<{ file: string; position: number }>(
    d => `the cached item at byte ${d.position} of ${d.file} is damaged`,
    () => 'remove the file; it will be created again',
  ),
  NOT_SENDABLE: row<{ root: string; path: string; what: string; reason: string }>(
    d => `${d.path} is ${d.what}, which cannot be sent to a loader worker: ${d.reason}`,
    d =>
      `${d.what.startsWith('a tensor,') ? 'keep its values in memory: tensor.literal(), or the rows of a TensorDataset' : 'define it in a separate module, export it there, and end that module with exportToWorkers(import.meta.url, { … })'}; or load ${d.root} without workers (numWorkers: 0)`,
  ),
  DATASET_FAILED: row<{ where: string; name: string; reason: string }>(
    d => `the dataset failed in ${d.where}: ${d.name}: ${d.reason}`,
    d =>
      d.reason.includes('private fields')
        ? "make the fields public ('readonly x' in place of '#x')"
        : 'see the cause of this error; numWorkers: 0 runs the same code in the main thread, where it can be debugged',
  ),
  DATA_WORKER_DIED: row<{ worker: number; reason: string }>(
    d => `loader worker ${d.worker} ended: ${d.reason}`,
    () =>
      'use numWorkers: 0 to see the error in the main thread; if memory ran out, use fewer workers or a smaller prefetchFactor',
  ),
  DATA_WORKER_TIMEOUT: row<{ worker: number; seconds: number }>(
    d => `loader worker ${d.worker} returned no batch within ${d.seconds} s`,
    () => 'increase timeout (in seconds), or look for an item that takes this long',
  ),
  LOADER_STATE_MISMATCH: row<{ field: string; got: string; expected: string }>(
    d => `this state was saved by a loader with ${d.field} ${d.got}, but this loader has ${d.expected}`,
    () => 'create the loader with the options and the data of the run that saved the state',
  ),
  // models
  SAFETENSORS_INVALID: row<{ file: string; tensor?: string; problem: string }>(
    d => `${d.file}: ${d.tensor === undefined ? '' : `tensor '${d.tensor}': `}${d.problem}`,
    () => 'the file is damaged or incomplete: copy or download it again, or use the previous checkpoint',
  ),
  WEIGHTS_MISMATCH: row<{ file: string; tensor: string; got: string; expected: string }>(
    d => `${d.file}: tensor '${d.tensor}' is ${d.got}, the model expects ${d.expected}`,
    () => 'load weights made for this configuration, or change config.json to the one they were trained with',
  ),
  WEIGHTS_MISSING: row<{
    file: string;
    model: string;
    /** Parameters that the file lacks: names with types. */
    missing: readonly string[];
    /** Tensors of the file that no parameter uses: names with types. */
    unused: readonly string[];
  }>(
    d => {
      const list = (names: readonly string[]): string =>
        names.length > 5 ? `${names.slice(0, 5).join(', ')} and ${names.length - 5} more` : names.join(', ');
      const unused = d.unused.length > 0 ? `; the file has, unused: ${list(d.unused)}` : '';
      return `${d.file} lacks parameters of ${d.model}: ${list(d.missing)}${unused}`;
    },
    d =>
      d.unused.some(name => /[._](qweight|qzeros|absmax|quant_map|weight_scale(_inv)?)\b/.test(name))
        ? 'the weights are quantized by GPTQ, AWQ, bitsandbytes or the like: use the model without quantization, or its GGUF file'
        : 'use the weights that belong to this config.json; unused tensors with similar names tell how the two differ',
  ),
  CHECKPOINT_INVALID: row<{ directory: string; problem: string }>(
    d => `${d.directory} is not a checkpoint: ${d.problem}`,
    () => 'use a directory that a Checkpointer wrote, or the previous checkpoint (trenio checkpoints ls lists them)',
  ),
  TORCH_FILE_INVALID: row<{ file: string; problem: string }>(
    d => `${d.file} cannot be read as a file of torch.save: ${d.problem}`,
    () =>
      "only tensors, numbers, strings, lists and dictionaries can be read: save just those, for example with torch.save(model.state_dict(), 'model.pt')",
  ),
  CHECKPOINT_PICKLED: row<{ directory: string; file: string }>(
    d => `${d.directory} has no safetensors, but ${d.file}, a file of torch.save`,
    d => `name the file itself: trenio checkpoints convert ${d.directory}/${d.file} TARGET`,
  ),
  CHECKPOINT_STATE: row<{ path: string; got: string }>(
    d => `the state '${d.path}' cannot be saved: it is ${d.got}`,
    () => 'save numbers, strings, lists, objects, maps with string keys, and tensors',
  ),
  CHECKPOINTS_PRESENT: row<{ folder: string; step: number }>(
    d =>
      `${d.folder} already has checkpoints (the latest at step ${d.step}), and this run was not resumed from one of them`,
    () => 'call resume() before the first step to continue from the latest one, or use another directory',
  ),
  CHECKPOINT_DAMAGED: row<{ file: string; tensor?: string; problem: string }>(
    d => `${d.file}: ${d.tensor === undefined ? '' : `tensor '${d.tensor}': `}${d.problem}`,
    () => 'the checkpoint is damaged: use the previous one, or copy it again from the original',
  ),
  MODEL_NOT_FOUND: row<{ directory: string }>(
    d => `there is no directory ${d.directory} with a model (config.json and its weights)`,
    d =>
      /^[\w.-]+(\/[\w.-]+)?$/.test(d.directory)
        ? `if it is a Hugging Face model, download it: hf download ${d.directory} --local-dir ${d.directory.replace(/.*\//, '')}; then pass that directory`
        : 'check the path',
  ),
  WEIGHTS_NOT_FOUND: row<{
    directory: string;
    /** The file that is missing. */
    missing: string;
    /** Other files that may hold weights. */
    others: readonly string[];
  }>(
    d =>
      `${d.directory} has no ${d.missing}${d.others.length === 0 ? '' : `; it has ${d.others.slice(0, 4).join(', ')}`}`,
    d => {
      const gguf = d.others.find(name => name.endsWith('.gguf'));
      if (d.others.includes('adapter_model.safetensors'))
        return 'it is an adapter: load its base model, which adapter_config.json names, then call loadAdapter(model, directory)';
      if (gguf !== undefined) return `name the GGUF file itself: ${d.directory.replace(/\/$/, '')}/${gguf}`;
      const how = 'download all files of the model';
      return d.others.length === 0
        ? how
        : `${how}, or load it with Hugging Face's transformers, and save it with save_pretrained`;
    },
  ),
  GGUF_INVALID: row<{ file: string; tensor?: string; problem: string }>(
    d => `${d.file}: ${d.tensor === undefined ? '' : `tensor '${d.tensor}': `}${d.problem}`,
    () => 'copy or download the file again; a file in parts is joined by llama-gguf-split --merge',
  ),
  MODEL_ARCHITECTURE_UNKNOWN: row<{
    file: string;
    /** The field that names the architecture; `model_type` of config.json by default. */
    field?: string;
    modelType: string;
    /** The requested class, if it does not read all architectures. */
    reader?: string;
    /** Classes that read it. */
    others?: readonly string[];
    nearest: readonly string[];
    known: readonly string[];
  }>(
    d =>
      `${d.file}: ${d.field ?? 'model_type'} is '${d.modelType}', which ${d.reader === undefined ? 'is not supported' : `${d.reader} does not read`}`,
    d =>
      d.others !== undefined && d.others.length > 0
        ? `use ${d.others.join(', ')}; ${d.reader} reads ${d.known.join(', ')}`
        : `the nearest are ${d.nearest.join(', ')}; all: ${d.known.join(', ')}`,
  ),
  MODEL_CONFIG_INVALID: row<{ file: string; field: string; problem: string }>(
    d => `${d.file}: ${d.field === '' ? '' : `${d.field}: `}${d.problem}`,
    () =>
      "use the config.json that came with the model, or correct this field as Hugging Face's documentation of the architecture describes it",
  ),
  // parallel
  SCRIPT_NOT_FOUND: row<{ path: string; problem: string }>(
    d => `cannot run the script ${d.path}: ${d.problem}`,
    () => 'pass a TypeScript or JavaScript file: trenio run --nproc_per_node=2 train.ts',
  ),
  GRID_FAILED: row<{ ranks: number; how: string; output: string }>(
    d => `the ${d.ranks} ranks of interpreter.run_parallel ended with ${d.how}:\n${d.output}`,
    () => 'fix the error that the rank printed; --backend interpreter runs the same processes without ranks',
  ),
  SCRIPT_FAILED: row<{ script: string; exitCode: number }>(
    d => `${d.script} exited with code ${d.exitCode} while its programs were collected`,
    () =>
      'see its output on standard error; tensors read as zeros while programs are collected, so code that depends on trained values may fail',
  ),
  NO_TRAINING_STEP: row<{ script: string; programs: number }>(
    d =>
      `${d.script} has no training step: ${d.programs === 0 ? 'it runs no program' : `none of the ${d.programs === 1 ? 'one program' : `${d.programs} programs`} that it runs updates parameters`}`,
    () =>
      'a training step must update parameters on the device: loss.backward(), then optimizer.step() or optimizerStep(optimizer)',
  ),
  RANK_FAILED: row<{
    rank: number;
    worldSize: number;
    how: string;
    lastLines: readonly string[];
    others: number;
    signal: string | undefined;
    /** In a run on several machines. */
    host?: string | undefined;
    restarts?: number | undefined;
    logFile?: string | undefined;
    /** The ranks that did not arrive, and their state. */
    lateRanks?: readonly { readonly rank: number; readonly doing: string; readonly frames: readonly string[] }[];
  }>(
    d => {
      const host = d.host === undefined ? '' : ` on ${d.host}`;
      const restarts = d.restarts === undefined ? '' : ` after ${d.restarts} restart${d.restarts === 1 ? '' : 's'}`;
      const log = d.logFile === undefined ? '' : `; its log is ${d.logFile}`;
      const others =
        d.others === 0 ? '' : `; the other ${d.others === 1 ? 'rank was' : `${d.others} ranks were`} ended`;
      const lines = d.lastLines.map(line => `\n  | ${line}`).join('');
      const late = (d.lateRanks ?? []).map(
        ({ rank, doing, frames }) => `\n  rank ${rank} ${doing}${frames.map(frame => `\n${frame}`).join('')}`,
      );
      return `rank ${d.rank} of ${d.worldSize}${host} ${d.how}${restarts}${others}${log}${lines === '' ? '' : `; its last lines:${lines}`}${late.join('')}`;
    },
    d =>
      d.signal === 'SIGKILL'
        ? d.how.includes('by the kernel')
          ? 'use fewer ranks or a smaller batch, or give the run more memory'
          : 'unless it was killed on purpose, the system ran out of memory: use fewer ranks or a smaller batch'
        : d.worldSize === 1
          ? 'see the output of the script above'
          : `see the output of rank ${d.rank}; to debug with a single rank, run the script with --nproc_per_node=1`,
  ),
  RENDEZVOUS_UNREACHABLE: row<{ endpoint: string; seconds: number; reason: string }>(
    d => `no rendezvous at ${d.endpoint} after ${d.seconds} s: ${d.reason}`,
    () =>
      'start trenio run on the machine of the endpoint too, check that the name and port are correct and reachable from here (firewall), or wait longer with --rdzv-conf timeout=SECONDS',
  ),
  RENDEZVOUS_REFUSED: row<{ endpoint: string; reason: string }>(
    d => `the rendezvous at ${d.endpoint} cannot be used: ${d.reason}`,
    () =>
      'start all launchers with the same version, the same --rdzv-id and the same secret: TRENIO_RDZV_SECRET, --rdzv-conf secret_file=FILE, or one home directory',
  ),
  RENDEZVOUS_SECRET: row<{ source: string; problem: string }>(
    d => `the secret of the rendezvous cannot be read from ${d.source}: ${d.problem}`,
    () =>
      'create one for all machines of the run: (umask 077; openssl rand -hex 32 > FILE), then --rdzv-conf secret_file=FILE or TRENIO_RDZV_SECRET',
  ),
  JOB_UNCLEAR: row<{ job: string; problem: string }>(
    d => `cannot determine the position of this process in the ${d.job} job: ${d.problem}`,
    () => 'specify it with --nnodes, --node-rank and --rdzv-endpoint, or use --standalone to run on this machine only',
  ),
  STORE_TIMEOUT: row<{ missing: readonly string[]; seconds: number }>(
    d => `the store has no ${d.missing.join(', ')} after ${d.seconds} s`,
    () => 'another rank has not reached this point: see its output, or wait longer',
  ),
  STORE_FAILED: row<{ action: string; reason: string }>(
    d => `the store of the run could not ${d.action}: ${d.reason}`,
    () => 'if the launcher that hosts the rendezvous has ended, the run ends; otherwise use fewer or shorter entries',
  ),
  // hardware
  UNKNOWN_MACHINE: row<{ name: string; nearest: readonly string[] }>(
    d => `unknown machine '${d.name}'`,
    d =>
      d.name === 'local'
        ? 'this machine has not been measured yet: run trenio hardware calibrate'
        : `did you mean ${d.nearest.join(', ')}? \`trenio hardware ls\` lists all machines`,
  ),
  BAD_LOGICAL_CORE: row<{ chip: string; got: number; possible: readonly number[] }>(
    d => `a logical core of ${d.chip} cannot have ${d.got} physical cores`,
    d => `set lnc to ${d.possible.join(' or ')}`,
  ),
  // simulator: plans
  PLAN_OVER_BUDGET: row<{ where: string; what: string; predicted: string; budget: string; breakdown: string }>(
    d => `${d.where}: the predicted ${d.what} is ${d.predicted}, the budget is ${d.budget}\n${d.breakdown}`,
    () => 'reduce the largest items of the breakdown (trenio plan --search tries all layouts), or raise the budget',
  ),
  // jobs
  RESULTS_INVALID: row<{ file: string; field: string; problem: string }>(
    d => `${d.file}: ${d.field === '' ? '' : `${d.field}: `}${d.problem}`,
    () => 'results.json is written by a training run: repeat the run, or correct this field',
  ),
  RUN_FILE_INVALID: row<{ file: string; problem: string }>(
    d => `${d.file}: ${d.problem}`,
    () => 'run.json is written by a training run: correct it, or move it away (checkpoints also record their run)',
  ),
  RUN_IN_PROGRESS: row<{ folder: string; holder: string; since: string | undefined }>(
    d => `another run is training in ${d.folder}: ${d.holder}${d.since === undefined ? '' : `, since ${d.since}`}`,
    () => 'wait until it ends, stop it, or use another folder for this run',
  ),
  RUN_FOLDER_TAKEN: row<{
    folder: string;
    run: string | undefined;
    startedAt: string | undefined;
    lastStep: number | undefined;
    found: readonly string[];
    resume: string;
    elsewhere: string;
    startOver: string;
  }>(
    d =>
      `${d.folder} contains the files of another run (${[
        ...(d.run === undefined ? [] : [`run ${d.run}`]),
        ...(d.startedAt === undefined ? [] : [`started ${d.startedAt}`]),
        ...(d.lastStep === undefined ? [] : [`last checkpoint at step ${d.lastStep}`]),
        d.found.join(', '),
      ].join('; ')})`,
    d =>
      `resume that run (${d.resume}), use another folder (${d.elsewhere}), or start over and move its files to ${d.folder}/previous (${d.startOver})`,
  ),
  NOTHING_TO_RESUME: row<{ folder: string }>(
    d => `no checkpoint to resume from in ${d.folder}`,
    () => 'check the folder, or start a new run there',
  ),
  RUN_SETTINGS_CHANGED: row<{ folder: string; changes: readonly string[] }>(
    d => `the run in ${d.folder} cannot be resumed with different settings: ${d.changes.join('; ')}`,
    () => 'use the settings that the run was started with (see run.json), or start a new run in another folder',
  ),
  ENDPOINT_NAME_INVALID: row<{ name: string }>(
    d => `invalid endpoint name '${d.name}'`,
    () =>
      'use 1 to 63 letters, digits and hyphens, starting and ending with a letter or a digit: --name review-polarity',
  ),
  ENDPOINT_NOT_READY: row<{ name: string; state: string }>(
    d => `the endpoint ${d.name} does not accept requests now: it is ${d.state}`,
    d => (d.state === 'loading' ? 'retry when GET /ping returns 200' : 'send the request to a running endpoint'),
  ),
  CONTEXT_TOO_LONG: row<{ prompt: number; newTokens: number; most: number }>(
    d =>
      `the maximum context length is ${d.most} tokens, but ${d.prompt + d.newTokens} are requested: ${d.prompt} in the prompt and ${d.newTokens} to generate`,
    () => 'shorten the prompt, or ask for fewer tokens',
  ),
  GENERATION_FAILED: row<{ problem: string }>(
    d => `the model failed to compute the next token: ${d.problem}`,
    () => 'see the log of the server; other requests are not affected',
  ),
  GENERATION_STOPPED: row<{ reason: string }>(
    d => `the generation was stopped: ${d.reason}`,
    () => 'send the request again',
  ),
  ENDPOINT_OVERLOADED: row<{
    name: string;
    waiting: number;
    /** The kind of waiting items, in the plural: texts, requests. */
    unit: string;
    expectedMs: number;
    limit: string;
    retryAfterSeconds: number;
  }>(
    d =>
      `the endpoint ${d.name} is overloaded: ${d.waiting} ${d.unit} are waiting, and a new one would take about ${d.expectedMs} ms; the limit is ${d.limit}`,
    d => `retry after ${d.retryAfterSeconds} s (Retry-After), send fewer requests at once, or deploy on more cores`,
  ),
  // api
  PORT_IN_USE: row<{ host: string; port: number }>(
    d => `port ${d.port} on ${d.host} is already in use`,
    d =>
      `choose another with --port (trenio run: --rdzv-endpoint; 0 picks any free port), or stop the program that uses it (lsof -i :${d.port} shows it)`,
  ),
  CANNOT_LISTEN: row<{ host: string; port: number; reason: string }>(
    d => `cannot listen on ${d.host}, port ${d.port}: ${d.reason}`,
    () => 'set --host to an address of this machine, and --port to a number from 1024 to 65535',
  ),
  DATABASE_DAMAGED: row<{ file: string; reason: string }>(
    d => `cannot use ${d.file}: ${d.reason}`,
    () => 'restore the file from a copy, or choose another folder; nothing in it was changed',
  ),
  SERVER_RUNS: row<{ data: string; pid: string }>(
    d => `a server (process ${d.pid}) already uses the folder ${d.data}`,
    () => 'use that one (trenio server status), stop it (trenio server stop), or choose another folder with --data',
  ),
  SERVER_NOT_RUNNING: row<{ data: string }>(
    d => `no server uses the folder ${d.data}`,
    () => 'start one with: trenio server; or name its folder with --data',
  ),
  // clusters
  SLURM_NOT_INSTALLED: row<{ programs: readonly string[]; packages: readonly string[] }>(
    d => `${d.programs.join(', ')} ${d.programs.length === 1 ? 'is' : 'are'} not installed on this machine`,
    d => `apt-get install -y --no-install-recommends ${d.packages.join(' ')}`,
  ),
  SLURM_FAILED: row<{ command: string; output: string }>(
    d => `${d.command} failed: ${d.output}`,
    d =>
      /I\/O error writing/.test(d.output)
        ? 'free some space on the disk of the cluster, which keeps the scripts of jobs, and submit again (df -h shows how much is left)'
        : d.command === 'sbatch'
          ? 'correct the request; sinfo lists the queues and nodes, sinfo -T the reservations (in trenio cluster shell)'
          : 'see the logs: trenio cluster get-cluster-log-events',
  ),
  CLUSTER_CONFIG_INVALID: row<{ file: string; problems: readonly { line: number; path: string; message: string }[] }>(
    d =>
      `${d.file} has ${d.problems.length === 1 ? 'a problem' : `${d.problems.length} problems`}:\n${d.problems
        .map(({ line, path, message }) => `  line ${line}: ${path === '' ? '' : `${path} `}${message}`)
        .join('\n')}`,
    () => 'correct the file; every key is described in the reference of ParallelCluster 3',
  ),
  CLUSTER_HOSTS_UNUSABLE: row<{ problems: readonly string[] }>(
    d => `the hosts cannot be nodes of the cluster:\n${d.problems.map(one => `  ${one}`).join('\n')}`,
    () => 'correct the list of hosts, or what is missing on them; nothing was changed',
  ),
  CLUSTER_PATHS_NOT_SHARED: row<{
    cluster: string;
    paths: readonly string[];
    problems: readonly string[];
    /** Commands for this machine and for each host. */
    nfs: { here: readonly string[]; there: readonly string[] };
  }>(
    d =>
      `the hosts of ${d.cluster} and this machine have to share ${d.paths.join(', ')}:\n${d.problems.map(one => `  ${one}`).join('\n')}`,
    d =>
      `mount one file system at the same path on all of them; programs can be installed on each. With NFS, on this machine:\n${d.nfs.here.map(line => `    ${line}`).join('\n')}\n  and on each host:\n${d.nfs.there.map(line => `    ${line}`).join('\n')}`,
  ),
  CLUSTER_ACTION_UNREADABLE: row<{ path: string; script: string; reason: string; others: number }>(
    d =>
      `${d.path}: the script ${d.script} cannot be run on nodes: ${d.reason}${d.others === 0 ? '' : `; nor can ${d.others} more, which --dry-run lists`}`,
    () =>
      'use a file on this machine (/path or file:///path), or an object of the job server (s3://bucket/key); or go on without it: --skip-missing-scripts',
  ),
  CLUSTER_DAMAGED: row<{ file: string }>(
    d => `${d.file} is damaged: its content was not written by Trenio`,
    () => 'restore the file from a copy, or delete the cluster: trenio cluster delete-cluster',
  ),
  CLUSTER_EXISTS: row<{ cluster: string; status: string }>(
    d => `a cluster named ${d.cluster} already exists (${d.status})`,
    d => `choose another name, or delete it: trenio cluster delete-cluster --cluster-name ${d.cluster}`,
  ),
  UNKNOWN_CLUSTER: row<{ cluster: string; nearest: string | undefined }>(
    d => `there is no cluster named ${d.cluster}${d.nearest === undefined ? '' : `; did you mean ${d.nearest}?`}`,
    () => 'list the clusters of this machine: trenio cluster list-clusters',
  ),
  CLUSTER_BUSY: row<{ cluster: string; status: string }>(
    d => `the cluster ${d.cluster} is being changed by another command (${d.status})`,
    () => 'wait until that command has ended, then try again',
  ),
  CLUSTER_UPDATE_REFUSED: row<{ cluster: string; paths: readonly string[] }>(
    d => `a running cluster cannot change ${d.paths.join(', ')}`,
    d => `leave them unchanged, or delete ${d.cluster} and create it again`,
  ),
  CLUSTER_NOT_OWNED: row<{ cluster: string }>(
    d => `${d.cluster} is a Slurm cluster that Trenio did not start and does not change`,
    () => 'change its own configuration; jobs can be submitted to it as to any cluster',
  ),
  CLUSTER_UPDATE_FAILED: row<{ cluster: string; reason: string }>(
    d => `the cluster ${d.cluster} could not be updated: ${d.reason}`,
    () => 'correct the file and update again; describe-cluster shows which processes run',
  ),
  CLUSTER_NOT_STARTED: row<{ cluster: string; reason: string; log: string }>(
    d => `the cluster ${d.cluster} could not be started: ${d.reason}`,
    d => `see ${d.log}; the cluster has been removed again`,
  ),
  UNKNOWN_CAPACITY_BLOCK: row<{ block: string; nearest: string | undefined }>(
    d => `there is no capacity block ${d.block}${d.nearest === undefined ? '' : `; did you mean ${d.nearest}?`}`,
    () => 'list the blocks: trenio capacity ls --all',
  ),
  CAPACITY_REFUSED: row<{ about: string; reason: string }>(
    d => `${d.about}: ${d.reason}`,
    () => 'search again: trenio capacity search',
  ),
  // client
  NO_JOB_SERVER: row<{ data: string }>(
    d => `no job server: AWS_ENDPOINT_URL is not set, and no server uses the folder ${d.data}`,
    () =>
      'start one with: trenio server; or set AWS_ENDPOINT_URL, AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY as it prints them',
  ),
  NO_ACCESS_KEY: row<{ endpoint: string }>(
    d => `no access key for ${d.endpoint}`,
    () => 'set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY as `trenio server` printed them',
  ),
  JOB_SERVER_UNREACHABLE: row<{ endpoint: string; reason: string }>(
    d => `the job server at ${d.endpoint} does not answer: ${d.reason}`,
    () => 'start it (trenio server), or set AWS_ENDPOINT_URL to its address',
  ),
  SERVICE_REFUSED: row<{
    service: string;
    operation: string;
    /** The HTTP status. */
    status: number;
    /** The service's own code, such as ValidationException. */
    code: string;
    message: string;
  }>(
    d => `${d.operation}: ${d.message} (${d.code})`,
    d => serviceFix(d.code, d.status),
  ),
  NO_TRAINING_JOB: row<{ what: string }>(
    d => `${d.what} needs a training job, and this estimator has none`,
    () => 'call fit first, or use Estimator.attach with the name of a job',
  ),
  TRAINING_JOB_FAILED: row<{ job: string; reason: string }>(
    d => `the training job ${d.job} failed: ${d.reason}`,
    d => `read its log (trenio jobs logs ${d.job}), and start it again under another name`,
  ),
  DEPLOYMENT_FAILED: row<{ endpoint: string; status: string; reason: string }>(
    d => `the endpoint ${d.endpoint} is ${d.status}: ${d.reason}`,
    d => `read its log (aws logs tail /aws/sagemaker/Endpoints/${d.endpoint}), and correct the model or the image`,
  ),
  CONSOLE_NOT_BUILT: row<{ reason: string }>(
    d => `the console could not be built: ${d.reason}`,
    () => 'build it with: npm run build; or install the published package, which contains it',
  ),
  SIGN_IN_REFUSED: row<Record<string, never>>(
    () => 'this token was already used or is older than an hour, or this access key is unknown',
    () => 'sign in with an access key of this server: trenio server prints one as AWS_ACCESS_KEY_ID',
  ),
  NOT_SIGNED_IN: row<Record<string, never>>(
    () => 'not signed in: this request has no valid session',
    () =>
      'open the address that trenio server printed, or sign in with an access key; a session is a cookie and the header x-trenio-session',
  ),
  ROLE_NOT_ALLOWED: row<{ role: string; action: string }>(
    d => `a key with the role '${d.role}' may not ${d.action}`,
    () => 'sign in with a key whose role allows it',
  ),
  ACCESS_KEY_NOT_FOUND: row<{ id: string }>(
    d => `no access key has the id '${d.id}'`,
    () => 'trenio server keys ls lists the ids of the keys',
  ),
  ACCESS_KEYS_SEALED: row<{ file: string; id: string; places: readonly string[] }>(
    d => `the secrets in ${d.file} are encrypted with the key ${d.id}, which is not in ${d.places.join(' or ')}`,
    d =>
      `copy that file from the machine or user that made the folder, and set TRENIO_KEY_FILE to it; if it is lost, remove ${d.file}: the server then makes a new admin key`,
  ),
  LAST_ADMIN_KEY: row<Record<string, never>>(
    () => 'this is the last key of an admin that can be used, and does not expire',
    () => 'create another one first',
  ),
  ACCESS_KEYS_LOCKED: row<{ folder: string }>(
    d => `the access keys in ${d.folder} are being changed by another process`,
    () => 'try again',
  ),
  CONSOLE_COMMAND_REFUSED: row<{ problem: string }>(
    d => `the console does not run this command: ${d.problem}`,
    () => 'run it in a terminal, with your own rights; the console runs plan, hardware ls and hardware show',
  ),
  CONSOLE_REQUEST_INVALID: row<{ problem: string }>(
    d => `invalid request from the console: ${d.problem}`,
    () => 'reload the page: it may be from an older version of the server',
  ),
  JOB_NOT_FOUND: row<{ name: string }>(
    d => `there is no training job named '${d.name}'`,
    () => 'aws sagemaker list-training-jobs lists them',
  ),
  HOST_NOT_ALLOWED: row<{ host: string; port: number }>(
    d => `this server does not accept requests for the host '${d.host}'`,
    d =>
      `use http://127.0.0.1:${d.port} or http://localhost:${d.port}, or start the server with --allow-host ${/^[\w.:-]+$/.test(d.host) ? d.host : 'NAME'}`,
  ),
  ORIGIN_NOT_ALLOWED: row<{ origin: string }>(
    d => `this server does not accept requests from web pages at '${d.origin}'`,
    d =>
      `to allow them, start the server with --allow-origin ${/^https?:\/\/[\w.:-]+$/.test(d.origin) ? d.origin : 'ORIGIN'}`,
  ),
  PATH_NOT_FOUND: row<{ path: string }>(
    d => `not found: ${d.path}`,
    () => 'use GET /ping, GET /endpoints, or POST /endpoints/<name>/invocations',
  ),
  ENDPOINT_NOT_FOUND: row<{ name: string; known: readonly string[] }>(
    d => `unknown endpoint '${d.name}'`,
    d =>
      d.known.length === 0 ? 'no endpoint is deployed on this server' : `deployed endpoints: ${d.known.join(', ')}`,
  ),
  METHOD_NOT_ALLOWED: row<{ method: string; path: string; allowed: readonly string[] }>(
    d => `${d.path} does not support ${d.method}`,
    d => `use ${d.allowed.join(' or ')}`,
  ),
  REQUEST_NOT_HTTP: row<{ reason: string }>(
    d => `this is not a valid HTTP/1.1 request: ${d.reason}`,
    () => 'send a well-formed request with headers of at most 16 KiB',
  ),
  REQUEST_TOO_LARGE: row<{ limitBytes: number }>(
    d => `the body is larger than ${d.limitBytes} bytes`,
    () => 'send fewer texts in one request',
  ),
  REQUEST_TOO_SLOW: row<{ seconds: number }>(
    d => `the request was not complete after ${d.seconds} seconds`,
    () => 'send the whole body at once',
  ),
  CONTENT_TYPE_UNSUPPORTED: row<{ got: string }>(
    d => `unsupported content type '${d.got}'`,
    () => "send JSON in UTF-8, uncompressed, with 'Content-Type: application/json'",
  ),
  MALFORMED_JSON: row<{ problem: string }>(
    d => `the body is not valid JSON: ${d.problem}`,
    () => 'send JSON in UTF-8, such as {"inputs": ["a review"]}',
  ),
  REQUEST_INVALID: row<{ field: string; problem: string }>(
    d => `${d.field === '' ? 'the body' : d.field}: ${d.problem}`,
    () => 'send {"inputs": "a text"} or {"inputs": ["a text", "another"]}',
  ),
  // simulator
  UNKNOWN_MODEL: row<{ model: string; nearest: string | undefined; known: readonly string[] }>(
    d => `unknown model '${d.model}'`,
    d => (d.nearest === undefined ? `use one of ${d.known.join(', ')}` : `did you mean ${d.nearest}?`),
  ),
  UNKNOWN_RECIPE: row<{ recipe: string; nearest: string | undefined; known: readonly string[] }>(
    d => `unknown recipe '${d.recipe}'`,
    d => (d.nearest === undefined ? `use one of ${d.known.join(', ')}` : `did you mean ${d.nearest}?`),
  ),
  LAYOUT_IMPOSSIBLE: row<{ problem: string; instead: string }>(
    d => `invalid layout: ${d.problem}`,
    d => d.instead,
  ),
  // hardware
  CALIBRATION_UNUSABLE: row<{ path: string; problem: string }>(
    d => `the calibration of this machine (${d.path}) cannot be used: ${d.problem}`,
    () => 'measure again: trenio hardware calibrate',
  ),
  // cli
  MONITOR_CONFIG: row<{ file: string; field: string; problem: string }>(
    d => `${d.file}${d.field === '' ? '' : `: ${d.field}`}: ${d.problem}`,
    () => 'write the file in the format of neuron-monitor; docs/monitor.md has an example',
  ),
  NO_TERMINAL: row<{ command: string; stream: string }>(
    d => `trenio ${d.command} needs a terminal, and its ${d.stream} is not one`,
    d => `print once instead: trenio ${d.command} --once, or --once --json for scripts`,
  ),
  UNKNOWN_COMMAND: row<{ command: string; nearest: string | undefined; known: readonly string[] }>(
    d => `unknown command '${d.command}'`,
    d => (d.nearest === undefined ? `use one of ${d.known.join(', ')}` : `did you mean 'trenio ${d.nearest}'?`),
  ),
  UNKNOWN_OPTION: row<{ command: string; option: string; nearest: string | undefined; known: readonly string[] }>(
    d => `trenio ${d.command}: unknown option ${d.option}`,
    d => (d.nearest === undefined ? `use one of ${d.known.join(', ')}` : `did you mean ${d.nearest}?`),
  ),
  MISSING_ARGUMENT: row<{ command: string; argument: string; expected: string }>(
    d => `trenio ${d.command}: missing argument: ${d.argument} (${d.expected})`,
    d => `see 'trenio ${d.command} --help'`,
  ),
  BAD_ARGUMENT: row<{ command: string; argument: string; got: string; expected: string }>(
    d => `trenio ${d.command}: ${d.argument} is ${d.got}, expected ${d.expected}`,
    d => `see 'trenio ${d.command} --help'`,
  ),
} as const;

/** The codes of all errors. docs/errors.md describes each. */
export type ErrorCode = keyof typeof errorCatalog;
/** The data of an error with this code. */
export type ErrorData<C extends ErrorCode> = Parameters<(typeof errorCatalog)[C]['what']>[0];
