import { yaml } from '@codemirror/lang-yaml'
import { MergeView, unifiedMergeView } from '@codemirror/merge'
import { EditorState, type EditorStateConfig, type Extension } from '@codemirror/state'
import { EditorView, keymap, lineNumbers } from '@codemirror/view'
import { defaultKeymap, history, historyField, historyKeymap } from '@codemirror/commands'
import { useEffect, useEffectEvent, useRef } from 'react'
import { useNarrow } from '../../../ui/breakpoints.ts'
import { useTexts } from '../../../i18n/texts.ts'
import classes from './Editor.module.css'
import { editorTheme } from './editor-theme.ts'

interface CompareProps {
  readonly before: string
  readonly beforeLabel: string
  /** What the right side begins with; an editable one then keeps its own text. */
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
  /** The right side of a view that has been replaced. */
  const edited = useRef<Edited>(undefined)

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
    const show = narrow ? showOneColumn : showTwoColumns
    const [view, right] = show({
      parent: place.current,
      before: { doc: before, extensions: common(beforeLabel, false) },
      after: beginWith(edited.current?.state ?? after, [
        ...common(afterLabel, editable),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) changed(update.state.doc.toString())
        }),
      ]),
      edit: editable ? config.conflict : undefined,
    })
    if (edited.current?.hasFocus) focusCursor(right)
    return () => {
      if (editable) edited.current = { state: right.state, hasFocus: right.hasFocus }
      view.destroy()
    }
    // eslint-disable-next-line react-hooks/exhaustive-deps -- the right side is edited in place
  }, [before, beforeLabel, afterLabel, narrow, editable, config])

  return <div ref={place} className={`${classes.editor} ${classes.compare}`} />
}

type Edited = Pick<EditorView, 'state' | 'hasFocus'>

/** What a view of two versions consists of. */
interface Versions {
  readonly parent: HTMLElement
  readonly before: { readonly doc: string; readonly extensions: Extension[] }
  readonly after: EditorStateConfig
  /** Labels of the buttons that keep or undo a change; undefined: there are none. */
  readonly edit: { readonly keep: string; readonly take: string } | undefined
}

/** A view, and its editor of the right side. */
type View = readonly [view: { destroy(): void }, right: EditorView]

const collapseUnchanged = { margin: 3, minSize: 6 }

function showOneColumn({ parent, before, after, edit }: Versions): View {
  const merged = unifiedMergeView({
    original: before.doc,
    collapseUnchanged,
    gutter: true,
    mergeControls:
      edit !== undefined &&
      ((kind, act) => {
        const button = pieceButton(kind === 'accept' ? edit.keep : edit.take)
        button.addEventListener('mousedown', act)
        return button
      }),
  })
  const view = new EditorView({ ...after, parent, extensions: [after.extensions ?? [], merged] })
  return [view, view]
}

function showTwoColumns({ parent, before, after, edit }: Versions): View {
  const view = new MergeView({
    parent,
    a: before,
    b: after,
    collapseUnchanged,
    gutter: true,
    ...(edit && { revertControls: 'a-to-b' as const, renderRevertControl: () => takeButton(edit.take) }),
  })
  return [view, view.b]
}

/** Begins with a text, or with that of another view, its cursor and what can be undone. */
function beginWith(first: string | EditorState, extensions: Extension[]): EditorStateConfig {
  if (typeof first === 'string') return { doc: first, extensions }
  const undoable = first.field(historyField)
  return { doc: first.doc, selection: first.selection, extensions: [historyField.init(() => undoable), extensions] }
}

function focusCursor(view: EditorView): void {
  view.focus()
  view.dispatch({ effects: EditorView.scrollIntoView(view.state.selection.main, { y: 'center' }) })
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
