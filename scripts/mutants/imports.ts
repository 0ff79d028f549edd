import { dirname, join } from 'node:path/posix'
import { nodeAt, nodesAt, parse } from './syntax.ts'

/**
 * The files that a file imports at run time, directly or through others, and the file itself.
 *
 * @param read the text of a file, by its path from the project root; undefined if there is none
 */
export function importsOf(
  file: string,
  read: (file: string) => string | undefined,
  known: Map<string, readonly string[]>,
): ReadonlySet<string> {
  const found = new Set<string>()
  const waiting = [file]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (found.has(next)) continue
    found.add(next)
    const direct = known.get(next) ?? directImports(next, read(next))
    known.set(next, direct)
    waiting.push(...direct)
  }
  return found
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
