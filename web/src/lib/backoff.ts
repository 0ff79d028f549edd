/** Milliseconds before retry n, from 0. Adds up to a random quarter, so that many players do not retry together. */
export const backoff = (tries: number, chance: number): number => Math.min(15_000, 1000 * 2 ** tries) * (1 + chance / 4)
