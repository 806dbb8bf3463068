"""Golden vectors: inputs that the image processors (with Pillow) and feature extractors of Hugging Face transformers make.

    python scripts/golden/make-image-processor-golden.py

It writes test/golden/image-processors.json and feature-extractors.json. Trenio and its tests never need Python.
"""

import base64
import json
import pathlib

import numpy as np
from PIL import Image
from transformers import Wav2Vec2FeatureExtractor, WhisperFeatureExtractor
from transformers.models.beit.image_processing_pil_beit import BeitImageProcessorPil
from transformers.models.bit.image_processing_pil_bit import BitImageProcessorPil
from transformers.models.clip.image_processing_pil_clip import CLIPImageProcessorPil
from transformers.models.convnext.image_processing_pil_convnext import ConvNextImageProcessorPil
from transformers.models.deit.image_processing_pil_deit import DeiTImageProcessorPil
from transformers.models.siglip.image_processing_pil_siglip import SiglipImageProcessorPil
from transformers.models.vit.image_processing_pil_vit import ViTImageProcessorPil

here = pathlib.Path(__file__).parents[2] / "test/golden"
encode = lambda array: base64.b64encode(array.tobytes()).decode()
save = lambda name, data: (here / name).write_text(json.dumps(data, indent=1) + "\n")

rng = np.random.default_rng(4)
images = [rng.integers(0, 256, shape, dtype=np.uint8) for shape in ((17, 11, 3), (9, 23, 3), (5, 6, 3))]
imagenet = dict(image_mean=[0.485, 0.456, 0.406], image_std=[0.229, 0.224, 0.225])
# The class, and the file as people have it: of this version (None: what the processor writes), or of an old one.
processors = {
    "vit": (ViTImageProcessorPil, dict(size={"height": 8, "width": 6}), None),
    "vit-old": (ViTImageProcessorPil, dict(size=7), dict(feature_extractor_type="ViTFeatureExtractor", do_normalize=True, do_resize=True, size=7)),
    "deit": (DeiTImageProcessorPil, dict(size=9, crop_size=6), None),
    "beit": (BeitImageProcessorPil, dict(size={"height": 8, "width": 8}), None),
    "clip": (CLIPImageProcessorPil, dict(size={"shortest_edge": 8}, crop_size={"height": 7, "width": 7}), None),
    "clip-old": (CLIPImageProcessorPil, dict(size=6, crop_size=6), dict(feature_extractor_type="CLIPFeatureExtractor", size=6, crop_size=6, resample=3)),
    "clip-padded": (CLIPImageProcessorPil, dict(do_resize=False, crop_size={"height": 8, "width": 9}), None),
    "siglip": (SiglipImageProcessorPil, dict(size={"height": 9, "width": 9}, do_normalize=False), None),
    "dinov2": (BitImageProcessorPil, dict(size={"shortest_edge": 9}, crop_size={"height": 6, "width": 8}, **imagenet), None),
    "convnext": (ConvNextImageProcessorPil, dict(size={"shortest_edge": 6}, crop_pct=0.875), None),
    "resnet-old": (ConvNextImageProcessorPil, dict(size=7, crop_pct=0.875, **imagenet), dict(crop_pct=0.875, feature_extractor_type="ConvNextFeatureExtractor", resample=3, size=7, **imagenet)),
    "lanczos": (ViTImageProcessorPil, dict(size=5, resample=1, do_rescale=False), None),
    "box": (ViTImageProcessorPil, dict(size=5, resample=4, rescale_factor=0.01), None),
    "hamming": (ViTImageProcessorPil, dict(size=5, resample=5), None),
}
cases = {}
for name, (kind, settings, file) in processors.items():
    processor = kind(**settings)
    values = processor(images=[Image.fromarray(one) for one in images], return_tensors="np")["pixel_values"].astype(np.float32)
    cases[name] = {"config": file or json.loads(processor.to_json_string()), "shape": list(values.shape), "values": encode(values)}
save("image-processors.json", {"images": [{"shape": list(one.shape), "data": encode(one)} for one in images], "cases": cases})

chirp = lambda length: (0.3 * np.sin(1e-5 * np.arange(length) ** 2.0)).astype(np.float32)
extractors = {
    "whisper": (WhisperFeatureExtractor(feature_size=8, chunk_length=1), [13000, 20000]),
    "whisper-uneven": (WhisperFeatureExtractor(feature_size=16, chunk_length=1, hop_length=300, n_fft=512), [16000]),
    "wav2vec2": (Wav2Vec2FeatureExtractor(), [400, 300]),
    "wav2vec2-masked": (Wav2Vec2FeatureExtractor(return_attention_mask=True), [400, 300]),
    "wav2vec2-raw": (Wav2Vec2FeatureExtractor(do_normalize=False, padding_value=0.5), [300, 320]),
}
cases = {}
for name, (extractor, lengths) in extractors.items():
    padding = {} if name.startswith("whisper") else {"padding": True}
    outputs = extractor([chirp(n) for n in lengths], sampling_rate=16000, return_tensors="np", **padding)
    config = {key: value for key, value in json.loads(extractor.to_json_string()).items() if key != "mel_filters"}
    cases[name] = {"config": config, "lengths": lengths, "outputs": {key: {"shape": list(value.shape), "values": encode(value.astype(np.float32))} for key, value in outputs.items()}}
save("feature-extractors.json", cases)
