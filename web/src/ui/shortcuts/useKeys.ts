import { useEffect, useEffectEvent, type RefObject } from 'react'
import { characterKeysAct } from './character-keys.ts'

/** Actions by `KeyboardEvent.key`, for example `ArrowLeft` or `k`, prefixed with `Shift+` if held. */
export type Keys = Readonly<Record<string, () => void>>

const dialogOf = (element: Element | null | undefined) => element?.closest('[role="dialog"]') ?? null

/**
 * Keyboard shortcuts of a page, wherever the focus is. Keys that a focused field, list or button uses stay its own.
 *
 * @param within an element in a dialog: the shortcuts then apply to that dialog, not to one that opens over it
 */
export function useKeys(keys: Keys, within?: RefObject<Element | null>): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return
    const target = event.target instanceof Element ? event.target : document.body
    if (target.closest('input:not([type="checkbox"]), textarea, select, [contenteditable]')) return
    if (dialogOf(target) !== dialogOf(within?.current)) return
    if ([' ', 'Enter'].includes(event.key) && target.closest('button, a, summary, input')) return
    const letter = event.key.length === 1 ? event.key.toLowerCase() : event.key
    const act = keys[event.shiftKey ? `Shift+${letter}` : letter] ?? (letter.length === 1 ? keys[letter] : undefined)
    if (!act || (letter.length === 1 && letter !== ' ' && !characterKeysAct())) return
    event.preventDefault()
    act()
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => press(event)
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [])
}
