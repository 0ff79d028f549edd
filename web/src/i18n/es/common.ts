import type { common as english } from '../en/common.ts'

export const common: typeof english = {
  name: 'Gatehouse',
  pageTitle: (page) => `${page} · Gatehouse`,
  label: (what) => `${what}: `,
  beside: (parts) => parts.join(', '),
  loading: 'Cargando…',
  tryAgain: 'Reintentar',
  close: 'Cerrar',
  cancel: 'Cancelar',
  skipToContent: 'Ir al contenido',
  mainMenu: 'Menú principal',
}
