"""Golden values of losses: distillation and contrastive embeddings, with PyTorch.

The formulas are those of Hugging Face's distillation examples, and of Pooling and MultipleNegativesRankingLoss in
sentence-transformers. Run from the repository's root: `python scripts/golden/make-losses-golden.py`. It writes test/golden/losses.json.
"""

import json
import pathlib

import torch
import torch.nn.functional as F

torch.manual_seed(11)
rounded = lambda *shape: ((torch.randn(*shape) * 100).round() / 100).requires_grad_()


def case(value, inputs, **rest):
    value.backward()
    return dict(loss=value.item(), gradients=[one.grad.tolist() for one in inputs], **rest)


student, teacher = rounded(2, 3, 5), rounded(2, 3, 5)
labels = torch.tensor([[1, 4, -100], [0, -100, 2]])
T, alpha = 3.0, 0.7
keep = labels.reshape(-1) != -100
s, t = student.reshape(-1, 5)[keep], teacher.detach().reshape(-1, 5)[keep]
kl = F.kl_div(F.log_softmax(s / T, -1), F.softmax(t / T, -1), reduction="batchmean") * T * T
loss = alpha * kl + (1 - alpha) * F.cross_entropy(s, labels.reshape(-1)[keep])
distillation = case(loss, [student], student=student.tolist(), teacher=teacher.tolist(), labels=labels.tolist(), options=dict(temperature=T, alpha=alpha))

hidden, mask = rounded(3, 4, 6), torch.tensor([[1, 1, 1, 1], [1, 1, 0, 0], [0, 1, 1, 0]])
m = mask[:, :, None].float()
pooled = {
    "mean": (hidden * m).sum(1) / m.sum(1).clamp(min=1e-9),
    "cls": hidden[:, 0],
    "max": hidden.masked_fill(m == 0, -1e9).max(1).values,
    "lasttoken": torch.stack([row[int(one.nonzero().max())] for row, one in zip(hidden, mask)]),
}
a, b = rounded(3, 6), rounded(5, 6)
scores = F.normalize(a, dim=-1) @ F.normalize(b, dim=-1).T * 20
own = torch.arange(3)
plain = case(F.cross_entropy(scores, own), [a, b], options={})
a.grad = b.grad = None
dots = a @ b.T * 0.5
both = case((F.cross_entropy(dots, own) + F.cross_entropy(dots[:, :3].T, own)) / 2, [a, b], options=dict(scale=0.5, similarity="dot", isSymmetric=True))
text = json.dumps({
    "distillation": distillation,
    "pooling": dict(hidden=hidden.tolist(), mask=mask.tolist(), pooled={key: value.tolist() for key, value in pooled.items()}),
    "contrastive": dict(anchors=a.tolist(), candidates=b.tolist(), cases=[plain, both]),
})
(pathlib.Path(__file__).parents[2] / "test/golden/losses.json").write_text(text + "\n")
