import type { Shortcut } from '../ui/ShortcutsDialog.tsx'
import type { Texts } from '../i18n/texts.ts'

/** Keyboard shortcuts of the History page, as passed to `useKeys`. */
export const historyKeys = (words: Texts<'shortcuts'>['shortcuts']): readonly Shortcut[] => [
  [['K', 'Space'], words.toggle],
  [['←', '→'], words.seconds],
  [['J', 'L'], words.tenSeconds],
  [['Shift ←', 'Shift →'], words.minute],
  [[',', '.'], words.frame],
  [['P', 'N'], words.motion],
  [['<', '>'], words.speed],
  [['+', '-'], words.zoom],
  [['I', 'O'], words.mark],
  [['Esc'], words.unmark],
  [['Home', 'End'], words.day],
  [['M'], words.sound],
  [['F'], words.fullScreen],
  [['?'], words.help],
]
