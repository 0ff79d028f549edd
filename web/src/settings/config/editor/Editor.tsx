import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { yaml } from '@codemirror/lang-yaml'
import { bracketMatching, foldGutter, foldKeymap, indentOnInput, indentUnit } from '@codemirror/language'
import { forceLinting, linter, lintGutter, lintKeymap, type Diagnostic } from '@codemirror/lint'
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search'
import { Compartment, EditorState, type Text } from '@codemirror/state'
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from '@codemirror/view'
import { useEffect, useEffectEvent, useImperativeHandle, useRef, useState, type Ref } from 'react'
import type { ConfigCheck } from '../../../../../server/src/api-types.ts'
import { problemText } from '../../../api/failure.ts'
import { useTexts, type Texts } from '../../../i18n/texts.ts'
import { completionBy, manualOnHover } from './complete.ts'
import classes from './Editor.module.css'
import { editorTheme } from './editor-theme.ts'
import type { JsonSchema } from './schema.ts'

export type Found = ConfigCheck['problems'][number]

export interface EditorHandle {
  /** Moves the cursor there and scrolls it into view. Both count from 1. */
  goTo(line: number, column: number): void
}

interface EditorProps {
  readonly ref?: Ref<EditorHandle>
  /** The initial text; a different text needs a new editor (`key`). */
  readonly text: string
  readonly schema: JsonSchema
  readonly label: string
  readonly describedBy: string
  readonly check: (text: string) => Promise<ConfigCheck | undefined>
  readonly onChange: (text: string) => void
  readonly onSave: () => void
}

const keys = [
  ...closeBracketsKeymap,
  ...defaultKeymap,
  ...searchKeymap,
  ...historyKeymap,
  ...foldKeymap,
  ...completionKeymap,
  ...lintKeymap,
  indentWithTab,
]

/** What an editor of any language has. */
const basics = () => [
  lintGutter(),
  lineNumbers(),
  foldGutter(),
  history(),
  highlightSpecialChars(),
  drawSelection(),
  highlightActiveLine(),
  highlightActiveLineGutter(),
  highlightSelectionMatches(),
  bracketMatching(),
  closeBrackets(),
  indentOnInput(),
]

/** An editor for `config.yml` with completion, docs on hover, and problems shown while typing. */
export default function Editor({ ref, text, schema, label, describedBy, check, onChange, onSave }: EditorProps) {
  const texts = useTexts('config', 'config-problems')
  const place = useRef<HTMLDivElement>(null)
  const editor = useRef<EditorView>(undefined)
  const changed = useEffectEvent(onChange)
  const save = useEffectEvent(onSave)
  const judge = useEffectEvent(check)
  /** What depends on the language or the schema: both can change while a text is edited. */
  const [translated] = useState(() => new Compartment())

  useEffect(() => {
    if (!place.current) return
    const view = new EditorView({
      parent: place.current,
      state: EditorState.create({
        doc: text,
        extensions: [
          EditorState.tabSize.of(2),
          indentUnit.of('  '),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) changed(update.state.doc.toString())
          }),
          keymap.of([{ key: 'Mod-s', preventDefault: true, run: () => (save(), true) }, ...keys]),
          yaml(),
          ...basics(),
          translated.of([]),
          editorTheme,
        ],
      }),
    })
    editor.current = view
    return () => {
      editor.current = undefined
      view.destroy()
    }
    // eslint-disable-next-line react-hooks/exhaustive-deps -- an editor keeps its initial text
  }, [translated])

  useEffect(() => {
    const view = editor.current
    if (!view) return
    const extensions = [
      EditorState.phrases.of(texts.config.phrases),
      EditorView.contentAttributes.of({
        'aria-label': label,
        'aria-describedby': describedBy,
        spellcheck: 'false',
        // Explicit, because not every tool knows that an editable element is focusable.
        tabindex: '0',
      }),
      linter(
        async ({ state }) => {
          const found = await judge(state.doc.toString())
          return found ? diagnosticsOf(state.doc, found, texts) : []
        },
        { delay: 400 },
      ),
      autocompletion({ override: [completionBy(schema, texts)], icons: false }),
      manualOnHover(schema, texts),
    ]
    view.dispatch({ effects: translated.reconfigure(extensions) })
    forceLinting(view)
  }, [translated, texts, schema, label, describedBy])

  useImperativeHandle(ref, () => ({
    goTo(line, column) {
      const view = editor.current
      if (!view) return
      const anchor = offsetOf(view.state.doc, line, column)
      view.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: 'center' }) })
      view.focus()
    },
  }))

  return <div ref={place} className={`${classes.editor} ${classes.whole}`} />
}

function diagnosticsOf(doc: Text, { problems, warnings }: ConfigCheck, texts: Texts): Diagnostic[] {
  const of = (severity: Diagnostic['severity']) => (found: Found) => {
    const from = offsetOf(doc, found.line ?? 1, found.column ?? 1)
    const line = doc.lineAt(from)
    const word = /^[^\s#]+/.exec(line.text.slice(from - line.from))?.[0].length ?? 0
    return { from, to: Math.min(line.to, from + word), severity, message: problemText(found, texts) }
  }
  return [...problems.map(of('error')), ...warnings.map(of('warning'))]
}

function offsetOf(doc: Text, line: number, column: number): number {
  const at = doc.line(Math.min(Math.max(1, line), doc.lines))
  return Math.min(at.to, at.from + column - 1)
}
