import type { AdminTexts } from '../admin-texts.ts'
import { countingIn } from '../plural.ts'

const { plural, number } = countingIn('de')

export const log: AdminTexts['log'] = {
  lead: 'Die neuesten Zeilen seit dem Start. Wer was getan hat, steht unter „Aktivitäten“.',
  logger: 'Logger',
  allLoggers: 'Alle Logger',
  level: 'Stufe',
  levels: { debug: 'Debug', info: 'Info', warn: 'Warnung', error: 'Fehler' },
  search: 'Suchen',
  follow: 'Mitlaufen',
  lines: 'Protokollzeilen',
  count: (shown, all) =>
    shown === all
      ? plural(all, { one: '# Zeile', other: '# Zeilen' })
      : plural(all, { one: '{shown} von # Zeile', other: '{shown} von # Zeilen' }, { shown: number(shown) }),
  noDetails: 'Keine weiteren Einzelheiten.',
  copy: 'Kopieren',
  copyAll: 'Alle Zeilen kopieren',
  copied: 'Kopiert',
  noneTitle: 'Keine Zeilen',
  none: 'Keine Zeile passt zu dieser Auswahl.',
  clear: 'Alle Zeilen anzeigen',
  toNewest: 'Zur neuesten Zeile',
}
