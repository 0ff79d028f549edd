export const common = {
  name: 'Gatehouse',
  /** Of the document, with the page's name in front. */
  pageTitle: (page: string) => `${page} · Gatehouse`,
  /** Before what it names. */
  label: (what: string) => `${what}:`,
  loading: 'Loading…',
  tryAgain: 'Try again',
  close: 'Close',
  cancel: 'Cancel',
  back: 'Back',
  skipToContent: 'Skip to content',
  mainMenu: 'Main menu',
}
