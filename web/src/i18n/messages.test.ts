import { TYPE, type MessageFormatElement } from '@formatjs/icu-messageformat-parser'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { catalogNames, folder, languageTags, readCatalog } from '../../messages/catalogs.ts'
import { parametersOf, parseMessage, shownParametersOf, type Catalog } from '../../messages/compile.ts'
import { loadTexts, type CatalogName } from './catalogs.ts'
import { languages } from './languages.ts'

/** Every message of a catalog by its path. */
function* messagesOf(catalog: Catalog, path: string): Generator<readonly [path: string, message: string]> {
  for (const [name, value] of Object.entries(catalog)) {
    if (typeof value === 'string') yield [`${path}/${name}`, value]
    else yield* messagesOf(value, `${path}/${name}`)
  }
}

/** By catalog and path, for example `live/live/states/offline`. */
const messagesIn = (tag: string): ReadonlyMap<string, string> =>
  new Map(catalogNames.flatMap((name) => [...messagesOf(readCatalog(tag, name), name)]))

/** Each way in which a message can read, with `2` for each value. */
function variantsOf(elements: readonly MessageFormatElement[]): readonly string[] {
  return elements.reduce<readonly string[]>(
    (texts, element) => {
      const next =
        element.type === TYPE.literal
          ? [element.value]
          : element.type === TYPE.plural || element.type === TYPE.select
            ? Object.values(element.options).flatMap(({ value }) => variantsOf(value))
            : ['2']
      return texts.flatMap((text) => next.map((more) => text + more))
    },
    [''],
  )
}

function* pluralsIn(elements: readonly MessageFormatElement[]): Generator<readonly string[]> {
  for (const element of elements) {
    if (element.type === TYPE.plural) yield Object.keys(element.options)
    if (element.type === TYPE.plural || element.type === TYPE.select)
      for (const { value } of Object.values(element.options)) yield* pluralsIn(value)
  }
}

const english = messagesIn('en')

test('every language has a folder with the same catalogs as English', () => {
  expect(languageTags).toEqual(languages.map(({ tag }) => tag).toSorted())
  for (const tag of languageTags) {
    const files = globSync('*.json', { cwd: resolve(folder, tag) }).map((file) => basename(file, '.json'))
    expect(files.toSorted()).toEqual(catalogNames)
  }
})

describe.each(languageTags)('%s', (tag) => {
  const messages = messagesIn(tag)

  test('has exactly the messages of English, in its order, and none is empty', () => {
    expect([...messages.keys()]).toEqual([...english.keys()])
    expect([...messages].filter(([, text]) => text.trim() === '')).toEqual([])
  })

  test('shows the parameters of English in each message, and no others', () => {
    const differing = [...messages].filter(([path, text]) => {
      const source = english.get(path) ?? ''
      const [own, known] = [parametersOf(text), parametersOf(source)]
      return (
        [...own].some(([name, type]) => known.get(name) !== type) ||
        [...shownParametersOf(source)].some((name) => !own.has(name))
      )
    })
    expect(differing).toEqual([])
  })

  test('has each plural form that its rules distinguish, and no other', () => {
    const rules = new Intl.PluralRules(tag)
    const known = rules.resolvedOptions().pluralCategories
    const common = new Set(Array.from({ length: 1000 }, (_, count) => rules.select(count)))
    const wrong = [...messages].filter(([, text]) =>
      [...pluralsIn(parseMessage(text))].some((forms) => {
        const categories = forms.filter((form) => !/^=\d+$/.test(form))
        return (
          !categories.every((form) => known.some((each) => each === form)) ||
          [...common].some((form) => !categories.includes(form))
        )
      }),
    )
    expect(wrong).toEqual([])
  })

  test('is compiled as it is written', async () => {
    const texts: unknown = await loadTexts(tag, catalogNames as readonly CatalogName[])
    for (const [path, text] of messages) {
      const [, ...keys] = path.split('/')
      const compiled = keys.reduce((value, key) => (value as Readonly<Record<string, unknown>>)[key], texts)
      const values = Object.fromEntries(
        [...parametersOf(english.get(path) ?? text)].map(([name, type]) => [name, type === 'number' ? 2 : '2']),
      )
      const read: unknown = typeof compiled === 'function' ? Reflect.apply(compiled, undefined, [values]) : compiled
      expect(variantsOf(parseMessage(text)), path).toContain(read)
    }
  })
})

const french = [...messagesIn('fr')].flatMap(([path, text]) =>
  variantsOf(parseMessage(text)).map((variant) => [path, variant] as const),
)

test('no French sign stands close to its word, or alone at the start of a line', () => {
  const wrong = /[\p{L}\d][;!?»]|[\n\t ][;:!?»%]|«[^\u00a0\u202f]/u
  expect(french.filter(([, text]) => wrong.test(text))).toEqual([])
})

test('the space before a French sign is the one that the sign takes: narrow before ; ! and ?', () => {
  const wrong = /\u00a0[;!?]|\u202f[:»%]/u
  expect(french.filter(([, text]) => wrong.test(text))).toEqual([])
})

test('apostrophes in French are curved', () => {
  expect(french.filter(([, text]) => /\p{L}'\p{L}/u.test(text))).toEqual([])
})

test('each note for translators belongs to a message or a group of messages', () => {
  const paths = [...english.keys()]
  for (const file of globSync('notes/*.json', { cwd: folder })) {
    const name = basename(file, '.json')
    const notes = JSON.parse(readFileSync(resolve(folder, file), 'utf8')) as Catalog
    for (const [note] of messagesOf(notes, name))
      expect(
        paths.some((path) => path === note || path.startsWith(`${note}/`)),
        note,
      ).toBe(true)
  }
})

/** Sections and groups whose keys are values from the service, or of the code editor. */
const byValue = new Set(
  [
    'refusals problems configProblems cameraReasons recordingReasons exportReasons accessRules',
    'actions details states levels help hints by results engines phrases kinds sections about',
  ].flatMap((names) => names.split(' ')),
)

test('every message is used: each key of its path occurs in a source file', () => {
  const root = resolve(folder, '..')
  const pages = globSync('**/*.{ts,tsx}', { cwd: root, exclude: (name) => name.endsWith('catalogs.gen.ts') }).filter(
    (file) => !file.endsWith('.test.ts'),
  )
  const words = new Set(
    pages.flatMap((file) =>
      [...readFileSync(resolve(root, file), 'utf8').matchAll(/[A-Za-z]\w*/g)].map(([word]) => word),
    ),
  )
  const unused = [...english.keys()].filter((path) => {
    const [, ...keys] = path.split('/')
    if (keys.some((key) => byValue.has(key))) return false
    return keys.some((key) => /^\w+$/.test(key) && !words.has(key))
  })
  expect(english.size).toBeGreaterThan(900)
  expect(unused).toEqual([])
})

/** The catalogs that a module and its static imports use, by their calls of `useTexts`. */
function catalogsOf(file: string, seen = new Set<string>()): ReadonlySet<string> {
  const found = new Set<string>()
  if (seen.has(file) || !/\.tsx?$/.test(file) || !existsSync(file)) return found
  seen.add(file)
  const source = readFileSync(file, 'utf8')
  for (const [, names = ''] of source.matchAll(/useTexts\(([^)]*)\)/g))
    for (const [, name = ''] of names.matchAll(/'([\w-]+)'/g)) found.add(name)
  for (const [, path = ''] of source.matchAll(/^(?:import|export) (?!type)[^'()]*?from '(\.[^']+)'/gm))
    for (const name of catalogsOf(resolve(file, '..', path), seen)) found.add(name)
  return found
}

test('each route loads the texts that its page uses, so that no page waits twice', () => {
  const app = resolve(folder, '../app')
  const routes = readFileSync(resolve(app, 'routes.tsx'), 'utf8')
  const rows = [...routes.matchAll(/import\('([^']+)'\), '(\w+)'\),\n(?: {2}loader: texts\(([^)]*)\))?/g)]
  const shell = readFileSync(resolve(app, 'AppShell.tsx'), 'utf8')
  const [, newPassword = '', its = ''] = /import\('([^']+)'\),\s+loadTexts\([^[]*\[([^\]]*)\]/.exec(shell) ?? []
  const pages = [...rows.map(([, path = '', , texts = '']) => [path, texts]), [newPassword, its]]
  expect(pages.length).toBeGreaterThan(20)
  expect(newPassword).toContain('NewPasswordPage')
  for (const [path = '', texts = ''] of pages) {
    const loaded = [...texts.matchAll(/'([\w-]+)'/g)].map(([, name]) => name)
    // The frame of the settings loads its own texts.
    const used = [...catalogsOf(resolve(app, path))].filter((name) => name !== 'settings' || loaded.includes(name))
    expect(loaded, path).toEqual(expect.arrayContaining(used))
  }
})
