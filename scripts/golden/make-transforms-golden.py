"""Golden vectors: images transformed by torchvision (with Pillow), with every uniform number at a quarter of its range.

    python scripts/golden/make-transforms-golden.py

It writes test/golden/transforms.json. Trenio and its tests never need Python.
"""

import base64
import json
import math
import pathlib

import numpy as np
import torch
from PIL import Image

# The transforms need none of torchvision's compiled operators: only their fakes are registered, which fails if its build does not fit.
register_fake = torch.library.register_fake
torch.library.register_fake = lambda *name, **options: lambda fake: fake
from torchvision import transforms as T  # noqa: E402

torch.library.register_fake = register_fake

quarter = 0.25
torch.Tensor.uniform_ = lambda self, a=0.0, b=1.0: self.fill_(a + (b - a) * quarter)
torch.rand = lambda *size: torch.full(size, quarter)
torch.randint = lambda low, high, size: torch.full(size, math.floor(low + (high - low) * quarter))

width, height = 9, 6
x, y, c = np.meshgrid(np.arange(width), np.arange(height), np.arange(3), indexing="xy")
pixels = (((7 * x + 13 * y + 31 * c + x * y) * 37) % 256).astype(np.uint8)
image = Image.fromarray(pixels)

cases = [
    ("Resize", [4]), ("Resize", [[5, 12], "bicubic"]), ("Resize", [[4, 13], "nearest"]), ("Resize", [5, "bilinear", 7]),
    ("CenterCrop", [[4, 11]]),
    ("Pad", [[1, 2, 0, 3], [9, 8, 7]]), ("Pad", [2, 0, "edge"]), ("Pad", [[3, 2], 0, "reflect"]), ("Pad", [[3, 2], 0, "symmetric"]),
    ("RandomCrop", [4]), ("RandomCrop", [[8, 11], None, True, 50]), ("RandomCrop", [5, [2, 1], False, 0, "reflect"]),
    ("RandomHorizontalFlip", [1]), ("RandomVerticalFlip", [1]), ("RandomVerticalFlip", [0]),
    ("RandomResizedCrop", [5]), ("RandomResizedCrop", [[4, 6], [0.5, 1], [0.5, 2], "bicubic"]), ("RandomResizedCrop", [4, [1, 1], [3, 4]]),
    ("RandomRotation", [40]), ("RandomRotation", [40, "bilinear", True, None, [1, 2, 3]]), ("RandomRotation", [[30, 50], "nearest", False, [2, 1], 7]),
    ("RandomRotation", [[90, 90], "nearest", True]), ("RandomRotation", [[180, 180]]), ("RandomRotation", [[270, 270]]),
    ("RandomAffine", [20]), ("RandomAffine", [0, [0.5, 0.5]]), ("RandomAffine", [30, [0.25, 0.5], [0.5, 1.5], 10, "bilinear", 128]),
    ("RandomAffine", [10, None, [1.25, 1.25], [4, 8, -16, 8], "nearest", [5, 6, 7], [1, 2]]), ("RandomAffine", [0, None, [0.75, 0.75], None, "bilinear"]),
    ("ColorJitter", [0.5]), ("ColorJitter", [[1.5, 1.75]]), ("ColorJitter", [0, 0.5]), ("ColorJitter", [0, [1.25, 2]]),
    ("ColorJitter", [0, 0, 0.75]), ("ColorJitter", [0, 0, [1.5, 2]]), ("ColorJitter", [0, 0, 0, 0.5]), ("ColorJitter", [0, 0, 0, [0.125, 0.25]]),
    ("Grayscale", []), ("Grayscale", [3]), ("RandomGrayscale", [1]),
    ("GaussianBlur", [3]), ("GaussianBlur", [[5, 3], [1, 2]]), ("GaussianBlur", [[3, 7], 0.75]),
]  # fmt: skip
mode = lambda value: T.InterpolationMode(value) if value in ("nearest", "bilinear", "bicubic") else value
argument = lambda value: value if not isinstance(value, str) else mode(value)


def described(name, args):
    out = getattr(T, name)(*map(argument, args))(image)
    data = np.asarray(out)
    return {"name": name, "args": args, "size": [out.width, out.height], "pixels": base64.b64encode(data.tobytes()).decode()}


erasing = [[1], [1, [0.25, 0.5], [1, 2], [1, 2, 3]]]
erased = lambda args: T.RandomErasing(*args)(T.ToTensor()(image)).mul(255).round().to(torch.int32).flatten().tolist()
golden = {
    "images": [described(*case) for case in cases],
    "erased": [{"args": args, "values": erased(args)} for args in erasing],
    "bytes": T.ConvertImageDtype(torch.uint8)(torch.tensor([0, 0.2, 0.499, 0.5, 0.999, 1])).tolist(),
}
path = pathlib.Path(__file__).parents[2] / "test/golden/transforms.json"
path.write_text(json.dumps(golden).replace('{"name"', '\n{"name"').replace('{"args"', '\n{"args"') + "\n")
