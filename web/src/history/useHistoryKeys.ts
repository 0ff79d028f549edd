import type { Texts } from '../i18n/texts.ts'
import type { Shortcut } from '../ui/shortcuts/ShortcutsDialog.tsx'
import { useKeys } from '../ui/shortcuts/useKeys.ts'
import { useCanClip } from './player/useClip.ts'
import type { HistoryPlayer } from './player/useHistoryPlayer.ts'

/**
 * The list of keyboard shortcuts of the History page; {@link useHistoryKeys} is what they do.
 *
 * @param clips whether the user's role can do anything with a clip
 */
export const historyKeys = (words: Texts<'shortcuts'>['shortcuts'], clips: boolean): readonly Shortcut[] => [
  [['K', 'Space'], words.toggle],
  [['←', '→'], words.seconds],
  [['J', 'L'], words.tenSeconds],
  [['Shift ←', 'Shift →'], words.minute],
  [[',', '.'], words.frame],
  [['P', 'N'], words.motion],
  [['<', '>'], words.speed],
  [['+', '-'], words.zoom],
  ...(clips ? clipKeys(words) : []),
  [['Home', 'End'], words.day],
  [['M'], words.sound],
  [['F'], words.fullScreen],
  [['?'], words.help],
]

const clipKeys = (words: Texts<'shortcuts'>['shortcuts']): readonly Shortcut[] => [
  [['I', 'O'], words.mark],
  [['Esc'], words.unmark],
]

/** Direction of time on the screen: 1 is left to right. */
const timeDirection = (): 1 | -1 => (document.documentElement.dir === 'rtl' ? -1 : 1)

interface StageActions {
  readonly toggleMuted: () => void
  readonly toggleFullscreen: () => void
}

/** The keyboard shortcuts of the History page. */
export function useHistoryKeys(player: HistoryPlayer, { toggleMuted, toggleFullscreen }: StageActions): void {
  const { at, recorded, timeline, clip, go, stepFrame, goToMotion, stepRate } = player
  const mayClip = useCanClip()
  useKeys({
    ArrowLeft: () => go(at - 5 * timeDirection()),
    ArrowRight: () => go(at + 5 * timeDirection()),
    'Shift+ArrowLeft': () => go(at - 60 * timeDirection()),
    'Shift+ArrowRight': () => go(at + 60 * timeDirection()),
    j: () => go(at - 10),
    l: () => go(at + 10),
    ' ': player.toggle,
    k: player.toggle,
    ',': () => stepFrame(-1),
    '.': () => stepFrame(1),
    n: () => goToMotion(1),
    p: () => goToMotion(-1),
    '+': () => timeline.zoom(0.5),
    '=': () => timeline.zoom(0.5),
    '-': () => timeline.zoom(2),
    ...(mayClip && {
      i: clip.startHere,
      o: clip.endHere,
      // Shortcuts only: these keys are hard to find on some keyboards.
      '[': clip.startHere,
      ']': clip.endHere,
    }),
    '<': () => stepRate(-1),
    '>': () => stepRate(1),
    m: toggleMuted,
    f: toggleFullscreen,
    Home: () => go(recorded.day.from),
    End: player.goToDayEnd,
    ...(clip.range && { Escape: () => clip.set(undefined) }),
  })
}
