// Triangular filters on Slaney's mel scale: linear below 1 kHz, logarithmic above. After transformers' audio_utils.py, with
// norm "slaney" and mel_scale "slaney".

const breakHertz = 1000;
const breakMel = 15;
const logStep = Math.log(6.4) / 27;
const toMel = (hertz: number): number =>
  hertz < breakHertz ? (3 * hertz) / 200 : breakMel + Math.log(hertz / breakHertz) / logStep;
const toHertz = (mel: number): number =>
  mel < breakMel ? (200 * mel) / 3 : breakHertz * Math.exp(logStep * (mel - breakMel));

/** The weight of each of `bins` frequencies from 0 to half of `samplingRate` in each band up to `maxHertz`, [bands, bins]. */
export function melFilters(bands: number, bins: number, samplingRate: number, maxHertz: number): Float32Array {
  const edges = Array.from({ length: bands + 2 }, (_, i) => toHertz((toMel(maxHertz) * i) / (bands + 1)));
  const filters = new Float32Array(bands * bins);
  for (let band = 0; band < bands; band++) {
    const [low, center, high] = [edges[band]!, edges[band + 1]!, edges[band + 2]!];
    for (let bin = 0; bin < bins; bin++) {
      const hertz = (Math.floor(samplingRate / 2) * bin) / (bins - 1);
      const rising = (hertz - low) / (center - low);
      const falling = (high - hertz) / (high - center);
      // Wide bands weigh less, so that white noise has equal energy in all bands.
      filters[band * bins + bin] = (Math.max(0, Math.min(rising, falling)) * 2) / (high - low);
    }
  }
  return filters;
}
