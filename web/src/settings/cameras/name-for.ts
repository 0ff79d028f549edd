/** The name that a new camera gets from its title; empty if the title has no Latin letters and no digits. */
export const nameFor = (title: string): string =>
  title
    .normalize('NFKD')
    .replaceAll(/\p{Mark}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_|_$/g, '')
    .slice(0, 64)
