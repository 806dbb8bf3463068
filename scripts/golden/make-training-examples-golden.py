"""Golden training examples: tokens and masks of TRL's SFTTrainer, packing of TRL's pack_dataset.

Run from the repository's root, after make-auto-tokenizer-golden.py:

    python scripts/golden/make-training-examples-golden.py

It writes test/golden/training-examples.json: rows with their ids and labels for tokenizers of test/golden/tokenizers, and packed
sequences. Trenio and its tests never need Python.
"""

import json
import pathlib
import tempfile

from datasets import Dataset
from transformers import AutoModelForCausalLM, AutoTokenizer
from trl import SFTConfig, SFTTrainer, pack_dataset

from family import open_family

root = pathlib.Path(__file__).parents[2] / "test/golden"
tokenizers = open_family("tokenizers", writes=False)
decoders = open_family("decoders", writes=False)
user = lambda text: {"role": "user", "content": text}
assistant = lambda text: {"role": "assistant", "content": text}
rows = {
    "chat": [
        {"prompt": [user("Hi")], "completion": [assistant("Hello!")]},
        {"prompt": [{"role": "system", "content": "Be brief."}, user("Why?"), assistant("So."), user("Really?")], "completion": [assistant("Yes, 12.5 %.")]},
    ],
    "messages": [{"messages": [user("Hi"), assistant("Hello there"), user("Bye"), assistant("Good bye")]}],
    "plain": [{"prompt": "The capital of France is", "completion": " Paris."}, {"prompt": "1 + 1 =", "completion": " 2"}],
    "text": [{"text": "Once upon a time"}, {"text": "naïve 🙂"}],
}
kinds = [("llama3", "chat"), ("qwen", "chat"), ("llama3", "messages"), ("llama3", "plain"), ("llama2", "plain"), ("qwen", "text"), ("gpt2", "plain")]
cases = []
for name, kind in kinds:
    tokenizer = AutoTokenizer.from_pretrained(tokenizers / name)
    if tokenizer.pad_token is None:
        tokenizer.pad_token = tokenizer.eos_token
    with tempfile.TemporaryDirectory() as directory:
        trainer = SFTTrainer(
            model=AutoModelForCausalLM.from_pretrained(decoders / "llama"),
            args=SFTConfig(output_dir=directory, report_to="none", use_cpu=True, max_length=None),
            train_dataset=Dataset.from_list(rows[kind]),
            processing_class=tokenizer,
        )
        batch = trainer.data_collator(list(trainer.train_dataset))
    for i, row in enumerate(rows[kind]):
        length = int(batch["attention_mask"][i].sum())
        cases.append(dict(tokenizer=name, row=row, ids=batch["input_ids"][i][:length].tolist(), labels=batch["labels"][i][:length].tolist()))

lengths = [5, 3, 9, 1, 4, 4, 2, 7, 3, 12, 6, 1, 2]
examples = [list(range(100 * i, 100 * i + n)) for i, n in enumerate(lengths)]
packed = pack_dataset(Dataset.from_dict({"input_ids": examples}), seq_length=10, strategy="bfd")["input_ids"]
(root / "training-examples.json").write_text(json.dumps(dict(cases=cases, examples=examples, packed=list(packed))))
