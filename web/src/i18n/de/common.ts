import type { common as english } from '../en/common.ts'

export const common: typeof english = {
  name: 'Gatehouse',
  pageTitle: (page) => `${page} · Gatehouse`,
  label: (what) => `${what}: `,
  beside: (parts) => parts.join(', '),
  loading: 'Wird geladen …',
  tryAgain: 'Noch einmal versuchen',
  close: 'Schließen',
  cancel: 'Abbrechen',
  skipToContent: 'Zum Inhalt springen',
  mainMenu: 'Hauptmenü',
}
