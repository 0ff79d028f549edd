import { parseSync } from 'vite'

/** A piece of a file: where it begins, and its words. */
export interface Piece {
  /** Position in the file, in UTF-16 units. */
  readonly start: number
  readonly text: string
}

/** What a source file is made of, as far as words go. */
export interface Words {
  /** Names that the file declares. */
  readonly names: readonly Piece[]
  /** Comments, strings, templates and text between tags. */
  readonly prose: readonly Piece[]
}

interface Node {
  readonly type: string
  readonly start: number
  readonly [key: string]: unknown
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string'

/** Keys below which an identifier is a declared name. */
const declaring: Readonly<Record<string, readonly string[]>> = {
  VariableDeclarator: ['id'],
  FunctionDeclaration: ['id', 'params'],
  FunctionExpression: ['id', 'params'],
  ArrowFunctionExpression: ['params'],
  ClassDeclaration: ['id'],
  TSTypeAliasDeclaration: ['id'],
  TSInterfaceDeclaration: ['id'],
  TSPropertySignature: ['key'],
  TSMethodSignature: ['key'],
  MethodDefinition: ['key'],
  PropertyDefinition: ['key'],
}

/** Reads TypeScript and TSX. @throws Error where it cannot be parsed. */
export function wordsIn(file: string, source: string): Words {
  const { program, comments, errors } = parseSync(file, source)
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`)
  const names: Piece[] = []
  const prose: Piece[] = comments.map(({ start, value }) => ({ start, text: value }))

  const pattern = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(pattern)
    if (!isNode(node)) return
    if (node.type === 'Identifier') names.push({ start: node.start, text: String(node['name']) })
    else if (node.type === 'ObjectPattern') pattern(node['properties'])
    else if (node.type === 'Property') pattern(node['value'])
    else if (node.type === 'ArrayPattern') pattern(node['elements'])
    else if (node.type === 'AssignmentPattern') pattern(node['left'])
    else if (node.type === 'RestElement') pattern(node['argument'])
  }
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(visit)
    if (!isNode(node)) return
    if (node.type === 'ImportDeclaration' || node.type === 'ImportExpression') return
    for (const key of declaring[node.type] ?? []) pattern(node[key])
    if (node.type === 'Literal' && typeof node['value'] === 'string')
      prose.push({ start: node.start, text: node['value'] })
    if (node.type === 'TemplateElement') {
      prose.push({ start: node.start, text: (node['value'] as { raw: string }).raw })
    }
    if (node.type === 'JSXText') prose.push({ start: node.start, text: String(node['value']) })
    for (const value of Object.values(node)) visit(value)
  }
  visit(program)
  return { names, prose }
}

/** The comments of a style sheet. */
export const commentsInCss = (source: string): readonly Piece[] =>
  [...source.matchAll(/\/\*.*?\*\//gs)].map(({ index, 0: text }) => ({ start: index, text }))

/** The texts of a JSON file, without its keys. */
export const textsInJson = (source: string): readonly Piece[] =>
  [...source.matchAll(/"(?:[^"\\]|\\.)*"(?!\s*:)/g)].map(({ index, 0: text }) => ({ start: index, text }))
