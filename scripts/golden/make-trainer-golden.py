"""Golden vectors: the logs and the last weights of transformers' Trainer on a tiny model, with the data in its given order.

The oracle for Trenio's Trainer: accumulation, clipping, weight decay, schedules, evaluation. Run from the repository's root:

    python scripts/golden/make-trainer-golden.py

It writes test/golden/trainer.json. Trenio and its tests never need Python.
"""

import json
import pathlib
import tempfile
import warnings

import torch
import transformers
from transformers import Trainer, TrainingArguments

warnings.filterwarnings("ignore")
root = pathlib.Path(__file__).parents[2] / "test/golden"
torch.manual_seed(3)
x = (torch.randn(18, 3) * 100).round() / 100
y = torch.randint(0, 2, (18,))
weight = (torch.randn(2, 3) * 10).round() / 10


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(3, 2)
        with torch.no_grad():
            self.linear.weight.copy_(weight)
            self.linear.bias.zero_()

    def forward(self, x, labels):
        logits = self.linear(x)
        return {"loss": torch.nn.functional.cross_entropy(logits, labels), "logits": logits}


class InOrder(Trainer):
    def _get_train_sampler(self, dataset=None):
        return torch.utils.data.SequentialSampler(self.train_dataset)


data = [{"x": a, "labels": b} for a, b in zip(x, y)]
cases = []
for options in (
    dict(num_train_epochs=3, per_device_train_batch_size=2, gradient_accumulation_steps=3, learning_rate=0.1, weight_decay=0.3,
         warmup_steps=2, logging_steps=2, eval_steps=3),
    dict(max_steps=5, per_device_train_batch_size=6, learning_rate=0.05, lr_scheduler_type="cosine", max_grad_norm=0.05,
         logging_steps=1, adam_beta2=0.95),
):
    model = Model()
    with tempfile.TemporaryDirectory() as folder:
        args = TrainingArguments(
            folder, report_to=[], save_strategy="no", use_cpu=True, disable_tqdm=True, logging_nan_inf_filter=False,
            eval_strategy="steps" if "eval_steps" in options else "no", per_device_eval_batch_size=5, **options,
        )
        trainer = InOrder(
            model, args, train_dataset=data, eval_dataset=data[:7],
            compute_metrics=lambda p: {"accuracy": float((p.predictions.argmax(-1) == p.label_ids).mean())},
        )
        result = trainer.train()
    history = [
        {key: value for key, value in entry.items() if key in ("loss", "learning_rate", "eval_loss", "eval_accuracy", "step", "epoch")}
        for entry in trainer.state.log_history if "train_runtime" not in entry
    ]
    cases.append(dict(options=options, history=history, training_loss=result.training_loss, weight=model.linear.weight.tolist(), bias=model.linear.bias.tolist()))
text = json.dumps({"transformers": transformers.__version__, "x": x.tolist(), "y": y.tolist(), "weight": weight.tolist(), "cases": cases}, indent=1)
(root / "trainer.json").write_text(text + "\n")
print(text[-2500:])
