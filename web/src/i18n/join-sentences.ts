import type { Texts } from './texts.ts'

/** Sentences in a row: not every language has a space between them. */
export const joinSentences = (list: readonly string[], { sentences }: Pick<Texts, 'sentences'>): string =>
  list.length === 0 ? '' : list.reduce((text, next) => sentences({ text, next }))
