# The environment of examples/cart-pole.ts.
import math

GRAVITY, POLE_MASS, TOTAL_MASS, HALF_LENGTH, FORCE, SECONDS = 9.8, 0.1, 1.1, 0.5, 10.0, 0.02
MAX_X, MAX_ANGLE, MAX_STEPS = 2.4, math.radians(12), 500


class CartPole:
    def __init__(self, random):
        self.random = random

    def reset(self):
        self.steps = 0
        self.state = [self.random() * 0.1 - 0.05 for _ in range(4)]
        return self.state

    def step(self, action):
        """The state, whether the pole has fallen, and whether the episode is over."""
        x, speed, angle, spin = self.state
        sin, cos = math.sin(angle), math.cos(angle)
        push = ((FORCE if action == 1 else -FORCE) + POLE_MASS * HALF_LENGTH * spin**2 * sin) / TOTAL_MASS
        turn = (GRAVITY * sin - cos * push) / (HALF_LENGTH * (4 / 3 - POLE_MASS * cos**2 / TOTAL_MASS))
        acceleration = push - POLE_MASS * HALF_LENGTH * turn * cos / TOTAL_MASS
        self.state = [
            x + SECONDS * speed,
            speed + SECONDS * acceleration,
            angle + SECONDS * spin,
            spin + SECONDS * turn,
        ]
        self.steps += 1
        fallen = abs(self.state[0]) > MAX_X or abs(self.state[2]) > MAX_ANGLE
        return self.state, fallen, fallen or self.steps == MAX_STEPS
