import type { Path } from '../problem-collector.ts'

/**
 * The value of a file: a section is an object, a table whose names the user chooses is a Map, which keeps the order of
 * the file.
 */
export type Tree = unknown

export function valueAt(tree: Tree, path: Path): unknown {
  return path.reduce(inside, tree)
}

function inside(tree: unknown, part: string | number): unknown {
  if (tree instanceof Map) return tree.get(part)
  return typeof tree === 'object' && tree !== null ? Object.getOwnPropertyDescriptor(tree, part)?.value : undefined
}

/** Puts a value in place of another, and returns the tree: another one if the path is empty. */
export function replaced(tree: Tree, path: Path, value: unknown): Tree {
  const last = path.at(-1)
  if (last === undefined) return value
  const around = valueAt(tree, path.slice(0, -1))
  if (around instanceof Map) around.set(last, value)
  else if (typeof around === 'object' && around !== null) Reflect.set(around, last, value)
  return tree
}

export function remove(tree: Tree, path: Path): void {
  const around = valueAt(tree, path.slice(0, -1))
  if (typeof around === 'object' && around !== null) Reflect.deleteProperty(around, path.at(-1) ?? '')
}

/** The tree as JSON has it, with objects instead of Maps. */
export function plainOf(tree: Tree): unknown {
  if (Array.isArray(tree)) return tree.map(plainOf)
  if (typeof tree !== 'object' || tree === null) return tree
  const entries = tree instanceof Map ? [...tree] : Object.entries(tree)
  return Object.fromEntries(entries.map(([key, value]) => [key, plainOf(value)]))
}

/** Path of a JSON pointer into the tree. */
export function pathOf(tree: Tree, pointer: string): Path {
  const path: (string | number)[] = []
  for (const part of pointer.split('/').slice(1)) {
    const isIndex = Array.isArray(valueAt(tree, path))
    path.push(isIndex ? Number(part) : part.replaceAll('~1', '/').replaceAll('~0', '~'))
  }
  return path
}
