import { dirname, join } from 'node:path/posix'
import { parseSync } from 'vite'

/** A source file: its path from the root of the project, and its text. */
export type Sources = ReadonlyMap<string, string>

export interface Import {
  readonly from: string
  /** The path from the root of the project for a file of ours; as written for a package. */
  readonly to: string
  /** Nothing of it is left at run time. */
  readonly typeOnly: boolean
}

interface Fence {
  /** Folders whose run-time code may be imported. A path with a slash names one file. */
  readonly may: readonly string[]
  /** Folders of which only types may be imported. */
  readonly types?: readonly string[]
  /** False: nothing that is not ours, node's own modules included. */
  readonly packages?: false
}

const feature: Fence = { may: ['access', 'http/route.ts', 'media', 'shared'], types: ['store', 'config'] }

/** The folders of `server/src`, from the bottom up, and what each may import. A folder that is not here may not exist. */
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

/** `app` and `main`, which put everything together: the files that lie in no folder, and the folder `app`. */
const top = 'app'
const serverSource = 'server/src/'
/** What `import(name)` imports. */
const unreadable = '(a name made at run time)'

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

/** What is wrong with an import, by the table; undefined where nothing is. */
export function wrongWith({ from, to, typeOnly }: Import): string | undefined {
  const says = `${from} → ${to}${typeOnly ? ' (types)' : ''}`
  const ours = /^(server|web|bench|scripts)\//.test(to)
  if (from.startsWith('web/')) {
    if (to.startsWith('server/') && !typeOnly) return `${says}: the web UI takes only types from the server`
    return undefined
  }
  if (!from.startsWith(serverSource)) return undefined
  if (to === unreadable) return `${says}: nobody can tell what it imports`
  const folder = folderOf(from)
  if (folder === top) return ours && !to.startsWith(serverSource) ? `${says}: the server stands alone` : undefined
  const fence = folders.get(folder)
  if (!fence) return `${from}: the folder ${folder} is not in the table of folders`
  if (!ours) return fence.packages === false ? `${says}: ${folder} imports nothing` : undefined
  if (!to.startsWith(serverSource)) return `${says}: the server stands alone`
  if (folderOf(to) === folder) return undefined
  const allows = (entry: string) => entry === folderOf(to) || entry === to.slice(serverSource.length)
  if (fence.may.some(allows) || (typeOnly && fence.types?.some(allows))) return undefined
  return `${says}: ${folder} may not import it${fence.types?.some(allows) ? ' at run time' : ''}`
}

/** A ring of folders that need each other, as `a → b → a`; undefined where there is none. */
export const ringOfFolders = (imports: readonly Import[]): string | undefined =>
  ringOf(
    imports
      .filter(inServer)
      .map(({ from, to }) => [folderOf(from), folderOf(to)] as const)
      .filter(([from, to]) => from !== to),
  )

/** The same of files of the server. */
export const ringOfFiles = (imports: readonly Import[]): string | undefined =>
  ringOf(imports.filter(inServer).map(({ from, to }) => [from, to] as const))

const inServer = ({ from, to }: Import): boolean => from.startsWith(serverSource) && to.startsWith(serverSource)

function ringOf(pairs: readonly (readonly [from: string, to: string])[]): string | undefined {
  const needs = new Map<string, Set<string>>()
  for (const [from, to] of pairs) needs.set(from, (needs.get(from) ?? new Set()).add(to))
  /** From here no ring is reached. */
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
