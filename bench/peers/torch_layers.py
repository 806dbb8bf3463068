# One training step of a small model of one kind of layer in PyTorch, for bench/layers.ts.
import torch
from torch import nn

from protocol import serve, settings

torch.set_num_threads(settings["threads"])


class Last(nn.Module):
    """The outputs of a recurrent network alone."""

    def __init__(self, rnn):
        super().__init__()
        self.rnn = rnn

    def forward(self, x):
        return self.rnn(x)[0]


models = {
    "lstm": (lambda: Last(nn.LSTM(64, 128)), (32, 16, 64)),
    "gru": (lambda: Last(nn.GRU(64, 128)), (32, 16, 64)),
    "rnn": (lambda: Last(nn.RNN(64, 128)), (32, 16, 64)),
    "conv1d": (lambda: nn.Sequential(nn.Conv1d(32, 64, 5, padding=2), nn.ReLU(), nn.Conv1d(64, 64, 5, padding=2)), (16, 32, 256)),
    "groupnorm": (lambda: nn.Sequential(nn.Conv2d(16, 32, 3, padding=1), nn.GroupNorm(8, 32), nn.SiLU()), (8, 16, 32, 32)),
    "rmsnorm": (lambda: nn.Sequential(nn.Linear(256, 256), nn.RMSNorm(256), nn.SiLU(), nn.Linear(256, 256)), (512, 256)),
}
build, shape = models[settings["model"]]
torch.manual_seed(0)
model = build()
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
x = torch.randn(shape)


def forward_loss():
    return model(x).square().mean()


compute = torch.compile(forward_loss) if settings["compile"] else forward_loss


def step():
    optimizer.zero_grad()
    loss = compute()
    loss.backward()
    optimizer.step()
    return loss.detach().item()


serve(f"PyTorch {torch.__version__} {'compiled' if settings['compile'] else 'eager'}", step)
