import type { common as english } from '../en/common.ts'

export const common: typeof english = {
  name: 'Gatehouse',
  pageTitle: (page) => `${page} · Gatehouse`,
  label: (what) => `${what} : `,
  beside: (parts) => parts.join(', '),
  loading: 'Chargement…',
  tryAgain: 'Réessayer',
  close: 'Fermer',
  cancel: 'Annuler',
  skipToContent: 'Aller au contenu',
  mainMenu: 'Menu principal',
}
