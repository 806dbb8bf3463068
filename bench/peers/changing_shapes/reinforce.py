# examples/reinforce in PyTorch: `reinforce.py --steps 20000`.
import argparse

import torch
from cart_pole import CartPole
from randoms import random_numbers

parser = argparse.ArgumentParser()
parser.add_argument("--steps", type=int, default=20000)
total_steps = parser.parse_args().steps
DISCOUNT = 0.99


class Policy(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = torch.nn.Sequential(
            torch.nn.Linear(4, 128), torch.nn.Dropout(0.6), torch.nn.ReLU(), torch.nn.Linear(128, 2)
        )

    def forward(self, x):
        return self.layers(x).softmax(1)


torch.manual_seed(1)
policy = Policy()
optimizer = torch.optim.Adam(policy.parameters(), lr=1e-2)
cart = CartPole(random_numbers(1))


def act(state):
    choices = torch.distributions.Categorical(probs=policy(torch.tensor([state])))
    action = choices.sample()
    return action.item(), choices.log_prob(action)


def episode(max_steps):
    log_probs, state, over = [], cart.reset(), False
    while not over and len(log_probs) < max_steps:
        action, log_prob = act(state)
        log_probs.append(log_prob)
        state, _, over = cart.step(action)
    return log_probs


def learn(log_probs):
    returns, total = [], 0
    for _ in log_probs:
        total = 1 + DISCOUNT * total
        returns.insert(0, total)
    normalized = torch.tensor(returns)
    normalized = (normalized - normalized.mean()) / (normalized.std() + 1e-8)
    losses = [-log_prob * normalized[i] for i, log_prob in enumerate(log_probs)]
    optimizer.zero_grad()
    loss = torch.stack(losses).sum()
    loss.backward()
    optimizer.step()
    return loss


running, steps, episodes, reported = 10.0, 0, 0, 0
while steps < total_steps:
    log_probs = episode(total_steps - steps)
    steps += len(log_probs)
    episodes += 1
    running += 0.05 * (len(log_probs) - running)
    loss = learn(log_probs)
    if episodes > 1 and steps < reported + 1000 and steps < total_steps:
        continue
    reported = steps
    print(f"{steps} steps, {episodes} episodes: loss {loss.item():.2f}, mean length {running:.0f} steps", flush=True)
