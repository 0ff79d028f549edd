/** Maximum length of a segment in milliseconds: a segment that overlaps a range starts at most this long before it. */
export const longestSegment = 10 * 60_000
