import { applied, type Mutant } from './mutations.ts'
import type { MutatedSource } from './sources.ts'
import { childrenOf, nodeAt, parse, type Edit, type Node } from './syntax.ts'

/** The global function that gives a source its switch: a function that says whether the mutant of an index is on. */
export const switchFunction = '__mutantSwitch'

/** A node that can be replaced as a whole, and the mutants that change something in it. */
interface Place {
  readonly kind: 'expression' | 'statement' | 'case'
  readonly node: Node
  readonly mutants: (Edit & { readonly index: number })[]
}

/**
 * The source with all of its mutants: `a === b` becomes `(isOn(0) ? (true) : isOn(1) ? (false) : a === b)`. As long as
 * none is on, it does what the source does.
 *
 * @param name what the source is called when it asks for its switch
 * @param mutants all mutants of the source; the index of a mutant is its place in the list
 */
export function switched(name: string, text: string, mutants: readonly Mutant[]): string {
  const program = parse('source.ts', text)
  const places = new Map<Node, Place>()
  mutants.forEach((mutant, index) => {
    const found = placeOf(program, mutant)
    const place = places.get(found.node) ?? { ...found, mutants: [] }
    place.mutants.push({ ...mutant, index })
    places.set(found.node, place)
  })
  const header = `const ${isOn} = ${switchFunction}(${JSON.stringify(name)});`
  return header + text.slice(0, program.start) + textOf(program, text, places) + text.slice(program.end)
}

/**
 * A source with all of its mutants.
 *
 * @param current its text now
 * @throws Error if the text has changed, as no mutant of the list would ever be on
 */
export function switchedSource({ file, text, key, mutants }: MutatedSource, current: string): string {
  if (current !== text) throw new Error(`${file} has changed since its mutants were listed`)
  return switched(key, text, mutants)
}

const isOn = '__isOn'
const anyOn = (mutants: Place['mutants']): string => mutants.map(({ index }) => `${isOn}(${index})`).join(' || ')

function textOf(node: Node, text: string, places: ReadonlyMap<Node, Place>): string {
  const place = places.get(node)
  const children = childrenOf(node)
  const inner = (from: number, to: number) => withChildren(children, { from, to, text, places })
  switch (place?.kind) {
    case undefined:
      return inner(node.start, node.end)
    case 'statement':
      return `{ if (!(${anyOn(place.mutants)})) ${inner(node.start, node.end)} }`
    case 'case': {
      // What falls through from the label above goes on to the next one.
      const test = nodeAt(node, 'test')
      const body = text.indexOf(':', test.end) + 1
      const on = anyOn(place.mutants)
      return `case ${on} ? {} : (${inner(test.start, test.end)}): if (!(${on})) { ${inner(body, node.end)} }`
    }
    case 'expression': {
      const original = text.slice(node.start, node.end)
      const versions = place.mutants.map(({ index, start, end, text: replacement }) => {
        const edit = { start: start - node.start, end: end - node.start, text: replacement }
        return `${isOn}(${index}) ? (${applied(original, edit)}) : `
      })
      return `(${versions.join('')}${inner(node.start, node.end)})`
    }
  }
}

interface Span {
  readonly from: number
  readonly to: number
  readonly text: string
  readonly places: ReadonlyMap<Node, Place>
}

/** The text of a span, in which each child stands with its mutants. */
function withChildren(children: readonly Node[], { from, to, text, places }: Span): string {
  let result = ''
  let at = from
  // The key and the value of `{ a }` are two nodes in one place.
  const outermost = children.toSorted((one, other) => one.start - other.start || other.end - one.end)
  for (const child of outermost) {
    if (child.start < at || child.end > to) continue
    result += text.slice(at, child.start) + textOf(child, text, places)
    at = child.end
  }
  return result + text.slice(at, to)
}

/** @throws Error if nothing around the change can be replaced */
function placeOf(program: Node, { start, end, text }: Edit): Omit<Place, 'mutants'> {
  const around = nodesAround(program, start, end)
  const exact = around.filter((node) => node.start === start && node.end === end)
  const statement = text === ';' && exact.find(({ type }) => type.endsWith('Statement'))
  if (statement) return { kind: 'statement', node: statement }
  const switchCase = text === '' && exact.find(({ type }) => type === 'SwitchCase')
  if (switchCase) return { kind: 'case', node: switchCase }
  const at = around.findLastIndex((node, index) => isWhole(node, around[index - 1], text === ''))
  const node = around[chainAround(around, at)]
  if (!node) throw new Error(`no expression around ${start} to ${end}`)
  return { kind: 'expression', node }
}

/** The nodes that contain a span, the outermost first. */
function nodesAround(program: Node, start: number, end: number): Node[] {
  const around: Node[] = []
  for (let next: Node | undefined = program; next;) {
    around.push(next)
    next = childrenOf(next)
      .filter((child) => child.start <= start && end <= child.end)
      .sort((one, other) => other.end - other.start - (one.end - one.start))[0]
  }
  return around
}

/** Whether the node is an expression, and not the name of a property. */
function isWhole(node: Node, parent: Node | undefined, removesElement: boolean): boolean {
  if (removesElement) return node.type === 'ArrayExpression'
  const isName = parent?.type === 'MemberExpression' && parent['property'] === node && parent['computed'] !== true
  // The callee of a call keeps its `this`.
  const isCallee = node.type === 'MemberExpression' && parent?.type === 'CallExpression' && parent['callee'] === node
  return !isName && !isCallee && /Expression$|Literal$|^Identifier$/.test(node.type)
}

/** A part of `a?.b.c` ends together with the whole if `a` is undefined, so the whole is what can be replaced. */
function chainAround(around: readonly Node[], at: number): number {
  for (let index = at; index > 0; index -= 1) {
    const [node, parent] = [around[index], around[index - 1]]
    if (parent?.type === 'ChainExpression') return index - 1
    const isLink = parent?.['object'] === node || parent?.['callee'] === node || parent?.type === 'TSNonNullExpression'
    if (!isLink) return at
  }
  return at
}
