/** The text of a search parameter; empty if it has none. The router parses `?camera=12` as a number, and `?q=true`. */
export const searchText = (value: unknown): string =>
  ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : ''
