# Writes test/golden/format-keys.json: the names that the gguf package and transformers know in the formats that Trenio reads.
# Run it at the root of the repository with gguf, peft 0.21 and transformers 5.17.
import dataclasses
import inspect
import json
import re
from gguf.constants import Keys
from peft import LoraConfig
from transformers import GenerationConfig, tokenization_utils_base, tokenization_utils_tokenizers
from transformers.models.beit.image_processing_pil_beit import BeitImageProcessorKwargs
from transformers.models.convnext.image_processing_pil_convnext import ConvNextImageProcessorKwargs
from transformers.processing_utils import ImagesKwargs


def keys_of(scope):
    for name in dir(scope):
        value = getattr(scope, name)
        if name.startswith("_"):
            continue
        if isinstance(value, str):
            yield re.sub(r"\{(dense)\}", "{name}", value)
        elif isinstance(value, type):
            yield from keys_of(value)


def settings_of(*classes):
    for one in classes:
        yield from re.findall(r'kwargs\.(?:pop|get|setdefault)\(\s*"(\w+)"', inspect.getsource(one.__init__))


names = {
    "gguf": sorted({key for key in keys_of(Keys) if not key.startswith(("clip.", "imatrix."))}),
    "generation": sorted(name for name in GenerationConfig().__dict__ if not name.startswith("_")),
    "tokenizer": sorted(
        set(
            settings_of(tokenization_utils_base.PreTrainedTokenizerBase, tokenization_utils_tokenizers.TokenizersBackend)
        )
    ),
    "adapter": sorted(field.name for field in dataclasses.fields(LoraConfig)),
    "images": sorted(
        {
            name
            for one in (ImagesKwargs, BeitImageProcessorKwargs, ConvNextImageProcessorKwargs)
            for name in one.__annotations__
        }
    ),
}
with open("test/golden/format-keys.json", "w") as file:
    file.write(json.dumps(names, indent=0).replace('",\n"', '", "') + "\n")
