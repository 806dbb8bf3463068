# Numbers in [0, 1) that depend on the seed alone, and permutations: those of examples/random.ts.
def random_numbers(seed):
    state = seed

    def random():
        nonlocal state
        state = (state * 1_664_525 + 1_013_904_223) % 2**32
        return state / 2**32

    return random


def shuffled(items, random):
    items = list(items)
    for i in range(len(items) - 1, 0, -1):
        j = int(random() * (i + 1))
        items[i], items[j] = items[j], items[i]
    return items
