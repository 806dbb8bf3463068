"""Golden losses of preferences: TRL's DPOTrainer on random logits.

The loss function of DPOTrainer itself is called, with a model that returns given logits. Run from the repository's root:

    python scripts/golden/make-dpo-golden.py

It writes test/golden/dpo.json: logits of the model and the reference [2 B, T, V], token ids, masks of the answers; and for each
setting the loss, the rewards and the gradient of the logits. Trenio and its tests never need Python.
"""

import collections
import json
import pathlib
import types

import torch
from trl import DPOTrainer
from trl.trainer.utils import selective_log_softmax

torch.manual_seed(0)
B, T, V = 3, 6, 7
logits = torch.randn(2 * B, T, V).requires_grad_()
reference = torch.randn(2 * B, T, V)
ids = torch.randint(0, V, (2 * B, T))
mask = torch.tensor([[0, 0, 1, 1, 1, 1], [0, 0, 0, 1, 1, 0], [0, 1, 1, 1, 0, 0], [0, 0, 1, 0, 0, 0], [0, 0, 0, 1, 1, 1], [0, 1, 1, 1, 1, 1]])
logps = selective_log_softmax(reference[:, :-1], ids[:, 1:])
logps[mask[:, 1:] == 0] = 0
reference_logps = logps.sum(1)

same = lambda x: x
accelerator = types.SimpleNamespace(device="cpu", gather=same, gather_for_metrics=same)


class Model(torch.nn.Module):
    def forward(self, **_):
        return types.SimpleNamespace(logits=logits)


cases = []
for loss_type, beta, smoothing in [("sigmoid", 0.1, 0), ("sigmoid", 0.7, 0), ("hinge", 0.5, 0), ("ipo", 0.2, 0), ("robust", 0.3, 0.1), ("sigmoid_norm", 0.4, 0)]:
    model = Model()
    trainer = types.SimpleNamespace(
        accelerator=accelerator, model=model, aux_loss_enabled=False, ld_alpha=None, precompute_ref_logps=True, f_divergence_type="reverse_kl",
        loss_types=[loss_type], loss_weights=[1.0], beta=beta, label_smoothing=smoothing, use_weighting=False, args=types.SimpleNamespace(),
        _metrics={"train": collections.defaultdict(list)}, _total_train_tokens=0, _tp_size=1,
    )
    logits.grad = None
    inputs = dict(input_ids=ids, attention_mask=torch.ones_like(ids), completion_mask=mask, ref_chosen_logps=reference_logps[:B], ref_rejected_logps=reference_logps[B:])
    loss = DPOTrainer._compute_loss(trainer, model, inputs, return_outputs=False)
    loss.backward()
    metrics = trainer._metrics["train"]
    cases.append(dict(lossType=loss_type, beta=beta, labelSmoothing=smoothing, loss=loss.item(), gradient=logits.grad.flatten().tolist(),
                      chosenReward=metrics["rewards/chosen"][0], rejectedReward=metrics["rewards/rejected"][0]))
    print(loss_type, loss.item())

path = pathlib.Path(__file__).parents[2] / "test/golden/dpo.json"
path.write_text(json.dumps(dict(logits=logits.tolist(), reference=reference.tolist(), ids=ids.tolist(), mask=mask.tolist(), cases=cases)))
