# The cases of bench/small-steps.ts in PyTorch eager.
import torch
from protocol import serve, settings

torch.manual_seed(1)
torch.set_num_threads(1)
policy = torch.nn.Sequential(torch.nn.Linear(4, 128), torch.nn.ReLU(), torch.nn.Linear(128, 2))
optimizer = torch.optim.Adam(policy.parameters(), lr=1e-2)
state = [0.1, 0.2, 0.3, 0.4]
scalar = torch.tensor(3.0)


@torch.no_grad()
def act():
    return torch.distributions.Categorical(probs=policy(torch.tensor([state])).softmax(1)).sample().item()


def train():
    optimizer.zero_grad()
    loss = policy(torch.tensor([state])).square().sum()
    loss.backward()
    optimizer.step()
    return loss.item()


steps = {"item": scalar.item, "call": lambda: scalar * 2, "step": lambda: (scalar * 2).item(), "act": act, "train": train}
step = steps[settings["name"]]
for _ in range(100):
    step()
serve(f"PyTorch {torch.__version__}", step)
