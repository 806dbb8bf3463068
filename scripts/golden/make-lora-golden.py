"""Golden adapters: LoRA and DoRA of Hugging Face PEFT on tiny models of test/golden, with logits and gradients.

Run from the repository's root, after make-decoder-golden.py and make-gpt2-golden.py:

    python scripts/golden/make-lora-golden.py

It writes test/golden/lora.tar, in a folder NAME: adapter_config.json and adapter_model.safetensors as PEFT saves them, and expected.safetensors
with token ids, logits, the logits of the merged model, and the gradients of a loss with respect to the adapter's tensors.
Names of cases write these alone. With --check DIRECTORY, it loads adapters that Trenio wrote there (NAME/...), and compares the logits of PEFT with those stored in
NAME/logits.safetensors. Trenio and its tests never need Python.
"""

import pathlib
import shutil
import sys

import torch
from peft import LoraConfig, PeftModel, get_peft_model
from peft.utils import get_peft_model_state_dict
from safetensors.torch import load_file, save_file
from transformers import AutoModelForCausalLM, AutoModelForSequenceClassification, AutoModelForTokenClassification

from family import open_family

bases = {family: open_family(family, writes=False) for family in ("decoders", "encoders", "gpt2-small")}
adapters = open_family("lora")
torch.set_num_threads(1)

cases = {
    "llama-lora": ("decoders/llama", dict(r=4, lora_alpha=8, target_modules=["q_proj", "v_proj", "down_proj"])),
    "llama-patterns": (
        "decoders/llama",
        dict(r=2, lora_alpha=3, use_rslora=True, target_modules="all-linear", exclude_modules=["up_proj"],
             rank_pattern={"k_proj": 3, r"layers\.1\.mlp\.gate_proj": 1}, alpha_pattern={"o_proj": 5},
             modules_to_save=["lm_head"]),
    ),
    "llama-block": ("decoders/llama", dict(r=2, target_modules=["q_proj", "k_proj"], layers_to_transform=[1])),
    "llama-dora": ("decoders/llama", dict(r=3, lora_alpha=6, use_dora=True, target_modules=r".*\.(o|gate)_proj")),
    "gpt2-dora": ("gpt2-small", dict(r=4, use_dora=True, bias="all", target_modules=["c_attn", "c_fc"], fan_in_fan_out=True)),
    "gpt2-lora": ("gpt2-small", dict(r=4, lora_alpha=2, target_modules=["c_attn"], fan_in_fan_out=True)),
    "phi-lora": ("decoders/phi", dict(r=2, target_modules=["dense", "fc1"])),
    # Trenio computes the joined projections in separate layers.
    "phi3-lora": ("decoders/phi3", dict(r=2, lora_alpha=6, target_modules=["qkv_proj", "gate_up_proj", "o_proj"])),
    "phi3-dora": ("decoders/phi3", dict(r=2, use_dora=True, target_modules=["qkv_proj", "gate_up_proj"])),
    # Joined by head.
    "gpt-neox-lora": ("decoders/gpt-neox", dict(r=2, lora_alpha=6, target_modules="all-linear")),
    "bloom-dora": ("decoders/bloom", dict(r=2, use_dora=True, target_modules=["query_key_value", "dense"])),
    "falcon-new-lora": ("decoders/falcon-new", dict(r=3, target_modules="all-linear")),
    "falcon-dora": ("decoders/falcon", dict(r=2, use_dora=True, target_modules=["query_key_value"])),
    # Trained biases and whole layers that are joined.
    "gpt-neox-biases": ("decoders/gpt-neox", dict(r=2, target_modules=["query_key_value"], bias="all")),
    "bloom-biases": ("decoders/bloom", dict(r=2, target_modules=["query_key_value"], bias="lora_only")),
    "gpt-neox-whole": ("decoders/gpt-neox", dict(r=2, target_modules=["dense"], bias="all", modules_to_save=["query_key_value"])),
    "phi3-whole": ("decoders/phi3", dict(r=2, target_modules=["o_proj"], modules_to_save=["qkv_proj"])),
    "gpt2-whole": (
        "gpt2-small", dict(r=2, target_modules=["c_fc"], fan_in_fan_out=True, bias="all", modules_to_save=["c_attn", "ln_f"])
    ),
    # PEFT also trains the heads of classifiers.
    "llama-sequences": ("decoders/llama", dict(r=2, target_modules="all-linear", task_type="SEQ_CLS")),
    "roberta-sequences": ("encoders/roberta", dict(r=2, target_modules="all-linear", task_type="SEQ_CLS")),
    "gpt-neox-tokens": ("decoders/gpt-neox", dict(r=2, target_modules=["query_key_value"], task_type="TOKEN_CLS")),
    "distilbert-sequences": ("encoders/distilbert", dict(r=2, target_modules=["q_lin", "ffn.lin1"], task_type="SEQ_CLS")),
}
classes = {"SEQ_CLS": AutoModelForSequenceClassification, "TOKEN_CLS": AutoModelForTokenClassification}


def folder_of(base):
    family, _, name = base.partition("/")
    return bases[family] / name


def load(base, settings):
    task = settings.get("task_type")
    if task is None:
        return AutoModelForCausalLM.from_pretrained(folder_of(base))
    return classes[task].from_pretrained(folder_of(base), num_labels=3)


def loss_of(scores, ids, task):
    if task is None:
        return torch.nn.functional.cross_entropy(scores[:, :-1].flatten(0, 1), ids[:, 1:].flatten())
    return torch.nn.functional.cross_entropy(scores.flatten(0, -2), torch.arange(scores[..., 0].numel()) % 3)


def logits(model, ids):
    with torch.no_grad():
        return model(ids).logits


if len(sys.argv) > 2 and sys.argv[1] == "--check":
    for name, (base, settings) in cases.items():
        directory = pathlib.Path(sys.argv[2]) / name
        if not directory.exists():
            continue
        model = PeftModel.from_pretrained(load(base, settings), directory).eval()
        stored = load_file(directory / "logits.safetensors")
        difference = (logits(model, stored["ids"].long()) - stored["logits"]).abs().max().item()
        print(f"{name}: {difference:.1e}")
        assert difference <= 1e-5, name
    sys.exit()

for number, (name, (base, settings)) in enumerate(cases.items()):
    if len(sys.argv) > 1 and name not in sys.argv[1:]:
        continue
    torch.manual_seed(number)
    model = get_peft_model(load(base, settings), LoraConfig(**settings))
    # Initial updates are 0: random ones, of about the size of the weights.
    for key, parameter in model.named_parameters():
        if parameter.requires_grad:
            torch.nn.init.normal_(parameter, 1.0 if "magnitude" in key else 0.0, 0.2)
    ids = torch.randint(3, 40, (2, 7))
    model.train("task_type" not in settings)  # classifiers have dropout
    scores = model(ids).logits
    loss = loss_of(scores, ids, settings.get("task_type"))
    loss.backward()
    model.eval()
    tensors = {"ids": ids.int(), "logits": logits(model, ids), "loss": loss.detach()}
    state = {key: parameter.grad for key, parameter in model.named_parameters() if parameter.requires_grad}
    for key, gradient in state.items():
        tensors["gradient." + key.replace(".default", "").replace(".modules_to_save", "").replace("magnitude_vector.weight", "magnitude_vector")] = gradient
    directory = adapters / name
    shutil.rmtree(directory, ignore_errors=True)
    model.save_pretrained(directory)
    (directory / "README.md").unlink(missing_ok=True)
    config = directory / "adapter_config.json"
    config.write_text(config.read_text().replace(str(folder_of(base)), f"test/golden/{base}"))
    tensors["merged"] = logits(model.merge_and_unload(), ids)
    save_file({key: value.contiguous() for key, value in tensors.items()}, directory / "expected.safetensors")
    print(name, sorted(load_file(directory / "adapter_model.safetensors"))[:2])
