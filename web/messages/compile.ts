import { parse, TYPE, type MessageFormatElement } from '@formatjs/icu-messageformat-parser'

/** ICU messages by name, nested. */
export interface Catalog {
  readonly [name: string]: string | Catalog
}

/** What a parameter's value must be. `boolean` is a select between `true` and `other`. */
export type ParameterType = 'string' | 'number' | 'boolean'

/** @throws Error if the text is not a valid ICU message, or uses a form that `compileCatalog` doesn't know */
export function parseMessage(message: string): readonly MessageFormatElement[] {
  return parse(message, { ignoreTag: true, shouldParseSkeletons: true, requiresOtherClause: true })
}

/** The parameters of a message with their types, in order of appearance. @throws Error as `parseMessage` does */
export function parametersOf(message: string): ReadonlyMap<string, ParameterType> {
  const found = new Map<string, ParameterType>()
  const add = (name: string, type: ParameterType) => {
    const known = found.get(name)
    // The number of a plural can also appear in a select, and so on: the stricter type wins.
    if (known === undefined || known === 'string') found.set(name, type)
    else if (type !== 'string' && type !== known) throw new Error(`{${name}} is a ${known} and a ${type}`)
  }
  const visit = (elements: readonly MessageFormatElement[]): void => {
    for (const element of elements) {
      if (element.type === TYPE.argument) add(element.value, 'string')
      else if (element.type === TYPE.number) add(element.value, 'number')
      else if (element.type === TYPE.plural || element.type === TYPE.select) {
        const isFlag = Object.keys(element.options).every((option) => option === 'true' || option === 'other')
        add(element.value, element.type === TYPE.plural ? 'number' : isFlag ? 'boolean' : 'string')
        for (const option of Object.values(element.options)) visit(option.value)
      }
    }
  }
  visit(parseMessage(message))
  return found
}

/** The parameters whose values the message shows. A translation can leave out others, which only select a form. */
export function shownParametersOf(message: string): ReadonlySet<string> {
  const found = new Set<string>()
  const visit = (elements: readonly MessageFormatElement[], counted?: string): void => {
    for (const element of elements) {
      if (element.type === TYPE.argument || element.type === TYPE.number) found.add(element.value)
      else if (element.type === TYPE.pound && counted !== undefined) found.add(counted)
      else if (element.type === TYPE.plural || element.type === TYPE.select)
        for (const { value } of Object.values(element.options))
          visit(value, element.type === TYPE.plural ? element.value : counted)
    }
  }
  visit(parseMessage(message))
  return found
}

/**
 * The source of an ES module whose default export has the catalog's shape: a string for each message without
 * parameters, and a function of its parameters for each other message.
 *
 * @param english decides which messages have parameters: a translation can do without
 * @param tag BCP 47
 * @throws Error if a message is not valid, with its path
 * @param formats the path of `i18n/formats.ts`, as the module imports it
 */
export function compileCatalog(catalog: Catalog, english: Catalog, tag: string, formats: string): string {
  return [
    `import { formatsIn } from ${JSON.stringify(formats)}`,
    `const { number, plural, select, withoutFinalPeriod } = formatsIn(${JSON.stringify(tag)})`,
    `export default ${objectOf(catalog, english, [])}`,
    '',
  ].join('\n')
}

/**
 * The source of an object with the catalog's shape.
 *
 * @param valuesType the type annotation of a function's values; none in JavaScript
 */
export function objectOf(
  catalog: Catalog,
  english: Catalog,
  path: readonly string[],
  valuesType: (english: string) => string = () => '',
): string {
  const entries = Object.entries(catalog).map(([name, value]) => {
    const [inner, source] = [[...path, name], english[name]]
    const compiled =
      typeof value === 'string'
        ? messageIn(value, typeof source === 'string' ? source : value, inner, valuesType)
        : objectOf(value, typeof source === 'object' ? source : value, inner, valuesType)
    return `${JSON.stringify(name)}: ${compiled}`
  })
  return `{ ${entries.join(', ')} }`
}

function messageIn(
  message: string,
  english: string,
  path: readonly string[],
  valuesType: (english: string) => string,
): string {
  try {
    parametersOf(message)
    const text = textOf(parseMessage(message))
    return parametersOf(english).size === 0 ? text : `(v${valuesType(english)}) => ${text}`
  } catch (error) {
    throw new Error(`${path.join('.')}: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
  }
}

/** An expression for the text. @param counted the number that `#` stands for, as an expression */
function textOf(elements: readonly MessageFormatElement[], counted?: string): string {
  const parts = elements.map((element, at) => partOf(element, counted, elements[at + 1]))
  const [only] = elements
  if (only && elements.length === 1 && isCall(only)) return parts.join('').slice('${'.length, -'}'.length)
  const template = parts.join('')
  return elements.every(({ type }) => type === TYPE.literal)
    ? JSON.stringify(elements.map((element) => ('value' in element ? element.value : '')).join(''))
    : `\`${template}\``
}

/** Whether an element becomes a call, which needs no template literal around it. */
const isCall = ({ type }: MessageFormatElement): boolean => type === TYPE.plural || type === TYPE.select

/** Whether a sentence ends here: a value before it can end with a period too, for example `5:00 p.m.`. */
const endsSentence = (next: MessageFormatElement | undefined): boolean =>
  next?.type === TYPE.literal && /^\.(?:\s|$)/.test(next.value)

/** The part of a template literal. */
function partOf(
  element: MessageFormatElement,
  counted: string | undefined,
  next: MessageFormatElement | undefined,
): string {
  switch (element.type) {
    case TYPE.literal:
      return element.value.replaceAll(/[\\`]|\$\{/g, String.raw`\$&`)
    case TYPE.argument:
      return endsSentence(next) ? `\${withoutFinalPeriod(${valueOf(element.value)})}` : `\${${valueOf(element.value)}}`
    case TYPE.number: {
      const options = typeof element.style === 'object' ? element.style?.parsedOptions : undefined
      const rest = options && Object.keys(options).length > 0 ? `, ${JSON.stringify(options)}` : ''
      return `\${number(${valueOf(element.value)}${rest})}`
    }
    case TYPE.pound:
      return `\${number(${counted})}`
    case TYPE.select:
      return `\${select(${valueOf(element.value)}, ${optionsOf(element.options, counted)})}`
    case TYPE.plural: {
      if (element.offset !== 0 || element.pluralType !== 'cardinal')
        throw new Error(`{${element.value}} has an offset or is an ordinal, which formats.ts doesn't support`)
      const value = valueOf(element.value)
      return `\${plural(${value}, ${optionsOf(element.options, value)})}`
    }
    default:
      throw new Error('dates, times and tags are not supported: format them in code and pass them as a parameter')
  }
}

const valueOf = (name: string): string => {
  if (!/^[a-zA-Z]\w*$/.test(name)) throw new Error(`{${name}} is not a name`)
  return `v.${name}`
}

function optionsOf(
  options: Readonly<Record<string, { readonly value: MessageFormatElement[] }>>,
  counted: string | undefined,
): string {
  const entries = Object.entries(options).map(
    ([option, { value }]) => `${JSON.stringify(option)}: ${textOf(value, counted)}`,
  )
  return `{ ${entries.join(', ')} }`
}
