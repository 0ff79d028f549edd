import {
  startCompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
} from '@codemirror/autocomplete'
import { hoverTooltip, type EditorView } from '@codemirror/view'
import type { Texts } from '../../../i18n/texts.ts'
import { manualOf } from './manual.ts'
import { isTable, keysOf, schemaAt, valuesOf, type JsonSchema } from './schema.ts'
import { namesBelow, pathOfLine, placeIn, type YamlPlace } from './yaml-place.ts'

/** Completes the keys or values allowed at the cursor, each key with its docs. */
export const completionBy =
  (schema: JsonSchema, texts: Texts<'config'>) =>
  ({ state, pos, explicit }: CompletionContext): CompletionResult | null => {
    const text = state.doc.toString()
    const place = placeIn(text, pos)
    if (!place || (place.from === pos && !explicit && place.kind === 'key')) return null
    const here = schemaAt(schema, place.path)
    if (!here) return null
    const options = place.kind === 'key' ? keyOptions(here, place, text, texts) : valueOptions(here, place, text)
    return options.length === 0 ? null : { from: place.from, options, validFor: /^[\w.-]*$/ }
  }

function keyOptions(here: JsonSchema, place: YamlPlace, text: string, texts: Texts<'config'>): Completion[] {
  const given = new Set(
    namesBelow(
      text,
      place.path.filter((step) => typeof step === 'string'),
    ),
  )
  return keysOf(here)
    .filter(([key]) => !given.has(key))
    .map(([key, schema], at) => ({
      label: key,
      type: 'property',
      // In the order of the docs.
      boost: -at,
      info: () => manualOf(schema, texts),
      apply: (view: EditorView, _completion: Completion, from: number, to: number) => {
        const insert = isTable(schema) ? `${key}:\n${' '.repeat(place.indent + 2)}` : `${key}: `
        view.dispatch({
          changes: { from, to, insert },
          selection: { anchor: from + insert.length },
          userEvent: 'input.complete',
          scrollIntoView: true,
        })
        startCompletion(view)
      },
    }))
}

function valueOptions(here: JsonSchema, { path }: YamlPlace, text: string): Completion[] {
  const values = valuesOf(here).map((label) => ({ label, type: 'constant' }))
  return [...values, ...namesFor(path, text).map((label) => ({ label, type: 'variable' }))]
}

/** Names defined elsewhere in the file: cameras or roles. */
function namesFor(path: YamlPlace['path'], text: string): readonly string[] {
  const [top, second] = path
  if (top === 'auth' && second === 'roles') return namesBelow(text, ['cameras'])
  const asksRole = top === 'proxy' && second === 'default_role'
  return asksRole ? ['admin', 'viewer', ...namesBelow(text, ['auth', 'roles'])] : []
}

/** Shows the docs of the key under the pointer. */
export const manualOnHover = (schema: JsonSchema, texts: Texts<'config'>) =>
  hoverTooltip(({ state }, pos) => {
    const line = state.doc.lineAt(pos)
    const path = pathOfLine(state.doc.toString(), pos)
    const found = path && schemaAt(schema, path)
    const colon = line.text.indexOf(':')
    if (!found?.description || pos > line.from + colon) return null
    return {
      pos: line.from + line.text.search(/\S/),
      end: line.from + colon,
      create: () => ({ dom: manualOf(found, texts) }),
    }
  })
