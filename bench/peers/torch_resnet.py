# Training steps (SGD with momentum) of ResNet-18, written like torchvision's, in PyTorch: eager or compiled, images
# [N, C, H, W] or channels_last. A peer for bench/resnet.ts. With "check", prints the results of a
# small step instead: test/golden/resnet18.json.
import json

import torch
from protocol import serve, settings
from torch import nn

torch.manual_seed(0)
torch.set_num_threads(settings["threads"])


class Block(nn.Module):
    def __init__(self, inputs, planes, stride):
        super().__init__()
        self.conv1 = nn.Conv2d(inputs, planes, 3, stride, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(planes)
        self.relu = nn.ReLU(inplace=True)
        self.conv2 = nn.Conv2d(planes, planes, 3, 1, 1, bias=False)
        self.bn2 = nn.BatchNorm2d(planes)
        self.downsample = None
        if stride != 1 or inputs != planes:
            self.downsample = nn.Sequential(nn.Conv2d(inputs, planes, 1, stride, bias=False), nn.BatchNorm2d(planes))

    def forward(self, x):
        y = self.relu(self.bn1(self.conv1(x)))
        y = self.bn2(self.conv2(y))
        return self.relu(y + (x if self.downsample is None else self.downsample(x)))


class ResNet18(nn.Module):
    def __init__(self, classes=1000):
        super().__init__()
        self.conv1 = nn.Conv2d(3, 64, 7, 2, 3, bias=False)
        self.bn1 = nn.BatchNorm2d(64)
        self.relu = nn.ReLU(inplace=True)
        self.maxpool = nn.MaxPool2d(3, 2, 1)
        widths = [64, 64, 128, 256, 512]
        for i in range(1, 5):
            blocks = [Block(widths[i - 1], widths[i], 1 if i == 1 else 2), Block(widths[i], widths[i], 1)]
            setattr(self, f"layer{i}", nn.Sequential(*blocks))
        self.avgpool = nn.AdaptiveAvgPool2d(1)
        self.fc = nn.Linear(512, classes)
        for m in self.modules():
            if isinstance(m, nn.Conv2d):
                nn.init.kaiming_normal_(m.weight, mode="fan_out", nonlinearity="relu")

    def forward(self, x):
        x = self.maxpool(self.relu(self.bn1(self.conv1(x))))
        for layer in (self.layer1, self.layer2, self.layer3, self.layer4):
            x = layer(x)
        return self.fc(torch.flatten(self.avgpool(x), 1))


def train():
    batch, size = settings["batch"], settings["size"]
    form = torch.channels_last if settings["channelsLast"] else torch.contiguous_format
    model = ResNet18().train().to(memory_format=form)
    called = torch.compile(model) if settings["compile"] else model
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9, fused=True)
    images = torch.randn(batch, 3, size, size).to(memory_format=form)
    labels = torch.randint(0, 1000, (batch,))

    def step():
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(called(images), labels)
        loss.backward()
        optimizer.step()
        return loss.item()

    mode = ("compiled" if settings["compile"] else "eager") + (" channels_last" if settings["channelsLast"] else "")
    serve(f"PyTorch {torch.__version__.split('+')[0]} {mode}", step)


def pattern(count, phase, scale):
    """Numbers without structure that both sides can make, in [-scale, scale): whole numbers mixed modulo a prime."""
    i = torch.arange(count, dtype=torch.int64) + 7 * phase
    return ((i * i * 7919 + i * 104729) % 20011).double().div(10005.5).sub(1).mul(scale).float()


def check():
    """Logits, loss, and each gradient's norm and product with a pattern, of a small step with weights made by formula."""
    model = ResNet18(settings["classes"]).train()
    with torch.no_grad():
        for i, p in enumerate(model.parameters()):
            if p.dim() == 1:
                p.copy_(pattern(p.numel(), i, 0.2) + (1 if i % 3 == 1 else 0))
            else:
                p.copy_(pattern(p.numel(), i, (6 / p[0].numel()) ** 0.5).reshape(p.shape))
    batch, size = settings["batch"], settings["size"]
    images = pattern(batch * 3 * size * size, 3, 1).reshape(batch, 3, size, size)
    logits = model(images)
    loss = nn.functional.cross_entropy(logits, torch.arange(batch) % settings["classes"])
    loss.backward()
    gradients = {
        name: [p.grad.double().norm().item(), (p.grad.double().flatten() * pattern(p.numel(), 1, 1).double()).sum().item()]
        for name, p in model.named_parameters()
    }
    running = model.layer4[1].bn2
    print(json.dumps({
        "settings": {k: settings[k] for k in ("batch", "size", "classes")},
        "torch": torch.__version__.split("+")[0],
        "logits": logits.flatten().tolist(),
        "loss": loss.item(),
        "gradients": gradients,
        "runningMean": running.running_mean.tolist()[:8],
        "runningVar": running.running_var.tolist()[:8],
    }))


if __name__ == "__main__":
    check() if settings.get("check") else train()
