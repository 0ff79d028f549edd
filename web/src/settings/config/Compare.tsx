import { yaml } from '@codemirror/lang-yaml'
import { MergeView, unifiedMergeView } from '@codemirror/merge'
import { EditorState, type Extension } from '@codemirror/state'
import { EditorView, keymap, lineNumbers } from '@codemirror/view'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { useEffect, useEffectEvent, useRef } from 'react'
import { useNarrow } from '../../ui/breakpoints.ts'
import { useTexts } from '../../i18n/texts.ts'
import classes from './Editor.module.css'
import { editorTheme } from './editor-theme.ts'

interface CompareProps {
  readonly before: string
  readonly beforeLabel: string
  readonly after: string
  readonly afterLabel: string
  /** If given, the right side is editable and can take changes from the left. */
  readonly onChange?: (text: string) => void
}

/** Two versions of a text side by side, or merged into one column on narrow screens. */
export default function Compare({ before, beforeLabel, after, afterLabel, onChange }: CompareProps) {
  const { config } = useTexts('config')
  const place = useRef<HTMLDivElement>(null)
  const narrow = useNarrow('medium')
  const editable = onChange !== undefined
  const changed = useEffectEvent((text: string) => onChange?.(text))

  useEffect(() => {
    if (!place.current) return
    const common = (label: string, mayEdit: boolean): Extension[] => [
      EditorState.phrases.of(config.phrases),
      EditorState.readOnly.of(!mayEdit),
      EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'false', tabindex: '0' }),
      EditorView.lineWrapping,
      history(),
      keymap.of([...defaultKeymap, ...historyKeymap]),
      yaml(),
      lineNumbers(),
      editorTheme,
    ]
    const right = [
      ...common(afterLabel, editable),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) changed(update.state.doc.toString())
      }),
    ]
    const collapseUnchanged = { margin: 3, minSize: 6 }
    const view = narrow
      ? new EditorView({
          parent: place.current,
          doc: after,
          extensions: [
            ...right,
            unifiedMergeView({
              original: before,
              collapseUnchanged,
              gutter: true,
              mergeControls:
                editable &&
                ((kind, act) => {
                  const button = pieceButton(kind === 'accept' ? config.conflict.keep : config.conflict.take)
                  button.addEventListener('mousedown', act)
                  return button
                }),
            }),
          ],
        })
      : new MergeView({
          parent: place.current,
          a: { doc: before, extensions: common(beforeLabel, false) },
          b: { doc: after, extensions: right },
          collapseUnchanged,
          gutter: true,
          ...(editable && {
            revertControls: 'a-to-b' as const,
            renderRevertControl: () => takeButton(config.conflict.take),
          }),
        })
    return () => view.destroy()
    // eslint-disable-next-line react-hooks/exhaustive-deps -- the right side is edited in place
  }, [before, beforeLabel, afterLabel, narrow, editable, config])

  return <div ref={place} className={`${classes.editor} ${classes.compare}`} />
}

/** The merge view reacts to mousedown only, so a click by keyboard dispatches one. */
function pieceButton(label: string): HTMLButtonElement {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = classes.piece ?? ''
  button.textContent = label
  button.addEventListener('click', ({ detail }) => {
    if (detail === 0) button.dispatchEvent(new MouseEvent('mousedown', { bubbles: true }))
  })
  return button
}

function takeButton(label: string): HTMLButtonElement {
  const button = pieceButton(label)
  button.classList.add(classes.take ?? '')
  button.textContent = '→'
  button.title = label
  button.setAttribute('aria-label', label)
  return button
}
