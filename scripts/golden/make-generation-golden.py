"""Golden tokens: greedy and beam search on the tiny models of test/golden/decoders and gpt2-small, by Hugging Face transformers.

The oracle for `model.generate()`: prompts of several lengths in a batch, penalties, and each rule of beam search. Greedy cases in
which two tokens are so close that rounding decides are left out. Run from the repository's root, after make-decoder-golden.py:

    python scripts/golden/make-generation-golden.py

It writes test/golden/generation.json. Trenio and its tests never need Python.
"""

import json
import pathlib
import warnings

import torch
import transformers
from transformers import AutoModelForCausalLM

from family import open_family

warnings.filterwarnings("ignore")
transformers.logging.set_verbosity_error()
root = pathlib.Path(__file__).parents[2] / "test/golden"
torch.set_num_threads(1)

PAD = 0
settings = {
    "greedy": dict(max_new_tokens=14),
    "penalties": dict(max_new_tokens=12, repetition_penalty=1.5, min_new_tokens=5),
    "beams": dict(max_new_tokens=10, num_beams=3),
    "short beams": dict(max_new_tokens=12, num_beams=4, length_penalty=-1.0, early_stopping=True, num_return_sequences=2),
    "long beams": dict(max_new_tokens=9, num_beams=2, length_penalty=2.0, early_stopping="never"),
}
# Models differ in what they do at a position; what all rules of search do is tested with a few of them.
searched = {"llama", "gemma2", "gpt2-small"}


def prompts(vocabulary, lengths):
    rows = [torch.randint(3, vocabulary, (n,)).tolist() for n in lengths]
    width = max(lengths)
    return [[PAD] * (width - len(row)) + row for row in rows]


def ends(row, stops):
    """Up to the first token that ends it: what fills the rest is not part of the result."""
    for i, token in enumerate(row):
        if token in stops:
            return row[: i + 1]
    return row


@torch.no_grad()
def smallest_gap(model, ids, mask, new):
    """How far the best logit is from the second at the tokens that were chosen."""
    whole = torch.cat([mask, torch.ones_like(new)], 1)
    positions = {} if model.config.model_type == "bloom" else {"position_ids": (whole.cumsum(1) - 1).clamp(min=0)}
    logits = model(input_ids=torch.cat([ids, new], 1), attention_mask=whole, **positions).logits
    top = logits[:, ids.shape[1] - 1 : -1].topk(2, -1).values
    return (top[..., 0] - top[..., 1]).min().item()


def cases(name, folder):
    torch.manual_seed(7)
    model = AutoModelForCausalLM.from_pretrained(folder, attn_implementation="eager", dtype=torch.float32)
    model.config.output_router_logits = False
    vocabulary = model.config.vocab_size
    room = getattr(model.config, "n_positions", 1 << 20)
    for kind, options in settings.items():
        if kind not in ("greedy", "beams") and name not in searched:
            continue
        # The interpreter takes most of the time of the tests: a few tokens, but past the windows of 3 to 6 tokens.
        most = options["max_new_tokens"] if name in searched else {"greedy": 7, "beams": 5}[kind]
        options = {**options, "max_new_tokens": min(most, room - 9)}
        for lengths in ([5, 9, 3], [1]) if kind == "greedy" else ([6, 4],):
            # transformers 5.17 forgets the prompt where LongRoPE changes its factors, unless it has no cache.
            cache = name != "phi3"
            for attempt in range(20):
                ids = torch.tensor(prompts(vocabulary, lengths))
                mask = (torch.arange(ids.shape[1]) >= ids.shape[1] - torch.tensor(lengths)[:, None]).long()
                stops = [2, 5, 11] if "beams" in kind else [2]
                common = dict(input_ids=ids, attention_mask=mask, pad_token_id=PAD, eos_token_id=stops)
                common.update(do_sample=False, use_cache=cache)
                # The padding is a token of the prompt to transformers: a penalty would count it.
                if "repetition_penalty" in options and len(set(lengths)) > 1:
                    ids, mask = ids[:1], mask[:1]
                    common.update(input_ids=ids, attention_mask=mask)
                output = model.generate(**common, **options)
                if kind == "greedy" and smallest_gap(model, ids, mask, output[:, ids.shape[1] :]) < 1e-3:
                    continue
                break
            else:
                raise RuntimeError(f"{name}, {kind}: no prompts of which rounding does not decide the tokens")
            new = [ends(row, stops) for row in output[:, ids.shape[1] :].tolist()]
            yield dict(kind=kind, ids=ids.tolist(), mask=mask.tolist(), eos=stops, options=options, new=new)


folders = sorted(path for path in open_family("decoders", writes=False).iterdir() if path.is_dir())
folders.append(open_family("gpt2-small", writes=False))
result = {folder.name: list(cases(folder.name, folder)) for folder in folders}
text = json.dumps({"transformers": transformers.__version__, "cases": result}, separators=(",", ":"))
(root / "generation.json").write_text(text + "\n")
for name, each in result.items():
    print(name, [(case["kind"], [len(row) for row in case["new"]]) for case in each])
