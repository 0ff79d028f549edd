/** Whether the event connection is open. */
let reported = false

export const setTold = (now: boolean): void => {
  reported = now
}

/** Milliseconds between two polls of data that events report too: `every` without events, less often with them. */
export const pace = (every: number): number => (reported ? 3 * every : every)
