import { parseSync, Visitor } from 'vite'

/** A log line that isn't in the style that CONTRIBUTING.md describes. */
export interface LogProblem {
  /** Position in the file, in UTF-16 units. */
  readonly start: number
  readonly text: string
}

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [key: string]: unknown
}

const levels: ReadonlySet<string> = new Set(['debug', 'info', 'warn', 'error'])

/** Fields that have another name in every other line, or no unit. */
const advice: ReadonlyMap<string, string> = new Map([
  ['error', 'use err'],
  ['cause', 'use err'],
  ['detail', 'use reason'],
  ['problem', 'use reason'],
  ['path', 'use file'],
  ['dir', 'use folder'],
  ['username', 'use user'],
  ['ip', 'use address'],
  ['id', 'name what it identifies, as in export'],
  ['hours', 'say what lasts, as in interval_seconds'],
  ['seconds', 'say what lasts, as in interval_seconds'],
  ['milliseconds', 'say what lasts, as in wait_ms'],
])

const maxLength = 90

/** Problems of the calls `log.<level>(fields, message)` in a file. @throws Error where it cannot be parsed */
export function logProblems(file: string, source: string): readonly LogProblem[] {
  // Most files log nothing, and parsing takes long.
  if (!/\.\s*(?:debug|info|warn|error)\b/.test(source)) return []
  const { program, errors } = parseSync(file, source)
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`)
  const found: LogProblem[] = []
  new Visitor({
    CallExpression(node) {
      const { callee, arguments: given } = node
      if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return
      if (!levels.has(callee.property.name)) return
      if (!isLog(source.slice(callee.object.start, callee.object.end))) return
      const [fields, message] = given as unknown as readonly (Node | undefined)[]
      found.push(...fieldProblems(fields), ...messageProblems(message))
    },
  }).visit(program)
  return found
}

const isLog = (receiver: string): boolean => /(?:^|\.)log$|\.named\([^()]*\)$/.test(receiver.replaceAll(/\s/g, ''))

function fieldProblems(fields: Node | undefined): readonly LogProblem[] {
  if (fields?.type !== 'ObjectExpression') return []
  return (fields['properties'] as readonly Node[]).flatMap(({ type, start, key }) => {
    const name = type === 'Property' ? (key as { readonly name?: string }).name : undefined
    if (name === undefined) return []
    const instead = advice.get(name) ?? (/^[a-z][a-z0-9_]*$/.test(name) ? undefined : 'use snake_case')
    return instead === undefined ? [] : [{ start, text: `field “${name}”: ${instead}` }]
  })
}

function messageProblems(message: Node | undefined): readonly LogProblem[] {
  if (!message) return []
  const { type, start, value } = message
  if (type === 'ConditionalExpression') {
    return [message['consequent'] as Node, message['alternate'] as Node].flatMap(messageProblems)
  }
  if (type === 'TemplateLiteral' || type === 'BinaryExpression') {
    return [{ start, text: 'the message is put together: values go into fields' }]
  }
  if (typeof value !== 'string') return []
  const isName = /^\w+[A-Z]/.test(value)
  return [
    ...(/^[A-Z]/.test(value) && !isName ? ['the message begins with a capital letter'] : []),
    ...(/[.!…]$/.test(value) ? ['the message ends like a sentence'] : []),
    ...(value.length > maxLength
      ? [`the message has more than ${maxLength} characters: advice goes into the field hint`]
      : []),
  ].map((text) => ({ start, text }))
}
