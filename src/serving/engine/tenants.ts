// Equal shares of tenants: the one with the fewest computed tokens is next. One that returns starts at the smallest count of
// those that are active, so that it neither has saved a claim nor pays for the past.
export class Tenants {
  readonly #active = new Map<string, { sequences: number; tokens: number }>();

  add(tenant: string): void {
    const known = this.#active.get(tenant);
    if (known !== undefined) {
      known.sequences++;
      return;
    }
    const least = Math.min(...Array.from(this.#active.values(), ({ tokens }) => tokens));
    this.#active.set(tenant, { sequences: 1, tokens: Number.isFinite(least) ? least : 0 });
  }
  remove(tenant: string): void {
    const known = this.#active.get(tenant)!;
    known.sequences--;
    if (known.sequences === 0) this.#active.delete(tenant);
  }
  charge(tenant: string, tokens: number): void {
    this.#active.get(tenant)!.tokens += tokens;
  }
  tokensOf(tenant: string): number {
    return this.#active.get(tenant)!.tokens;
  }
}
