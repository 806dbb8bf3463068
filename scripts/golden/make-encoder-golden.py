"""Golden vectors: one forward and backward pass of tiny text encoders with each head, by Hugging Face transformers.

The oracle for Trenio's encoders: random weights of each architecture; logits, loss and the norms of gradients must agree. Run from
the repository's root, with torch, transformers and safetensors installed:

    python scripts/golden/make-encoder-golden.py [NAME ...]

It writes test/golden/encoders.tar, all of it or the models named (see test/golden/README.md). Trenio and its tests never need Python.
"""

import json
import shutil
import sys

import safetensors.torch
import torch
import transformers
from transformers import AutoConfig, AutoModelForMaskedLM

from family import open_family

BATCH, TIME = 2, 10
tiny = dict(
    vocab_size=40,
    hidden_size=16,
    intermediate_size=24,
    num_hidden_layers=2,
    num_attention_heads=4,
    max_position_embeddings=24,
    pad_token_id=1,
    num_labels=3,
)
models = {
    "bert": dict(model_type="bert"),
    "bert-untied": dict(model_type="bert", tie_word_embeddings=False, hidden_act="relu"),
    "ernie": dict(model_type="ernie", use_task_id=True, num_hidden_layers=1),
    "data2vec-text": dict(model_type="data2vec-text", num_hidden_layers=1),
    "roberta": dict(model_type="roberta"),
    "xlm-roberta": dict(model_type="xlm-roberta", type_vocab_size=1, layer_norm_eps=1e-5),
    "distilbert": dict(model_type="distilbert", dim=16, hidden_dim=24, n_layers=2, n_heads=4),
    "mpnet": dict(model_type="mpnet"),
    "electra": dict(model_type="electra", embedding_size=8),
    "albert": dict(
        model_type="albert", embedding_size=8, num_hidden_layers=4, num_hidden_groups=2, inner_group_num=2
    ),
    "deberta": dict(
        model_type="deberta-v2",
        relative_attention=True,
        max_relative_positions=-1,
        position_buckets=4,
        norm_rel_ebd="layer_norm",
        share_att_key=True,
        pos_att_type="p2c|c2p",
        position_biased_input=False,
    ),
    "deberta-xl": dict(
        model_type="deberta-v2",
        relative_attention=True,
        max_relative_positions=6,
        pos_att_type=["c2p", "p2c"],
        type_vocab_size=2,
        embedding_size=8,
        conv_kernel_size=3,
        conv_act="gelu",
    ),
    "deberta-plain": dict(model_type="deberta-v2", legacy=False),
    "deberta-v1": dict(
        model_type="deberta",
        relative_attention=True,
        max_relative_positions=6,
        pos_att_type="c2p|p2c",
        position_biased_input=False,
        type_vocab_size=2,
    ),
    "modernbert": dict(
        model_type="modernbert",
        num_hidden_layers=3,
        global_attn_every_n_layers=2,
        local_attention=4,
        bos_token_id=2,
        eos_token_id=3,
        cls_token_id=2,
        sep_token_id=3,
    ),
    "modernbert-mean": dict(
        model_type="modernbert",
        local_attention=6,
        norm_bias=True,
        attention_bias=True,
        mlp_bias=True,
        classifier_bias=True,
        classifier_pooling="mean",
        bos_token_id=2,
        eos_token_id=3,
        cls_token_id=2,
        sep_token_id=3,
    ),
}
heads = ["SequenceClassification", "TokenClassification", "QuestionAnswering", "MultipleChoice"]

root = open_family("encoders")
torch.set_num_threads(1)
torch.use_deterministic_algorithms(True)


def spread(model):
    """Biases start at 0 and norms at 1, where many mistakes do not show: move them; others are larger than 0.02."""
    with torch.no_grad():
        for key, parameter in model.named_parameters():
            if key.endswith("bias") or "norm" in key.lower():
                parameter.add_(torch.randn_like(parameter) * 0.1)
            elif parameter.std() < 0.1:
                parameter.mul_(10.0)


def make(name, fields):
    folder = root / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    torch.manual_seed(20261123)
    config = AutoConfig.for_model(**{**tiny, **fields})
    model = AutoModelForMaskedLM.from_config(config, attn_implementation="eager")
    spread(model)
    prefix = model.base_model_prefix + "."
    model.save_pretrained(folder)
    lengths = torch.tensor([TIME, 6])
    mask = (torch.arange(TIME) < lengths[:, None]).long()
    ids = torch.where(mask == 1, torch.randint(2, config.vocab_size, (BATCH, TIME)), config.pad_token_id)
    inputs = dict(input_ids=ids, attention_mask=mask)
    if getattr(config, "type_vocab_size", 0) > 1:
        inputs["token_type_ids"] = (torch.arange(TIME) >= 4).long().expand(BATCH, TIME) * mask
    first = {key: value.to(torch.int32).contiguous() for key, value in inputs.items()}
    batch, norms = first, {}

    def run(model, head, inputs, labels):
        model.eval()
        model.zero_grad()
        output = model(**inputs, **{key: value.long() for key, value in labels.items()})
        output.loss.backward()
        for key, value in labels.items():
            batch[f"{head}.{key}"] = value.to(torch.int32).contiguous()
        batch[f"{head}.loss"] = output.loss.detach()
        for key in ["logits", "start_logits", "end_logits"]:
            if key in output:
                batch[f"{head}.{key}"] = output[key].detach().contiguous()
        # Tied parameters count as those of the encoder.
        named = sorted(model.named_parameters(remove_duplicate=False), key=lambda pair: not pair[0].startswith(prefix))
        unique = {id(p): (key, p.grad) for key, p in reversed(named) if p.grad is not None}
        gradients = dict(sorted(unique.values()))
        whole = torch.sqrt(sum(g.square().sum() for key, g in gradients.items() if key.startswith(prefix)))
        own = {key: float(g.norm()) for key, g in gradients.items() if head == "MaskedLM" or not key.startswith(prefix)}
        norms[head] = {**own, "encoder": float(whole)}
        print(f"{name} {head}: loss {output.loss.item():.6f}")

    run(model, "MaskedLM", inputs, dict(labels=torch.where((mask == 1) & (torch.arange(TIME) % 3 == 1), ids, -100)))
    encoder = {key: value for key, value in model.state_dict().items() if key.startswith(prefix)}
    tensors = {}
    for head in heads:
        torch.manual_seed(20261124)
        # Answers have two scores, whatever the number of classes is.
        # transformers has no such class of the first DeBERTa.
        if fields["model_type"] == "deberta" and head == "MultipleChoice":
            continue
        config.num_labels = 2 if head == "QuestionAnswering" else tiny["num_labels"]
        own = getattr(transformers, type(model).__name__.replace("MaskedLM", head))._from_config(
            config, attn_implementation="eager"
        )
        spread(own)
        own.load_state_dict(encoder, strict=False)
        for key, value in own.state_dict().items():
            if key not in encoder:
                tensors[f"{head}.{key}"] = value.contiguous()
        given = inputs
        if head == "MultipleChoice":
            given = {key: value.reshape(1, BATCH, TIME) for key, value in inputs.items()}
            labels = dict(labels=torch.tensor([1]))
        elif head == "SequenceClassification":
            labels = dict(labels=torch.tensor([2, 0]))
        elif head == "TokenClassification":
            labels = dict(labels=torch.where(mask == 1, ids % config.num_labels, -100))
        else:
            labels = dict(start_positions=torch.tensor([2, 1]), end_positions=torch.tensor([7, 4]))
        run(own, head, given, labels)
    safetensors.torch.save_file(batch, folder / "batch.safetensors")
    safetensors.torch.save_file(tensors, folder / "heads.safetensors")
    (folder / "gradients.json").write_text(json.dumps(norms, indent=1) + "\n")
    (folder / "generation_config.json").unlink(missing_ok=True)
    for path in folder.iterdir():
        path.chmod(0o644)


for name, fields in models.items():
    if not sys.argv[1:] or name in sys.argv[1:]:
        make(name, fields)
(root / "recipe.json").write_text(
    json.dumps({"torch": torch.__version__, "transformers": transformers.__version__}, indent=2) + "\n"
)
