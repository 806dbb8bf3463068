"""Golden vectors: pixel values of the image processors of Hugging Face transformers (with Pillow), on random images.

    python test/golden/make-image-processor-golden.py

It writes test/golden/image-processors.json. Trenio and its tests never need Python.
"""

import base64
import json
import pathlib

import numpy as np
from PIL import Image
from transformers.models.bit.image_processing_pil_bit import BitImageProcessorPil
from transformers.models.clip.image_processing_pil_clip import CLIPImageProcessorPil
from transformers.models.siglip.image_processing_pil_siglip import SiglipImageProcessorPil
from transformers.models.vit.image_processing_pil_vit import ViTImageProcessorPil

rng = np.random.default_rng(4)
encode = lambda array: base64.b64encode(array.tobytes()).decode()
images = [rng.integers(0, 256, shape, dtype=np.uint8) for shape in ((17, 11, 3), (9, 23, 3), (5, 6, 3))]
processors = {
    "vit": ViTImageProcessorPil(size={"height": 8, "width": 6}),
    "clip": CLIPImageProcessorPil(size={"shortest_edge": 8}, crop_size={"height": 7, "width": 7}),
    "siglip": SiglipImageProcessorPil(size={"height": 9, "width": 9}),
    "dinov2": BitImageProcessorPil(size={"shortest_edge": 9}, crop_size={"height": 6, "width": 8}, image_mean=[0.485, 0.456, 0.406], image_std=[0.229, 0.224, 0.225]),
}
cases = {}
for name, processor in processors.items():
    values = processor(images=[Image.fromarray(one) for one in images], return_tensors="np")["pixel_values"].astype(np.float32)
    config = json.loads(processor.to_json_string())
    cases[name] = {"config": config, "shape": list(values.shape), "values": encode(values)}
    print(name, values.shape, {k: config.get(k) for k in ("size", "crop_size", "resample", "do_center_crop", "image_processor_type")})
text = json.dumps({"images": [{"shape": list(one.shape), "data": encode(one)} for one in images], "cases": cases}, indent=1)
(pathlib.Path(__file__).parent / "image-processors.json").write_text(text + "\n")
