// The data types as constants, under PyTorch's names: `x.dtype === float32` is `x.dtype === 'float32'`.

/** PyTorch: `torch.float64`. */
export const float64 = 'float64';
/** PyTorch: `torch.float32`. */
export const float32 = 'float32';
/** PyTorch: `torch.float16`. */
export const float16 = 'float16';
/** PyTorch: `torch.bfloat16`. */
export const bfloat16 = 'bfloat16';
/** PyTorch: `torch.float8_e4m3fn`. */
export const float8_e4m3fn = 'float8_e4m3fn';
/** PyTorch: `torch.float8_e4m3fnuz`. */
export const float8_e4m3fnuz = 'float8_e4m3fnuz';
/** PyTorch: `torch.float8_e5m2`. */
export const float8_e5m2 = 'float8_e5m2';
/** PyTorch: `torch.float8_e5m2fnuz`. */
export const float8_e5m2fnuz = 'float8_e5m2fnuz';
/** PyTorch: `torch.float8_e8m0fnu`. */
export const float8_e8m0fnu = 'float8_e8m0fnu';
/** PyTorch: `torch.int64`. */
export const int64 = 'int64';
/** PyTorch: `torch.int32`. */
export const int32 = 'int32';
/** PyTorch: `torch.int16`. */
export const int16 = 'int16';
/** PyTorch: `torch.int8`. */
export const int8 = 'int8';
/** PyTorch: `torch.int4`. */
export const int4 = 'int4';
/** PyTorch: `torch.int2`. */
export const int2 = 'int2';
/** PyTorch: `torch.uint64`. */
export const uint64 = 'uint64';
/** PyTorch: `torch.uint32`. */
export const uint32 = 'uint32';
/** PyTorch: `torch.uint16`. */
export const uint16 = 'uint16';
/** PyTorch: `torch.uint8`. */
export const uint8 = 'uint8';
/** PyTorch: `torch.uint4`. */
export const uint4 = 'uint4';
/** PyTorch: `torch.uint2`. */
export const uint2 = 'uint2';
/** PyTorch: `torch.bool`. */
export const bool = 'bool';
/** PyTorch: `torch.complex64`. */
export const complex64 = 'complex64';
/** PyTorch: `torch.complex128`. */
export const complex128 = 'complex128';

// PyTorch's aliases
/** PyTorch: `torch.double`. */
export const double = float64;
/** PyTorch: `torch.float`. */
export const float = float32;
/** PyTorch: `torch.half`. */
export const half = float16;
/** PyTorch: `torch.long`. */
export const long = int64;
/** PyTorch: `torch.int`. */
export const int = int32;
/** PyTorch: `torch.short`. */
export const short = int16;
/** PyTorch: `torch.cfloat`. */
export const cfloat = complex64;
/** PyTorch: `torch.cdouble`. */
export const cdouble = complex128;
