"""Golden tokens: greedy and beam search of the tiny encoder-decoders of test/golden/seq2seq, by Hugging Face transformers.

The oracle for `generate()` of encoder-decoders: sources of several lengths in a batch, forced and excluded tokens, the languages and
tasks of Whisper. Greedy cases in which two tokens are so close that rounding decides are left out. Run from the repository's root,
after make-seq2seq-golden.py:

    python scripts/golden/make-seq2seq-generation-golden.py

It writes test/golden/seq2seq-generation.json. Trenio and its tests never need Python.
"""

import json
import pathlib
import warnings

import torch
import transformers
from transformers import AutoModelForSeq2SeqLM, AutoModelForSpeechSeq2Seq, GenerationConfig

from family import open_family

warnings.filterwarnings("ignore")
transformers.logging.set_verbosity_error()
root = pathlib.Path(__file__).parents[2] / "test/golden"
models = open_family("seq2seq", writes=False)
torch.set_num_threads(1)

text_settings = {
    "greedy": dict(max_new_tokens=10),
    "continued": dict(max_new_tokens=6, decoder_input_ids=[[7, 8, 9]]),
    "adjusted": dict(
        max_new_tokens=9, repetition_penalty=1.3, no_repeat_ngram_size=2, forced_bos_token_id=6, forced_eos_token_id=9,
        suppress_tokens=[20, 21, 22], begin_suppress_tokens=[30, 31], min_new_tokens=4,
    ),
    "beams": dict(max_new_tokens=8, num_beams=3),
    "forced beams": dict(
        max_length=9, num_beams=4, length_penalty=2.0, early_stopping=True, num_return_sequences=2, no_repeat_ngram_size=3,
        min_length=4, forced_bos_token_id=5, forced_eos_token_id=11,
    ),
}
languages = {
    "is_multilingual": True, "lang_to_id": {"<|en|>": 10, "<|fr|>": 11, "<|de|>": 12}, "task_to_id": {"transcribe": 14, "translate": 15},
    "no_timestamps_token_id": 39, "suppress_tokens": [3, 4, 5, 20, 21], "begin_suppress_tokens": [6, 7],
    "forced_decoder_ids": [[1, None], [2, 14]],
}
english = {"forced_decoder_ids": [[1, 39]], "no_timestamps_token_id": 39, "begin_suppress_tokens": [8]}
audio_settings = {
    "plain": (dict(), dict(max_new_tokens=6)),
    "English only": (english, dict(max_new_tokens=6)),
    "detected": (languages, dict(max_new_tokens=5)),
    "named": (languages, dict(max_new_tokens=5, language="fr")),
    "translated beams": (languages, dict(max_new_tokens=5, language="de", task="translate", num_beams=3)),
}


def ends(row, stops):
    for i, token in enumerate(row):
        if token in stops:
            return row[: i + 1]
    return row


@torch.no_grad()
def text_cases(name):
    torch.manual_seed(7)
    model = AutoModelForSeq2SeqLM.from_pretrained(models / name, attn_implementation="eager", dtype=torch.float32)
    pad = model.config.pad_token_id
    for kind, options in text_settings.items():
        stops = [1] if "beams" not in kind else [1, 13, 14, 15]
        lengths = [9] if "decoder_input_ids" in options else [9, 5]
        mask = (torch.arange(9) < torch.tensor(lengths)[:, None]).long()
        best = None
        for _ in range(60):
            ids = torch.where(mask == 1, torch.randint(3, 40, mask.shape), pad)
            given = {key: torch.tensor(value) if key == "decoder_input_ids" else value for key, value in options.items()}
            output = model.generate(
                input_ids=ids, attention_mask=mask, eos_token_id=stops, pad_token_id=pad, do_sample=False,
                output_scores=True, return_dict_in_generate=True, **given,
            )
            gaps = [one.nan_to_num(neginf=-1e9).topk(2, -1).values for one in output.scores]
            if "beams" not in kind and min((gap[:, 0] - gap[:, 1]).min().item() for gap in gaps) < 1e-4:
                continue
            # Of the results, the one with the most different tokens.
            variety = output.sequences.unique().numel()
            if best is None or variety > best[0]:
                best = (variety, ids, output)
        _, ids, output = best
        sequences = output.sequences.tolist()
        skip = 1 if "decoder_input_ids" not in options else 4
        yield dict(kind=kind, ids=ids.tolist(), mask=mask.tolist(), eos=stops, options=options, skip=skip, new=[ends(row[skip:], stops) for row in sequences])


@torch.no_grad()
def audio_cases(name):
    torch.manual_seed(7)
    model = AutoModelForSpeechSeq2Seq.from_pretrained(models / name, attn_implementation="eager", dtype=torch.float32)
    for kind, (fields, options) in audio_settings.items():
        base = dict(eos_token_id=1, pad_token_id=1, decoder_start_token_id=2, max_length=12)
        model.generation_config = GenerationConfig(**base, **fields)
        features = (torch.randn(2, 6, 20) * 100).round() / 100
        output = model.generate(input_features=features, do_sample=False, force_unique_generate_call=True, **options)
        yield dict(kind=kind, features=features.reshape(-1).tolist(), config={**base, **fields}, options=options, new=[ends(row, [1]) for row in output.tolist()])


result = {name: list(text_cases(name)) for name in ("t5", "t5-gated", "bart")}
result["whisper"] = list(audio_cases("whisper"))
text = json.dumps({"transformers": transformers.__version__, "cases": result}, separators=(",", ":"))
(root / "seq2seq-generation.json").write_text(text + "\n")
for name, each in result.items():
    print(name, [(case["kind"], case["new"]) for case in each])
