# Writes test/golden/images.json: images processed by Pillow, for src/data/transforms.test.ts and src/data/image.test.ts.
# Sizes and positions follow torchvision's transforms, reimplemented here; normalization uses PyTorch.
#
#   python scripts/golden/images.py        (torch 2.13.0, Pillow 12.3)
#
# Pixels of the input are ((7 x + 13 y + 31 c + x y) * 37) % 256, at (x, y) in channel c: the tests compute them themselves.
import base64
import io
import json
import numpy as np
import PIL
import torch
from PIL import Image, ImageOps


def image(width, height):
    y, x, c = np.meshgrid(np.arange(height), np.arange(width), np.arange(3), indexing="ij")
    return Image.fromarray((((7 * x + 13 * y + 31 * c + x * y) * 37) % 256).astype(np.uint8))


def text(data):
    return base64.b64encode(bytes(data)).decode()


def smooth(width, height):
    y, x, c = np.meshgrid(np.arange(height), np.arange(width), np.arange(3), indexing="ij")
    return Image.fromarray((x * 200 // width + y * 50 // height + c).astype(np.uint8))


def resize(picture, size):
    """torchvision.transforms.Resize: the shorter edge to size, or (height, width); bilinear."""
    width, height = picture.size
    if isinstance(size, int):
        short, long = (width, height) if width <= height else (height, width)
        new_long = int(size * long / short)
        size = (new_long, size) if width <= height else (size, new_long)
    return picture.resize((size[1], size[0]), Image.BILINEAR)


def center_crop(picture, size):
    """torchvision.transforms.CenterCrop: pads with black, then cuts out the middle."""
    height, width = (size, size) if isinstance(size, int) else size
    if width > picture.width or height > picture.height:
        left = (width - picture.width) // 2 if width > picture.width else 0
        top = (height - picture.height) // 2 if height > picture.height else 0
        right = (width - picture.width + 1) // 2 if width > picture.width else 0
        bottom = (height - picture.height + 1) // 2 if height > picture.height else 0
        picture = ImageOps.expand(picture, (left, top, right, bottom), 0)
    top = int(round((picture.height - height) / 2.0))
    left = int(round((picture.width - width) / 2.0))
    return picture.crop((left, top, left + width, top + height))


transforms = {"Resize": resize, "CenterCrop": center_crop}
sizes = [(13, 9), (9, 13), (16, 16)]
steps = [("Resize", s) for s in [5, 20, 9, [7, 11], [30, 4], [13, 13]]] + [("CenterCrop", s) for s in [4, 5, [3, 8], 20, [12, 6]]]
cases = []
for width, height in sizes:
    for name, size in steps:
        out = transforms[name](image(width, height), size)
        cases.append({"width": width, "height": height, "name": name, "size": size, "result": [out.width, out.height, text(out.tobytes())]})
pixels = torch.from_numpy(np.array(image(4, 3))).permute(2, 0, 1).contiguous().to(torch.float32).div(255)
column = lambda *values: torch.tensor(values, dtype=torch.float32).view(-1, 1, 1)
normal = pixels.sub(column(0.485, 0.456, 0.406)).div(column(0.229, 0.224, 0.225))
flipped = ImageOps.mirror(image(5, 3))
files = []
base = smooth(24, 16)
for name, picture, options in [
    ("rgb.png", base, {}), ("rgba.png", base.convert("RGBA"), {}), ("gray.png", base.convert("L"), {}), ("palette.png", base.quantize(16), {}),
    ("bits.png", base.convert("1"), {}), ("rgb.jpg", base, {"quality": 95, "subsampling": 0}), ("chroma.jpg", base, {"quality": 90, "subsampling": 2}),
    ("progressive.jpg", base, {"quality": 90, "progressive": True}), ("gray.jpg", base.convert("L"), {"quality": 95}),
]:
    out = io.BytesIO()
    picture.save(out, "PNG" if name.endswith("png") else "JPEG", **options)
    decoded = Image.open(io.BytesIO(out.getvalue())).convert("RGB")
    files.append({"name": name, "bytes": text(out.getvalue()), "width": decoded.width, "height": decoded.height, "pixels": text(decoded.tobytes())})
with open("test/golden/images.json", "w") as out:
    json.dump({"pillow": PIL.__version__, "cases": cases, "normalized": normal.reshape(-1).tolist(),
               "flipped": text(flipped.tobytes()), "files": files}, out)
    out.write("\n")
