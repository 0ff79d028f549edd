import type { Texts } from '../texts.ts'

export const log: Texts['log'] = {
  lead: 'Die neuesten Zeilen seit dem Start. Wer was getan hat, steht unter „Aktivitäten“.',
  logger: 'Logger',
  allLoggers: 'Alle Logger',
  level: 'Stufe',
  levels: { debug: 'Debug', info: 'Info', warn: 'Warnung', error: 'Fehler' },
  search: 'Suchen',
  follow: 'Mitlaufen',
  lines: 'Protokollzeilen',
  count: (shown, all) => (shown === all ? `${all} Zeilen` : `${shown} von ${all} Zeilen`),
  details: 'Einzelheiten',
  noDetails: 'Keine weiteren Einzelheiten.',
  copy: 'Kopieren',
  copyAll: 'Alle Zeilen kopieren',
  copied: 'Kopiert',
  noneTitle: 'Keine Zeilen',
  none: 'Keine Zeile passt zu dieser Auswahl.',
  clear: 'Alle Zeilen anzeigen',
  toNewest: 'Zur neuesten Zeile',
}
