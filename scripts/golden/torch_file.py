# The files of torch.save in test/golden/torch-files.tar (torch 2.13.0).
import os
import torch

from family import open_family

os.chdir(open_family('torch-files'))
torch.manual_seed(0)
inputs = torch.randn(8, 5, 4)
makers = {
    'adamw': lambda p: torch.optim.AdamW(p, lr=0.01, betas=(0.8, 0.99), weight_decay=0.1, amsgrad=True),
    'sgd': lambda p: torch.optim.SGD(p, lr=0.05, momentum=0.9, nesterov=True),
}
for name, make in makers.items():
    model = torch.nn.Linear(4, 3)
    optimizer = make([{'params': [model.weight]}, {'params': [model.bias], 'lr': 0.02}])

    def step(x):
        optimizer.zero_grad()
        model(x).square().mean().backward()
        optimizer.step()

    for x in inputs[:5]:
        step(x)
    torch.save({'model': model.state_dict(), 'optimizer': optimizer.state_dict(), 'epoch': 5}, f'{name}.pt')
    for x in inputs[5:]:
        step(x)
    torch.save({'inputs': inputs[5:], 'model': model.state_dict()}, f'{name}-after.pt')
base = torch.arange(24, dtype=torch.float32)
torch.save({
    'base': base, 'view': base.view(2, 3, 4).transpose(0, 2)[1:], 'row': base[4:8],
    'half': torch.tensor([1.5, -2], dtype=torch.float16), 'brain': torch.tensor([1.5, -2], dtype=torch.bfloat16),
    'long': torch.tensor([[2**40, -1]]), 'bool': torch.tensor([True, False]), 'scalar': torch.tensor(3.5, dtype=torch.float64),
    'empty': torch.empty(0, 3), 'parameter': torch.nn.Parameter(torch.ones(2)), 'list': [1, -2.5, None, True, 'é', 2**70],
}, 'kinds.pt')
class Other: pass
torch.save({'tensor': base, 'other': Other()}, 'other.pt')
