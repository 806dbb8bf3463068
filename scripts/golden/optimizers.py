"""Writes test/golden/pytorch/optimizers.json and schedulers.json: what PyTorch computes with its optimizers and schedulers,
and what plain references of the papers compute where PyTorch has none (LAMB, Lion, AdamW with 8-bit moments).

    python scripts/golden/optimizers.py        # torch 2.13
"""

import json
import math
import pathlib

import torch
from torch.optim import lr_scheduler as S
from torch.optim.swa_utils import SWALR

torch.set_num_threads(1)
OUT = pathlib.Path(__file__).parents[2] / "test/golden/pytorch"


def start(shapes):
    """Parameters and gradients that both sides compute with sines, in float64, and round to f32."""
    count = 0
    made = []
    for shape in shapes:
        n = math.prod(shape)
        values = [math.sin(1.3 * (count + i) + 0.7) for i in range(n)]
        made.append(torch.tensor(values, dtype=torch.float64).float().reshape(shape).requires_grad_())
        count += n
    return made


def gradient(step, index, shape):
    n = math.prod(shape)
    values = [math.cos(0.9 * i + 0.37 * step * (index + 1)) * (0.2 + 0.1 * ((i + step) % 5)) for i in range(n)]
    return torch.tensor(values, dtype=torch.float64).float().reshape(shape)


class LAMB(torch.optim.Optimizer):
    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-6, weight_decay=0.01, maximize=False):
        super().__init__(params, dict(lr=lr, betas=betas, eps=eps, weight_decay=weight_decay, maximize=maximize))

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            b1, b2 = group["betas"]
            for p in group["params"]:
                g = -p.grad if group["maximize"] else p.grad
                s = self.state[p]
                t = s["step"] = s.get("step", 0) + 1
                m = s.setdefault("m", torch.zeros_like(p))
                v = s.setdefault("v", torch.zeros_like(p))
                m.mul_(b1).add_(g, alpha=1 - b1)
                v.mul_(b2).addcmul_(g, g, value=1 - b2)
                u = (m / (1 - b1**t)) / ((v / (1 - b2**t)).sqrt() + group["eps"]) + group["weight_decay"] * p
                ratio = p.norm() / u.norm() if p.norm() > 0 and u.norm() > 0 else 1.0
                p.sub_(group["lr"] * ratio * u)


class Lion(torch.optim.Optimizer):
    def __init__(self, params, lr=1e-4, betas=(0.9, 0.99), weight_decay=0.0, maximize=False):
        super().__init__(params, dict(lr=lr, betas=betas, weight_decay=weight_decay, maximize=maximize))

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            b1, b2 = group["betas"]
            for p in group["params"]:
                g = -p.grad if group["maximize"] else p.grad
                m = self.state[p].setdefault("m", torch.zeros_like(p))
                p.mul_(1 - group["lr"] * group["weight_decay"])
                p.sub_(group["lr"] * torch.sign(b1 * m + (1 - b1) * g))
                m.mul_(b2).add_(g, alpha=1 - b2)


def dynamic_table(signed):
    """The dynamic tree type with 8 bits (Dettmers, 2015): seven decades, evenly spaced codes in each, and 0 and 1."""
    values = [0.0, 1.0]
    for decade in range(7):
        count = 2**decade if signed else 2 ** (decade + 1)
        edges = torch.linspace(0.1, 1, count + 1, dtype=torch.float64)
        middle = (edges[:-1] + edges[1:]) / 2 * 10.0 ** (decade - 6)
        values += middle.tolist()
        if signed:
            values += (-middle).tolist()
    assert len(values) == 256
    return torch.tensor(sorted(values), dtype=torch.float64)


class AdamW8bit(torch.optim.Optimizer):
    """AdamW with moments stored as codes in blocks of 256 (Dettmers et al., 2022); small parameters in f32."""

    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.01, min_8bit_size=4096):
        super().__init__(params, dict(lr=lr, betas=betas, eps=eps, weight_decay=weight_decay, size=min_8bit_size))

    @staticmethod
    def stored(x, signed):
        flat = torch.nn.functional.pad(x.reshape(-1), (0, -x.numel() % 256)).reshape(-1, 256).double()
        absmax = flat.abs().amax(1, keepdim=True).float().double()
        table = dynamic_table(signed)
        codes = (flat / absmax.clamp(min=1e-38)).unsqueeze(-1).sub(table).abs().argmin(-1)
        return (table[codes] * absmax).float().reshape(-1)[: x.numel()].reshape(x.shape), codes

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            b1, b2 = group["betas"]
            for p in group["params"]:
                s = self.state[p]
                t = s["step"] = s.get("step", 0) + 1
                m = s.get("m", torch.zeros_like(p))
                v = s.get("v", torch.zeros_like(p))
                m = b1 * m + (1 - b1) * p.grad
                v = b2 * v + (1 - b2) * p.grad**2
                p.mul_(1 - group["lr"] * group["weight_decay"])
                p.sub_(group["lr"] / (1 - b1**t) * m / (v.sqrt() / math.sqrt(1 - b2**t) + group["eps"]))
                if p.numel() >= group["size"]:
                    m, s["codes1"] = self.stored(m, True)
                    v, s["codes2"] = self.stored(v, False)
                s["m"], s["v"] = m, v


def camel(name):
    head, *rest = name.split("_")
    return head.lower() + "".join(part.capitalize() for part in rest) if rest else name[0].lower() + name[1:]


SMALL = [(3, 4), (5,), ()]
MATRICES = [(4, 6), (6, 3)]
CASES = [
    ("SGD", torch.optim.SGD, SMALL, [dict(lr=0.1), dict(lr=0.1, momentum=0.9, weight_decay=0.05, nesterov=True), dict(lr=0.1, momentum=0.9, dampening=0.3, maximize=True)]),
    ("Adam", torch.optim.Adam, SMALL, [dict(lr=0.05), dict(lr=0.05, amsgrad=True, weight_decay=0.1), dict(lr=0.05, maximize=True, betas=(0.5, 0.9))]),
    ("AdamW", torch.optim.AdamW, SMALL, [dict(lr=0.05), dict(lr=0.05, amsgrad=True, weight_decay=0.2, maximize=True)]),
    ("RMSprop", torch.optim.RMSprop, SMALL, [dict(lr=0.01), dict(lr=0.01, momentum=0.9, centered=True, weight_decay=0.1), dict(lr=0.01, centered=True, maximize=True), dict(lr=0.01, momentum=0.5, alpha=0.8)]),
    ("Adagrad", torch.optim.Adagrad, SMALL, [dict(lr=0.1), dict(lr=0.1, lr_decay=0.1, weight_decay=0.1, initial_accumulator_value=0.3), dict(lr=0.1, maximize=True)]),
    ("Adadelta", torch.optim.Adadelta, SMALL, [dict(), dict(lr=0.5, rho=0.8, weight_decay=0.1, maximize=True)]),
    ("Adamax", torch.optim.Adamax, SMALL, [dict(lr=0.05), dict(lr=0.05, weight_decay=0.1, betas=(0.7, 0.9)), dict(lr=0.05, maximize=True)]),
    ("NAdam", torch.optim.NAdam, SMALL, [dict(lr=0.05), dict(lr=0.05, weight_decay=0.1, momentum_decay=0.1), dict(lr=0.05, weight_decay=0.1, decoupled_weight_decay=True, maximize=True)]),
    ("RAdam", torch.optim.RAdam, SMALL, [dict(lr=0.05), dict(lr=0.05, weight_decay=0.1, betas=(0.8, 0.95)), dict(lr=0.05, weight_decay=0.1, decoupled_weight_decay=True, maximize=True)]),
    ("ASGD", torch.optim.ASGD, SMALL, [dict(lr=0.1), dict(lr=0.1, t0=4, lambd=0.05, alpha=0.6, weight_decay=0.1), dict(lr=0.1, maximize=True)]),
    ("Rprop", torch.optim.Rprop, SMALL, [dict(lr=0.05), dict(lr=0.05, etas=(0.4, 1.5), step_sizes=(0.01, 0.2), maximize=True)]),
    ("Adafactor", torch.optim.Adafactor, [(3, 4), (5,), (2, 3, 4)], [dict(lr=0.1), dict(lr=0.1, weight_decay=0.1, beta2_decay=-0.5, d=2.0, maximize=True), dict(lr=0.5, eps=(1e-4, 0.1))]),
    ("Muon", torch.optim.Muon, MATRICES, [dict(lr=0.02), dict(lr=0.02, nesterov=False, momentum=0.8, weight_decay=0.3), dict(lr=0.02, adjust_lr_fn="match_rms_adamw", ns_steps=3)]),
    ("LAMB", LAMB, SMALL, [dict(lr=0.05), dict(lr=0.05, weight_decay=0.0, betas=(0.8, 0.95)), dict(lr=0.05, maximize=True)]),
    ("Lion", Lion, SMALL, [dict(lr=0.01), dict(lr=0.01, weight_decay=0.3, betas=(0.8, 0.95), maximize=True)]),
    ("AdamW8bit", AdamW8bit, [(5,), (20, 30)], [dict(lr=0.05, min_8bit_size=256), dict(lr=0.05, weight_decay=0.1)]),
]


def optimizers(steps=10):
    cases = []
    for name, make, shapes, settings in CASES:
        for setting in settings:
            params = start(shapes)
            optimizer = make(params, **setting)
            seen = []
            for step in range(steps):
                for index, p in enumerate(params):
                    p.grad = gradient(step, index, p.shape)
                optimizer.step()
                # Of large parameters every seventh element.
                seen.append([v for p in params for v in p.detach().reshape(-1)[:: 1 if p.numel() < 100 else 7].tolist()])
            options = {camel(k): v for k, v in setting.items()}
            cases.append({"optimizer": name, "options": options, "shapes": shapes, "steps": [[float(f"{v:.8g}") for v in s] for s in seen]})
    return {"torch": torch.__version__.split("+")[0], "cases": cases, "lbfgs": lbfgs(), "tables": tables()}


def tables():
    return {"signed": dynamic_table(True).tolist(), "unsigned": dynamic_table(False).tolist()}


def lbfgs():
    """Rosenbrock's valley in four dimensions, in two parameters."""
    cases = []
    for setting in [dict(lr=0.001, max_iter=4), dict(line_search_fn="strong_wolfe", max_iter=5), dict(line_search_fn="strong_wolfe", history_size=3, lr=0.8), dict(lr=0.002, max_iter=6, history_size=2)]:
        a = torch.tensor([-1.2, 1.0], requires_grad=True)
        b = torch.tensor([0.5, -0.7], requires_grad=True)
        optimizer = torch.optim.LBFGS([a, b], **setting)

        def closure():
            optimizer.zero_grad()
            x = torch.cat([a, b])
            loss = (100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2).sum()
            loss.backward()
            return loss

        seen = []
        for _ in range(8):
            loss = optimizer.step(closure)
            state = optimizer.state[a]
            seen.append({"loss": loss.item(), "x": torch.cat([a, b]).tolist(), "evaluations": state["func_evals"], "iterations": state["n_iter"]})
        cases.append({"options": {camel(k): v for k, v in setting.items()}, "steps": seen})
    return cases


def schedulers():
    cases = []
    # name, options, steps, settings of the optimizer; options of lists are schedulers themselves
    plain = [
        ("StepLR", dict(step_size=3, gamma=0.5), 12),
        ("MultiStepLR", dict(milestones=[2, 5, 5, 9], gamma=0.3), 12),
        ("ConstantLR", dict(factor=0.25, total_iters=4), 8),
        ("ConstantLR", dict(), 8),
        ("LinearLR", dict(start_factor=0.1, end_factor=0.8, total_iters=6), 10),
        ("LinearLR", dict(), 8),
        ("ExponentialLR", dict(gamma=0.9), 10),
        ("PolynomialLR", dict(total_iters=7, power=2.0), 10),
        ("PolynomialLR", dict(), 8),
        ("CosineAnnealingLR", dict(T_max=7, eta_min=0.01), 20),
        ("CosineAnnealingLR", dict(T_max=10), 11),
        ("CosineAnnealingWarmRestarts", dict(T_0=3, T_mult=2, eta_min=0.005), 24),
        ("CosineAnnealingWarmRestarts", dict(T_0=4), 10),
        ("CyclicLR", dict(base_lr=0.01, max_lr=0.1, step_size_up=3, step_size_down=5), 20),
        ("CyclicLR", dict(base_lr=0.01, max_lr=0.1, step_size_up=4, mode="triangular2"), 20),
        ("CyclicLR", dict(base_lr=[0.01, 0.02], max_lr=[0.1, 0.3], step_size_up=4, mode="exp_range", gamma=0.97, cycle_momentum=False), 20),
        ("OneCycleLR", dict(max_lr=0.5, total_steps=15), 15),
        ("OneCycleLR", dict(max_lr=[0.5, 0.7], epochs=4, steps_per_epoch=5, three_phase=True, pct_start=0.4, anneal_strategy="linear", div_factor=10.0, final_div_factor=100.0), 20),
        ("OneCycleLR", dict(max_lr=0.5, total_steps=12, cycle_momentum=False), 12),
        ("SWALR", dict(swa_lr=0.02, anneal_epochs=5), 8),
        ("SWALR", dict(swa_lr=[0.02, 0.3], anneal_epochs=4, anneal_strategy="linear"), 8),
        ("SWALR", dict(swa_lr=0.02, anneal_epochs=0), 4),
        ("LambdaLR", dict(), 8),
        ("MultiplicativeLR", dict(), 8),
        ("SequentialLR", dict(schedulers=[["LinearLR", dict(start_factor=0.1, total_iters=4)], ["CosineAnnealingLR", dict(T_max=8)]], milestones=[4]), 14),
        ("SequentialLR", dict(schedulers=[["ConstantLR", dict(factor=0.1, total_iters=2)], ["ExponentialLR", dict(gamma=0.9)], ["StepLR", dict(step_size=2)]], milestones=[2, 6]), 14),
        ("ChainedScheduler", dict(schedulers=[["ConstantLR", dict(factor=0.1, total_iters=3)], ["ExponentialLR", dict(gamma=0.9)]]), 8),
    ]
    kinds = {**{k: getattr(S, k) for k in dir(S)}, "SWALR": SWALR}

    def build(name, options, optimizer):
        kind = kinds[name]
        if name == "LambdaLR":
            return kind(optimizer, [lambda t: 0.95**t, lambda t: 1 / (1 + t)])
        if name == "MultiplicativeLR":
            return kind(optimizer, lambda t: 0.9 + 0.01 * t)
        if name in ("SequentialLR", "ChainedScheduler"):
            parts = [build(n, o, optimizer) for n, o in options["schedulers"]]
            return kind(optimizer, parts, options["milestones"]) if name == "SequentialLR" else kind(parts, optimizer)
        return kind(optimizer, **options)

    for kind in ("SGD", "Adam"):
        for name, options, steps in plain:
            if kind == "Adam" and name not in ("CyclicLR", "OneCycleLR"):
                continue
            a, b = torch.zeros(1, requires_grad=True), torch.zeros(1, requires_grad=True)
            groups = [{"params": [a], "lr": 0.1}, {"params": [b], "lr": 0.3}]
            optimizer = torch.optim.SGD(groups, momentum=0.9) if kind == "SGD" else torch.optim.Adam(groups)
            scheduler = build(name, options, optimizer)
            rates, momenta = [], []
            for step in range(steps):
                optimizer.step()
                rates.append([g["lr"] for g in optimizer.param_groups])
                momenta.append([g["momentum"] if kind == "SGD" else g["betas"][0] for g in optimizer.param_groups])
                if step < steps - 1:
                    scheduler.step()
            given = {"tMax" if k == "T_max" else "t0" if k == "T_0" else "tMult" if k == "T_mult" else camel(k): v for k, v in options.items()}
            if "schedulers" in given:
                given["schedulers"] = [[n, {"tMax" if k == "T_max" else camel(k): v for k, v in o.items()}] for n, o in given["schedulers"]]
            cases.append({"optimizer": kind, "scheduler": name, "options": given, "rates": rates, "momenta": momenta})
    metrics = [1.0, 0.9, 0.91, 0.92, 0.9, 0.905, 0.5, 0.51, 0.6, 0.7, 0.55, 0.52, 0.8, 0.9, 0.9, 0.9]
    for options in [dict(patience=1), dict(mode="max", patience=2, factor=0.5, threshold_mode="abs", threshold=0.05), dict(patience=0, cooldown=2, min_lr=[0.02, 0.05], factor=0.3), dict(patience=0, factor=0.5, eps=0.02, threshold=0.2)]:
        a, b = torch.zeros(1, requires_grad=True), torch.zeros(1, requires_grad=True)
        optimizer = torch.optim.SGD([{"params": [a], "lr": 0.1}, {"params": [b], "lr": 0.3}])
        scheduler = S.ReduceLROnPlateau(optimizer, **options)
        rates = []
        for metric in metrics:
            scheduler.step(metric)
            rates.append(scheduler.get_last_lr())
        cases.append({"optimizer": "SGD", "scheduler": "ReduceLROnPlateau", "options": {camel(k): v for k, v in options.items()}, "metrics": metrics, "rates": [list(r) for r in rates]})
    return {"torch": torch.__version__.split("+")[0], "cases": cases}


OUT.mkdir(parents=True, exist_ok=True)
for name, data in [("optimizers", optimizers()), ("schedulers", schedulers())]:
    (OUT / f"{name}.json").write_text(json.dumps(data, separators=(",", ":")) + "\n")
