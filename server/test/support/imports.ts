import { dirname, join } from 'node:path/posix'
import { parseSync } from 'vite'

/** A source file: its path from the project root, and its text. */
export type Sources = ReadonlyMap<string, string>

export interface Import {
  readonly from: string
  /** The path from the project root for a file of this project; as written for a package. */
  readonly to: string
  /** Erased at run time. */
  readonly typeOnly: boolean
}

interface FolderRule {
  /** Folders whose run-time code can be imported. A path with a slash names one file. */
  readonly may: readonly string[]
  /** Folders from which only types can be imported. */
  readonly types?: readonly string[]
  /** False: no packages, Node's own modules included. */
  readonly packages?: false
}

/** Entry of a fence: the sections of the configuration, in whatever folder. */
const sections = '*.config.ts'

/** What declares a route: the only part of `http` that a feature can import. */
const routes = ['http/route.ts', 'http/caller.ts', 'http/response.ts', 'http/camera-place.ts']

const feature: FolderRule = {
  may: ['access', ...routes, 'media', 'shared'],
  types: ['store', 'config', sections],
}

/** Edits of the sections in the text of `config.yml`. */
const yamlEdits = ['config/edit-yaml.ts', 'config/text/yaml-text.ts']

/** A file that declares a section of the configuration: only such a file needs the engine at run time. */
const isSection = (file: string): boolean => file.endsWith('.config.ts')

type FolderRules = ReadonlyMap<string, FolderRule>

/** The folders of `server/src`, from the bottom up, and what each can import. A folder must be listed to exist. */
const serverFolders: FolderRules = new Map(
  Object.entries({
    access: { may: [], packages: false },
    shared: { may: [] },
    media: { may: ['shared'] },
    config: { may: ['access', 'shared'] },
    store: { may: ['shared'] },
    tls: { may: ['shared'] },
    http: { may: ['access', 'shared'] },
    users: { may: [...feature.may, ...yamlEdits], types: ['store', 'config', 'http/authentication.ts'] },
    auth: { may: ['access', ...routes, 'users', 'shared'], types: ['store', 'config', 'http/authentication.ts'] },
    gate: { may: ['access', 'auth', 'http', 'shared'] },
    cameras: { ...feature, may: [...feature.may, ...yamlEdits, 'config/redact-url.ts'] },
    recordings: feature,
    motion: feature,
    review: feature,
    exports: feature,
    audit: feature,
    events: feature,
    system: feature,
    cluster: {
      ...feature,
      may: [...feature.may, 'http/errors.ts', 'http/listener.ts', 'tls/name-constraints.ts', 'tls/x509.ts'],
    },
    'object-storage': feature,
    cli: { may: ['access', 'app', 'auth', 'backup', 'config', 'shared', 'store', 'users'] },
    backup: { may: ['shared', 'store', 'auth/token/jwt-secret.ts'] },
  }),
)

/** What every page of the web UI can import. */
const kit = ['lib', 'i18n', 'api', 'ui']
const page: FolderRule = { may: [...kit, 'session', 'events', 'cameras', 'player', 'playback', 'links'] }
const settingsPage: FolderRule = { may: [...kit, 'session', 'cameras', 'users', 'settings'] }

/** The same for `web/src`. Each page of the settings is its own folder. */
const webFolders: FolderRules = new Map(
  Object.entries({
    lib: { may: [] },
    i18n: { may: ['lib'] },
    api: { may: ['lib', 'i18n'] },
    ui: { may: ['lib', 'i18n', 'api'] },
    player: { may: kit },
    session: { may: kit },
    events: { may: ['lib', 'api', 'session'] },
    cameras: { may: [...kit, 'session', 'events'] },
    users: { may: kit },
    playback: { may: [...kit, 'events', 'cameras', 'player'] },
    tokens: { may: [...kit, 'session', 'cameras', 'users'] },
    links: { may: [...kit, 'session', 'cameras'] },
    account: { may: [...kit, 'session', 'cameras', 'links'] },
    'shared-link': { may: [...kit, 'player'] },
    live: page,
    review: page,
    exports: page,
    // A clip is exported where it is selected.
    history: { may: [...page.may, 'exports'] },
    // A screen shows the same video as the live page, without its controls.
    screen: { may: [...page.may, 'live'] },
    settings: { may: kit },
    'settings/access': { may: [...settingsPage.may, 'links'] },
    'settings/audit': settingsPage,
    'settings/cameras': settingsPage,
    'settings/config': settingsPage,
    'settings/instances': settingsPage,
    'settings/links': { may: [...settingsPage.may, 'links'] },
    'settings/log': settingsPage,
    'settings/motion': settingsPage,
    'settings/roles': settingsPage,
    'settings/screens': settingsPage,
    'settings/storage': settingsPage,
    'settings/system': settingsPage,
    'settings/tokens': { may: [...settingsPage.may, 'tokens'] },
    'settings/users': settingsPage,
  }),
)

interface Tree {
  /** Path from the project root, with a slash at the end. */
  readonly source: string
  readonly folders: FolderRules
  /** Folders whose own folders count as folders. */
  readonly nested: readonly string[]
}

const server: Tree = { source: 'server/src/', folders: serverFolders, nested: [] }
const web: Tree = { source: 'web/src/', folders: webFolders, nested: ['settings'] }
const trees = [server, web]

/** The types of the API, for the web UI. */
const apiTypes = 'server/src/api-types.ts'
/** Code that the service and the web UI share. It imports nothing from outside its folder, so that it runs in both. */
const withWeb = 'server/src/shared/with-web/'

/** What wires everything together: the files outside of folders, and the folder `app`. */
const top = 'app'
/** The target of `import(name)`. */
const unreadable = '(a name computed at run time)'

/** Every import, re-export and `import()` of the files. */
export function importsOf(sources: Sources): Import[] {
  return [...sources].flatMap(([file, text]) => {
    const { module, errors } = parseSync(file, text)
    if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0]?.message}`)
    const named = (specifier: string, typeOnly: boolean): Import => ({
      from: file,
      to: specifier.startsWith('.') ? join(dirname(file), specifier) : specifier,
      typeOnly,
    })
    return [
      // `import { type A }` still runs the file; `import type` does not.
      ...module.staticImports.map(({ moduleRequest, start }) =>
        named(moduleRequest.value, /^import\s+type\b/.test(text.slice(start))),
      ),
      ...module.staticExports.flatMap(({ entries, start }) =>
        entries.flatMap(({ moduleRequest }) =>
          moduleRequest ? [named(moduleRequest.value, /^export\s+type\b/.test(text.slice(start)))] : [],
        ),
      ),
      ...module.dynamicImports.map(({ moduleRequest }) => {
        const written = text.slice(moduleRequest.start, moduleRequest.end)
        return named(/^(['"`])[^'"`$]*\1$/.test(written) ? written.slice(1, -1) : unreadable, false)
      }),
    ]
  })
}

/** A file that another loads without importing it as a module: a thread, a child process, a style sheet. */
const loaded = /(?:new URL\(|join\(import\.meta\.dirname, |@import )'([\w./-]+\.(?:ts|mjs|css))'/g

/** Every file that the entries need, themselves included, by an import or as a thread, child process or style sheet. */
export function reachableFrom(entries: readonly string[], sources: Sources): Set<string> {
  const needs = new Map<string, string[]>()
  const add = (from: string, to: string) => needs.set(from, [...(needs.get(from) ?? []), to])
  const modules = new Map([...sources].filter(([file]) => !file.endsWith('.css')))
  for (const { from, to } of importsOf(modules)) add(from, to)
  for (const [file, text] of sources)
    for (const [, name = ''] of text.matchAll(loaded)) add(file, join(dirname(file), name))
  const reached = new Set(entries)
  // A set's loop includes what is added during it.
  for (const file of reached) for (const next of needs.get(file) ?? []) reached.add(next)
  return reached
}

/** What is wrong with an import, by the tables; undefined if it is allowed. */
export function wrongWith({ from, to, typeOnly }: Import): string | undefined {
  const says = `${from} → ${to}${typeOnly ? ' (types)' : ''}`
  const tree = treeOf(from)
  if (!tree) return undefined
  if (to === unreadable) return `${says}: its target is unknown`
  const folder = folderOf(tree, from)
  const rule = folder === top ? undefined : tree.folders.get(folder)
  if (folder !== top && !rule) return `${from}: the folder ${folder} is not in the table of folders`
  if (from.startsWith(withWeb) && !to.startsWith(withWeb))
    return `${says}: what the service shares with the web UI imports nothing else`
  const ours = /^(server|web|attacks|bench|scripts|e2e)\//.test(to)
  if (!ours) return rule?.packages === false ? `${says}: ${folder} can import no packages` : undefined
  if (tree === web && to.startsWith('server/'))
    return (typeOnly && to === apiTypes) || to.startsWith(withWeb)
      ? undefined
      : `${says}: of the server, the web UI only imports the types of the API and shared/with-web`
  if (!to.startsWith(tree.source)) return `${says}: only files below ${tree.source} can be imported`
  if (!rule || folderOf(tree, to) === folder) return undefined
  const allows = (entry: string) =>
    entry === folderOf(tree, to) || entry === to.slice(tree.source.length) || (entry === sections && isSection(to))
  if (tree === server && isSection(from) && folderOf(tree, to) === 'config') return undefined
  if (rule.may.some(allows) || (typeOnly && rule.types?.some(allows))) return undefined
  return `${says}: ${folder} cannot import it${rule.types?.some(allows) ? ' at run time' : ''}`
}

/** A cycle of folders that import each other, as `a → b → a`; undefined if there is none. */
export const ringOfFolders = (imports: readonly Import[]): string | undefined =>
  firstOf(trees, (tree) =>
    ringOf(
      imports
        .filter(within(tree))
        .map(({ from, to }) => [folderOf(tree, from), folderOf(tree, to)] as const)
        .filter(([from, to]) => from !== to),
    ),
  )

/** The same inside a folder: of its own folders, and the files next to them. */
export const ringInFolder = (imports: readonly Import[]): string | undefined =>
  firstOf(trees, (tree) =>
    ringOf(
      imports
        .filter(within(tree))
        .map(({ from, to }) => [partOf(tree, from), partOf(tree, to)] as const)
        .filter(([from, to]) => from !== to),
    ),
  )

/** The same for files, wherever they are. */
export const ringOfFiles = (imports: readonly Import[]): string | undefined =>
  ringOf(imports.map(({ from, to }) => [from, to] as const))

const within =
  ({ source }: Tree) =>
  ({ from, to }: Import): boolean =>
    from.startsWith(source) && to.startsWith(source)

const firstOf = <T, Found>(all: readonly T[], find: (each: T) => Found | undefined): Found | undefined =>
  all.map(find).find((found) => found !== undefined)

const treeOf = (file: string): Tree | undefined => trees.find(({ source }) => file.startsWith(source))

function ringOf(pairs: readonly (readonly [from: string, to: string])[]): string | undefined {
  const needs = new Map<string, Set<string>>()
  for (const [from, to] of pairs) needs.set(from, (needs.get(from) ?? new Set()).add(to))
  /** No cycle is reachable from here. */
  const clear = new Set<string>()
  const follow = (path: readonly string[]): string | undefined => {
    const last = path.at(-1) ?? ''
    for (const next of clear.has(last) ? [] : (needs.get(last) ?? [])) {
      if (path.includes(next)) return [...path.slice(path.indexOf(next)), next].join(' → ')
      const ring = follow([...path, next])
      if (ring) return ring
    }
    clear.add(last)
    return undefined
  }
  return [...needs.keys()].map((each) => follow([each])).find((ring) => ring !== undefined)
}

function folderOf({ source, nested }: Tree, file: string): string {
  const folders = file.slice(source.length).split('/').slice(0, -1)
  const [folder = top] = folders
  return nested.includes(folder) ? folders.slice(0, 2).join('/') : folder
}

/** `auth/session` for a file in a folder of a folder, otherwise the file itself. */
function partOf({ source }: Tree, file: string): string {
  const path = file.slice(source.length).split('/')
  return path.slice(0, 2).join('/')
}
