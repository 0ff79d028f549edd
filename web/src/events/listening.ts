/** Whether the service tells of changes at this moment. */
let told = false

export const setTold = (now: boolean): void => {
  told = now
}

/** Milliseconds between two askings for what events tell of too: `every` where they are not heard. */
export const pace = (every: number): number => (told ? 3 * every : every)
