// The inner loops of images as native code (native/images.c): compiled through the cache at first use, in any thread. Undefined
// if there is no C compiler, or programs are interpreted: then images are decoded by jpeg-js, with the same results.
import { readFileSync } from 'node:fs';
import koffi from 'koffi';
import { readVariable } from '../../base/environment.ts';
import { isTrenioError, TrenioError } from '../../base/errors.ts';
import { loggerFrom } from '../../base/logger.ts';
import { findCompiler, hostFlag } from '../../runtime/toolchain/c-compiler.ts';
import { CompileCache } from '../../runtime/toolchain/compile-cache.ts';

/** The functions of native/images.c, where each is described. */
export interface ImageLoops {
  /** Decodes all blocks into `samples`; returns the position of the marker after them, or −1. */
  scan(scan: {
    readonly bytes: Uint8Array;
    readonly from: number;
    readonly samples: Uint8Array;
    readonly shape: Int32Array;
    readonly tables: Int32Array;
    readonly fast: Uint16Array;
    readonly end: Int32Array;
    readonly shift: Int32Array;
    readonly values: Uint8Array;
    readonly zigZag: Uint8Array;
    readonly mcusPerLine: number;
    readonly mcusPerColumn: number;
    readonly restart: number;
  }): number;
  /** Interleaves three planes as red, green and blue. */
  rgb(
    luma: Uint8Array,
    lumaWidth: number,
    cb: Uint8Array,
    cr: Uint8Array,
    chromaWidth: number,
    halfX: number,
    halfY: number,
    width: number,
    height: number,
    out: Uint8Array,
  ): void;
  /** A plane of numbers for each channel. */
  planes(data: Uint8Array, pixels: number, channels: number, tables: Float32Array, out: Float32Array): void;
}

let known: { readonly loops: ImageLoops | undefined } | undefined;

/** The functions, compiled at the first call. */
export function imageLoops(): ImageLoops | undefined {
  known ??= { loops: load() };
  return known.loops;
}

function load(): ImageLoops | undefined {
  if (readVariable('TRENIO_BACKEND') === 'interpreter') return undefined;
  try {
    const source = readFileSync(new URL('../native/images.c', import.meta.url), 'utf8');
    const request = { units: [{ name: 'images.c', source }], headers: [], flags: ['-O3', hostFlag, '-fwrapv'] };
    const { path } = CompileCache.of(undefined, loggerFrom()).obtain(request, findCompiler());
    return bind(path);
  } catch (error) {
    if (!(error instanceof TrenioError)) throw error;
    if (!isTrenioError(error, 'NO_C_COMPILER'))
      loggerFrom().warn(`images are decoded in JavaScript, more slowly: ${error.message}`);
    return undefined;
  }
}

function bind(path: string): ImageLoops {
  let library: ReturnType<typeof koffi.load>;
  try {
    library = koffi.load(path);
  } catch (cause) {
    throw new TrenioError('LOAD_FAILED', { file: path, reason: String(cause) }, { cause });
  }
  const scan = library.func(
    'int64_t trenio_jpeg_scan(const void *bytes, int64_t length, int64_t from, void *samples, const void *shape, int32_t planes, const void *tables, const void *fast, const void *end, const void *shift, const void *values, const void *zigZag, int32_t perLine, int32_t perColumn, int32_t restart)',
  );
  return {
    scan: ({ bytes, from, samples, shape, tables, fast, end, shift, values, zigZag, ...rest }) =>
      Number(
        scan(
          bytes,
          bytes.length,
          from,
          samples,
          shape,
          tables.length / 64,
          tables,
          fast,
          end,
          shift,
          values,
          zigZag,
          rest.mcusPerLine,
          rest.mcusPerColumn,
          rest.restart,
        ),
      ),
    rgb: library.func(
      'void trenio_jpeg_rgb(const void *luma, int32_t lumaWidth, const void *cb, const void *cr, int32_t chromaWidth, int32_t halfX, int32_t halfY, int32_t width, int32_t height, void *out)',
    ),
    planes: library.func(
      'void trenio_image_planes(const void *data, int64_t pixels, int32_t channels, const void *tables, void *out)',
    ),
  };
}
