import { dirname, join } from 'node:path/posix'
import { hashOf } from './measured-test.ts'
import { nodeAt, nodesAt, parse } from './syntax.ts'

export interface Imports {
  /** The files that a file imports at run time, directly or through others, and the file itself. */
  of(file: string): ReadonlySet<string>
  /** Changes with the text of each of these files. */
  hashOf(file: string): string
}

/** @param read the text of a file, by its path from the project root; undefined if there is none */
export function createImports(read: (file: string) => string | undefined): Imports {
  const known = new Map<string, { readonly direct: readonly string[]; readonly hash: string }>()
  const parsed = (file: string) => {
    const earlier = known.get(file)
    if (earlier) return earlier
    const text = read(file)
    const found = { direct: directImports(file, text), hash: hashOf(text ?? '') }
    known.set(file, found)
    return found
  }
  const of = (file: string): ReadonlySet<string> => {
    const found = new Set<string>()
    const waiting = [file]
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (found.has(next)) continue
      found.add(next)
      waiting.push(...parsed(next).direct)
    }
    return found
  }
  const versionOf = (file: string): string => `${file}#${parsed(file).hash}`
  return { of, hashOf: (file) => hashOf([...of(file)].map(versionOf).sort().join('\n')) }
}

const withSource = new Set(['ImportDeclaration', 'ExportNamedDeclaration', 'ExportAllDeclaration'])

function directImports(file: string, text: string | undefined): string[] {
  if (text === undefined) return []
  return nodesAt(parse(file, text), 'body').flatMap((node) => {
    if (!withSource.has(node.type) || node['source'] === null || node['source'] === undefined) return []
    if (node['importKind'] === 'type' || node['exportKind'] === 'type') return []
    const from = nodeAt(node, 'source')['value']
    return typeof from === 'string' && from.startsWith('.') ? [join(dirname(file), from)] : []
  })
}
