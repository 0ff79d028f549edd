/** Milliseconds. */
export const hour = 60 * 60_000
export const day = 24 * hour
/** The longest day has one hour more, because clocks go back. It's the longest range that can be played, shared or exported. */
export const longestDay = 25 * hour
