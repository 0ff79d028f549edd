/** Whether the service tells of changes at this moment. */
let reported = false

export const setTold = (now: boolean): void => {
  reported = now
}

/** Milliseconds between two askings for what events tell of too: `every` where they are not heard. */
export const pace = (every: number): number => (reported ? 3 * every : every)
