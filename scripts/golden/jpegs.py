# test/golden/jpegs.json: small JPEG files of libjpeg in its variants, which src/data/images/jpeg-baseline.test.ts decodes with two
# decoders. Needs numpy and pillow.
import base64
import io
import json
import os

import numpy as np
from PIL import Image

rng = np.random.default_rng(0)
y, x = np.mgrid[0:21, 0:37]
smooth = np.stack([128 + 100 * np.sin(x / 5 + c) * np.cos(y / (4 + c)) for c in range(3)], -1)
noise = rng.integers(0, 256, (21, 37, 3))
files = {}
for name, pixels in [("smooth", smooth), ("noise", noise)]:
    image = Image.fromarray(pixels.astype("uint8"))
    variants = {
        "4:4:4": (image, {"subsampling": 0}),
        "4:2:2": (image, {"subsampling": 1}),
        "4:2:0": (image, {"subsampling": 2}),
        "gray": (image.convert("L"), {}),
        "restarts, optimized": (image, {"restart_marker_blocks": 2, "optimize": True}),
        "low quality": (image, {"quality": 8}),
        "best quality": (image, {"quality": 100}),
        "progressive": (image, {"progressive": True}),
        "CMYK": (image.convert("CMYK"), {}),
    }
    for variant, (source, options) in variants.items():
        out = io.BytesIO()
        source.save(out, "JPEG", **options)
        files[f"{name}, {variant}"] = base64.b64encode(out.getvalue()).decode()
path = os.path.join(os.path.dirname(__file__), "../../test/golden/jpegs.json")
with open(path, "w") as file:
    json.dump(files, file, indent=1)
    file.write("\n")
