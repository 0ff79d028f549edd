import { useId, useRef, useState, useTransition, type RefObject } from 'react'

/** What a Panel has to know of the button that opens it. */
export interface PanelState {
  /** The id of the button. */
  readonly id: string
  readonly target: RefObject<HTMLButtonElement | null>
  readonly opened: boolean
  readonly onChange: (opened: boolean) => void
}

/**
 * A button that opens a Panel, whose code loads when the user reaches for the button.
 *
 * @param load imports the panel, which is rendered as a lazy component
 * @returns the button's props, the panel's state once it has been opened, and whether the panel is still loading
 */
export function usePanel(load: () => Promise<unknown>) {
  const id = useId()
  const target = useRef<HTMLButtonElement>(null)
  const [used, setUsed] = useState(false)
  const [opened, onChange] = useState(false)
  // A transition keeps the page as it is until the panel has loaded.
  const [loading, startOpening] = useTransition()
  const prepare = () => void load().catch(() => {})

  const button = {
    ref: target,
    id,
    'aria-haspopup': 'dialog',
    'aria-expanded': opened,
    'aria-controls': opened ? `${id}-dropdown` : undefined,
    'aria-busy': loading,
    onPointerEnter: prepare,
    onFocus: prepare,
    onClick: () =>
      startOpening(() => {
        setUsed(true)
        onChange(!opened)
      }),
  } as const
  const panel: PanelState | undefined = used ? { id, target, opened, onChange } : undefined
  return { button, panel, loading }
}
