/** Letters that Unicode doesn't divide into a Latin letter and a mark. */
const letters: Readonly<Record<string, string>> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', þ: 'th', ı: 'i' }

/** The name that a new camera gets from its title; empty if the title has no Latin letters and no digits. */
export const nameFor = (title: string): string =>
  title
    .normalize('NFKD')
    .replaceAll(/\p{Mark}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, (letter) => letters[letter] ?? '_')
    .replaceAll(/_+/g, '_')
    .replace(/^_/, '')
    .slice(0, 64)
    .replace(/_$/, '')
