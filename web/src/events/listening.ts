/** Whether the event connection is open. */
let reported = false

export const setListening = (now: boolean): void => {
  reported = now
}

/** Milliseconds between two polls of data that events report too: `every` without events, less often with them. */
export const pollInterval = (every: number): number => (reported ? 3 * every : every)
