// A cart that balances a pole by moving left or right: the task of Barto, Sutton and Anderson (1983), with the equations and
// limits of Gym's CartPole-v1. Each step is rewarded with 1; an episode ends when the cart leaves the track, when the pole has
// fallen too far, or after 500 steps.

/** The position of the cart (m), its velocity, the angle of the pole (rad, 0 is upright), its angular velocity. */
export type State = readonly [x: number, speed: number, angle: number, spin: number];

const gravity = 9.8;
const poleMass = 0.1;
const totalMass = 1 + poleMass;
const halfLength = 0.5;
const force = 10;
const seconds = 0.02;
const maxX = 2.4;
const maxAngle = (12 * Math.PI) / 180;
const maxSteps = 500;

export class CartPole {
  readonly #random: () => number;
  #state: State = [0, 0, 0, 0];
  #steps = 0;
  constructor(random: () => number) {
    this.#random = random;
  }

  /** Starts an episode near the upright position. */
  reset(): State {
    const small = (): number => this.#random() * 0.1 - 0.05;
    this.#steps = 0;
    this.#state = [small(), small(), small(), small()];
    return this.#state;
  }

  /** Pushes the cart to the left (0) or to the right (1). `hasFallen`: the episode has ended early. */
  step(action: number): { readonly state: State; readonly hasFallen: boolean; readonly isOver: boolean } {
    const [x, speed, angle, spin] = this.#state;
    const [sin, cos] = [Math.sin(angle), Math.cos(angle)];
    const push = ((action === 1 ? force : -force) + poleMass * halfLength * spin ** 2 * sin) / totalMass;
    const turn = (gravity * sin - cos * push) / (halfLength * (4 / 3 - (poleMass * cos ** 2) / totalMass));
    const acceleration = push - (poleMass * halfLength * turn * cos) / totalMass;
    this.#state = [x + seconds * speed, speed + seconds * acceleration, angle + seconds * spin, spin + seconds * turn];
    this.#steps++;
    const hasFallen = Math.abs(this.#state[0]) > maxX || Math.abs(this.#state[2]) > maxAngle;
    return { state: this.#state, hasFallen, isOver: hasFallen || this.#steps === maxSteps };
  }
}
