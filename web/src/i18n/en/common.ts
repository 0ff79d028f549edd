export const common = {
  name: 'Gatehouse',
  /** Of the document, with the page's name in front. */
  pageTitle: (page: string) => `${page} · Gatehouse`,
  /** Before what it names, with the space between them. */
  label: (what: string) => `${what}: `,
  /** Several things about one, in a line. */
  beside: (parts: readonly string[]) => parts.join(', '),
  loading: 'Loading…',
  tryAgain: 'Try again',
  close: 'Close',
  cancel: 'Cancel',
  skipToContent: 'Skip to content',
  mainMenu: 'Main menu',
}
