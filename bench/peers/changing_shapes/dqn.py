# examples/dqn in PyTorch: `dqn.py --steps 20000`.
import argparse
import math
from collections import namedtuple

import torch
from cart_pole import CartPole
from randoms import random_numbers

parser = argparse.ArgumentParser()
parser.add_argument("--steps", type=int, default=20000)
total_steps = parser.parse_args().steps
BATCH, DISCOUNT, MEMORY, TAU = 128, 0.99, 10_000, 0.005
Transition = namedtuple("Transition", ["state", "action", "next", "reward"])


def network():
    return torch.nn.Sequential(
        torch.nn.Linear(4, 128), torch.nn.ReLU(), torch.nn.Linear(128, 128), torch.nn.ReLU(), torch.nn.Linear(128, 2)
    )


torch.manual_seed(1)
random = random_numbers(1)
policy, target = network(), network()
target.load_state_dict(policy.state_dict())
optimizer = torch.optim.AdamW(policy.parameters(), lr=3e-4, amsgrad=True)
criterion = torch.nn.SmoothL1Loss()
memory = []


def act(state, steps):
    if random() < 0.01 + 0.89 * math.exp(-steps / 2500):
        return int(random() * 2)
    with torch.no_grad():
        return policy(state).argmax(1).item()


def sample():
    chosen = {}
    while len(chosen) < BATCH:
        i = int(random() * len(memory))
        chosen.setdefault(i, memory[i])
    return list(chosen.values())


def learn():
    batch = sample()
    has_next = torch.tensor([one.next is not None for one in batch])
    values = policy(torch.cat([one.state for one in batch])).gather(1, torch.cat([one.action for one in batch]))
    with torch.no_grad():
        following = torch.cat([one.next for one in batch if one.next is not None])
        next_values = torch.zeros(BATCH)
        next_values[has_next] = target(following).max(1).values
        expected = next_values * DISCOUNT + torch.cat([one.reward for one in batch])
    loss = criterion(values, expected.unsqueeze(1))
    optimizer.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_value_(policy.parameters(), 100)
    optimizer.step()
    with torch.no_grad():
        for old, new in zip(target.parameters(), policy.parameters()):
            old.lerp_(new, TAU)
    return loss


cart = CartPole(random)
running, episodes, length, loss = 10.0, 0, 0, None
state = torch.tensor([cart.reset()])
for steps in range(1, total_steps + 1):
    action = act(state, steps - 1)
    after, fallen, over = cart.step(action)
    following = None if fallen else torch.tensor([after])
    memory.append(Transition(state, torch.tensor([[action]]), following, torch.tensor([1.0])))
    if len(memory) > MEMORY:
        memory.pop(0)
    length += 1
    if len(memory) >= BATCH:
        loss = learn()
    if over:
        episodes += 1
        running += 0.05 * (length - running)
        length = 0
    state = torch.tensor([cart.reset()]) if over else following
    if steps == BATCH or steps % 1000 == 0 or steps == total_steps:
        shown = f"loss {loss.item():.4f}" if loss is not None else "no loss"
        print(f"{steps} steps, {episodes} episodes: {shown}, mean length {running:.0f} steps", flush=True)
