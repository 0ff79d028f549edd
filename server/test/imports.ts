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

interface Fence {
  /** Folders whose run-time code can be imported. A path with a slash names one file. */
  readonly may: readonly string[]
  /** Folders from which only types can be imported. */
  readonly types?: readonly string[]
  /** False: no packages, Node's own modules included. */
  readonly packages?: false
}

const feature: Fence = { may: ['access', 'http/route.ts', 'media', 'shared'], types: ['store', 'config'] }

/** The folders of `server/src`, from the bottom up, and what each can import. A folder must be listed to exist. */
const folders: ReadonlyMap<string, Fence> = new Map(
  Object.entries({
    access: { may: [], packages: false },
    shared: { may: [] },
    media: { may: ['shared'] },
    store: { may: ['shared'] },
    tls: { may: ['shared'] },
    http: { may: ['access', 'shared'] },
    config: { may: ['access', 'http/route.ts', 'shared'] },
    users: { may: feature.may, types: ['store', 'config', 'http/authentication.ts'] },
    auth: { may: ['access', 'http/route.ts', 'users', 'shared'], types: ['http/authentication.ts'] },
    gate: { may: ['access', 'auth', 'http', 'shared'] },
    cameras: feature,
    recordings: feature,
    motion: feature,
    review: feature,
    exports: feature,
    audit: feature,
    events: feature,
    system: feature,
  }),
)

/** `app` and `main`, which wire everything together: the files outside of folders, and the folder `app`. */
const top = 'app'
const serverSource = 'server/src/'
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

/** What is wrong with an import, by the table; undefined if it is allowed. */
export function wrongWith({ from, to, typeOnly }: Import): string | undefined {
  const says = `${from} → ${to}${typeOnly ? ' (types)' : ''}`
  const ours = /^(server|web|bench|scripts)\//.test(to)
  if (from.startsWith('web/')) {
    if (to.startsWith('server/') && !typeOnly) return `${says}: the web UI can only import types from the server`
    return undefined
  }
  if (!from.startsWith(serverSource)) return undefined
  if (to === unreadable) return `${says}: its target is unknown`
  const folder = folderOf(from)
  if (folder === top)
    return ours && !to.startsWith(serverSource) ? `${says}: the server imports only the server` : undefined
  const fence = folders.get(folder)
  if (!fence) return `${from}: the folder ${folder} is not in the table of folders`
  if (!ours) return fence.packages === false ? `${says}: ${folder} can import no packages` : undefined
  if (!to.startsWith(serverSource)) return `${says}: the server imports only the server`
  if (folderOf(to) === folder) return undefined
  const allows = (entry: string) => entry === folderOf(to) || entry === to.slice(serverSource.length)
  if (fence.may.some(allows) || (typeOnly && fence.types?.some(allows))) return undefined
  return `${says}: ${folder} cannot import it${fence.types?.some(allows) ? ' at run time' : ''}`
}

/** A cycle of folders that import each other, as `a → b → a`; undefined if there is none. */
export const ringOfFolders = (imports: readonly Import[]): string | undefined =>
  ringOf(
    imports
      .filter(inServer)
      .map(({ from, to }) => [folderOf(from), folderOf(to)] as const)
      .filter(([from, to]) => from !== to),
  )

/** The same for files of the server. */
export const ringOfFiles = (imports: readonly Import[]): string | undefined =>
  ringOf(imports.filter(inServer).map(({ from, to }) => [from, to] as const))

const inServer = ({ from, to }: Import): boolean => from.startsWith(serverSource) && to.startsWith(serverSource)

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

function folderOf(file: string): string {
  const [folder = '', ...rest] = file.slice(serverSource.length).split('/')
  return rest.length > 0 ? folder : top
}
