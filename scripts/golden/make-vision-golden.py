"""Golden vectors: one forward and backward pass of tiny image models, by Hugging Face transformers.

The oracle for Trenio's image models: random weights of each architecture; logits, loss and the norms of gradients must agree. Run
from the repository's root, with torch, transformers and safetensors installed:

    python scripts/golden/make-vision-golden.py

It writes test/golden/vision.tar (see test/golden/README.md). Trenio and its tests never need Python.
"""

import json
import re
import shutil
import sys
import tempfile

import safetensors.torch
import torch
import transformers
from transformers import AutoConfig, AutoModel, AutoModelForImageClassification
from transformers import DeiTForImageClassification, DeiTForImageClassificationWithTeacher

from family import open_family

tower = dict(hidden_size=16, intermediate_size=24, num_hidden_layers=2, num_attention_heads=4)
images = dict(image_size=12, patch_size=4)
text = dict(**tower, vocab_size=40, max_position_embeddings=12, bos_token_id=1, eos_token_id=2, pad_token_id=0)
classes = dict(num_labels=3)
models = {
    "vit": dict(model_type="vit", **tower, **images, **classes),
    "deit": dict(model_type="deit", **{**tower, "num_hidden_layers": 1}, **images, **classes),
    "deit-teacher": dict(model_type="deit", **{**tower, "num_hidden_layers": 1}, **images, **classes),
    "beit": dict(
        model_type="beit",
        use_relative_position_bias=True,
        use_mask_token=True,
        layer_scale_init_value=0.7,
        **tower,
        **images,
        **classes,
    ),
    # As in pre-training: one table for all blocks, and positions; the first token is classified.
    "beit-shared": dict(
        model_type="beit",
        use_shared_relative_position_bias=True,
        use_absolute_position_embeddings=True,
        use_mean_pooling=False,
        layer_scale_init_value=0.0,
        **{**tower, "num_hidden_layers": 1},
        **images,
        **classes,
    ),
    "dinov2": dict(model_type="dinov2", mlp_ratio=2, layerscale_value=0.7, **tower, **images, **classes),
    "dinov2-registers": dict(
        model_type="dinov2_with_registers", mlp_ratio=2, num_register_tokens=2, **tower, **images, **classes
    ),
    "dinov2-giant": dict(model_type="dinov2", use_swiglu_ffn=True, **tower, **images, **classes),
    "clip": dict(
        model_type="clip",
        projection_dim=8,
        text_config=dict(**{**text, "eos_token_id": 3}, projection_dim=8),
        vision_config=dict(**tower, **images, projection_dim=8),
    ),
    # The end of the text is the token with the largest number in files with this eos_token_id.
    "clip-eos-2": dict(
        model_type="clip",
        projection_dim=8,
        text_config=dict(**text, projection_dim=8, hidden_act="gelu"),
        vision_config=dict(**tower, **images, projection_dim=8, hidden_act="gelu"),
    ),
    "siglip": dict(model_type="siglip", text_config=text, vision_config=dict(**tower, **images)),
    "resnet-basic": dict(
        model_type="resnet", embedding_size=8, hidden_sizes=[8, 12], depths=[2, 1], layer_type="basic", **classes
    ),
    "resnet-bottleneck": dict(
        model_type="resnet",
        embedding_size=8,
        hidden_sizes=[16, 24],
        depths=[1, 2],
        layer_type="bottleneck",
        **classes,
    ),
    "convnext": dict(
        model_type="convnext",
        hidden_sizes=[8, 12],
        depths=[1, 2],
        num_stages=2,
        patch_size=4,
        layer_scale_init_value=0.5,
        **classes,
    ),
    "convnextv2": dict(
        model_type="convnextv2", hidden_sizes=[8, 12], depths=[1, 1], num_stages=2, patch_size=4, **classes
    ),
}

root = open_family("vision")
torch.set_num_threads(1)
torch.use_deterministic_algorithms(True)


def spread(model):
    """Biases start at 0 and norms at 1, where many mistakes do not show: move them; others are larger than 0.02."""
    with torch.no_grad():
        for key, parameter in model.named_parameters():
            # BEiT's tables and positions start at 0.
            if "relative_position" in key or ("beit" in key and "position_embeddings" in key):
                parameter.copy_(torch.randn_like(parameter) * 0.5)
            elif key.endswith("bias") or "norm" in key.lower() or parameter.ndim < 2:
                parameter.add_(torch.randn_like(parameter) * 0.1)
            elif parameter.std() < 0.1:
                parameter.mul_(0.2 / float(parameter.std()) if float(parameter.std()) > 0 else 1)
        for key, buffer in model.named_buffers():
            if key.endswith("running_mean"):
                buffer.copy_(torch.randn_like(buffer) * 0.1)
            elif key.endswith("running_var"):
                buffer.copy_(1 + 0.3 * torch.rand_like(buffer))


def make(name, fields):
    folder = root / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    torch.manual_seed(20261123)
    config = AutoConfig.for_model(**fields)
    is_pair = fields["model_type"] in ("clip", "siglip")
    cls = AutoModel if is_pair else AutoModelForImageClassification
    eager = {} if "net" in fields["model_type"] else dict(attn_implementation="eager")
    # transformers has two classifiers of DeiT.
    own = {"deit": DeiTForImageClassification, "deit-teacher": DeiTForImageClassificationWithTeacher}
    model = own[name]._from_config(config, **eager) if name in own else cls.from_config(config, **eager)
    spread(model)
    model.save_pretrained(folder)
    size = 12 if "image_size" in fields or is_pair else 32
    batch = dict(pixel_values=torch.randn(2, 3, size, size))
    inputs = dict(batch)
    if is_pair:
        ids = torch.randint(4, 40, (3, 8))
        ids[0, 5:] = torch.tensor([39, 0, 0]) if name == "clip-eos-2" else torch.tensor([3, 3, 3])
        ids[1:, 7] = 39 if name == "clip-eos-2" else 3
        inputs["input_ids"] = ids
        batch["input_ids"] = ids.to(torch.int32)
        if name != "siglip":
            inputs["attention_mask"] = torch.ones_like(ids)
            inputs["attention_mask"][0, 6:] = 0
            batch["attention_mask"] = inputs["attention_mask"].to(torch.int32)
        # As many texts as images in the loss.
    else:
        labels = torch.tensor([2, 0])
        batch["labels"] = labels.to(torch.int32)
    model.eval()
    output = model(**inputs)
    if is_pair:
        loss = (output.logits_per_text * torch.randn(3, 2, generator=torch.Generator().manual_seed(1))).sum()
        batch["weights"] = torch.randn(3, 2, generator=torch.Generator().manual_seed(1))
        for key in ("logits_per_image", "logits_per_text", "text_embeds", "image_embeds"):
            batch[key] = output[key].detach().contiguous()
        batch["text_hidden"] = output.text_model_output.last_hidden_state.detach().contiguous()
        batch["image_hidden"] = output.vision_model_output.last_hidden_state.detach().contiguous()
    else:
        loss = torch.nn.functional.cross_entropy(output.logits, labels)
        batch["logits"] = output.logits.detach().contiguous()
    loss.backward()
    batch["loss"] = loss.detach()
    if is_pair:
        square = dict(inputs, input_ids=inputs["input_ids"][:2])
        if "attention_mask" in square:
            square["attention_mask"] = square["attention_mask"][:2]
        with torch.no_grad():
            batch["contrastive_loss"] = model(**square, return_loss=True).loss
    else:
        with torch.no_grad():
            base = model.base_model(inputs["pixel_values"])
            batch["last_hidden_state"] = base.last_hidden_state.contiguous()
            if name.startswith(("dinov2", "beit")):
                batch["wide_pixel_values"] = torch.randn(1, 3, 16, 20)
                batch["wide_logits"] = model(batch["wide_pixel_values"]).logits
            if name == "vit" or "deit" in name:
                batch["wide_pixel_values"] = torch.randn(1, 3, 16, 20)
                batch["wide_logits"] = model(batch["wide_pixel_values"], interpolate_pos_encoding=True).logits
            if "resnet" in name:
                model.train()
                batch["train_logits"] = model(inputs["pixel_values"]).logits
    # Written as a model, so that the gradients have the names of files.
    with torch.no_grad():
        for p in model.parameters():
            p.copy_(torch.zeros_like(p) if p.grad is None else p.grad)
    with tempfile.TemporaryDirectory() as directory:
        model.save_pretrained(directory)
        saved = safetensors.torch.load_file(f"{directory}/model.safetensors")
    named = {key: float(saved[key].float().norm()) for key in sorted(saved)}
    norms = {key: n for key, n in named.items() if not re.search("running_|num_batches|mask_token", key)}
    safetensors.torch.save_file({k: v.contiguous() for k, v in batch.items()}, folder / "batch.safetensors")
    (folder / "gradients.json").write_text(json.dumps(norms, indent=1) + "\n")
    for path in folder.iterdir():
        path.chmod(0o644)
    print(f"{name}: loss {loss.item():.6f}")


def torchvision_names(name):
    """The same weights as torch.save writes a state dict of torchvision's ResNet."""
    saved = safetensors.torch.load_file(root / name / "model.safetensors")
    state = {}
    for key, value in saved.items():
        key = key.replace("resnet.embedder.embedder.convolution", "conv1").replace("classifier.1", "fc")
        key = key.replace("resnet.embedder.embedder.normalization", "bn1")
        key = re.sub(r"resnet.encoder.stages.(\d+).layers.", lambda m: f"layer{int(m[1]) + 1}.", key)
        key = re.sub(r"layer.(\d+).convolution", lambda m: f"conv{int(m[1]) + 1}", key)
        key = re.sub(r"layer.(\d+).normalization", lambda m: f"bn{int(m[1]) + 1}", key)
        key = key.replace("shortcut.convolution", "downsample.0").replace("shortcut.normalization", "downsample.1")
        state[key] = value
    torch.save(state, root / name / "torchvision.pth")


for name, fields in models.items():
    if not sys.argv[1:] or name in sys.argv[1:]:
        make(name, fields)
if not sys.argv[1:]:
    torchvision_names("resnet-bottleneck")
(root / "recipe.json").write_text(
    json.dumps({"torch": torch.__version__, "transformers": transformers.__version__}, indent=2) + "\n"
)
