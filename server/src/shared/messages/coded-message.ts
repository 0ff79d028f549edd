import { english } from './english.gen.ts'

/** Codes of messages without values. */
type Plain<Sentences> = {
  [Code in keyof Sentences & string]: Sentences[Code] extends null ? Code : never
}[keyof Sentences & string]

/**
 * A message for users: `message` in English, and for translation a stable code with the values in the message.
 * `Sentences` maps each code to its values; null if it has none.
 */
export type CodedMessage<Sentences extends object> =
  | { readonly code: Plain<Sentences>; readonly values?: undefined; readonly message: string }
  | {
      [Code in Exclude<keyof Sentences & string, Plain<Sentences>>]: {
        readonly code: Code
        readonly values: Sentences[Code]
        readonly message: string
      }
    }[Exclude<keyof Sentences & string, Plain<Sentences>>]

/** A coded message with any codes. */
export interface AnyCodedMessage {
  readonly code: string
  readonly values?: object | undefined
  readonly message: string
}

/** What a text needs to be shown; null: nothing. */
type ValuesOf<Text> = Text extends (shown: infer Values) => string ? Values : null

/** The values as the text shows them: required if they aren't those of the message. */
export type ShownValues<Text, Values> =
  ValuesOf<Text> extends null ? [] : Values extends ValuesOf<Text> ? [] : [shown: ValuesOf<Text>]

/** Codes whose text shows no values. */
type Fixed<Texts> = { [Code in keyof Texts & string]: ValuesOf<Texts[Code]> extends null ? Code : never }[keyof Texts &
  string]

/** Makes a coded message with the English text of its code. */
interface MakeMessage<Texts> {
  <Code extends Fixed<Texts>>(code: Code): { readonly code: Code; readonly message: string }
  <Code extends keyof Texts & string, const Values extends object>(
    code: Code,
    values: Values,
    ...shown: ShownValues<Texts[Code], Values>
  ): { readonly code: Code; readonly values: Values; readonly message: string }
}

/** For the codes of one section of the English texts. */
export const codedMessages =
  <Texts extends object>(texts: Texts): MakeMessage<Texts> =>
  (code: string, values?: object, shown: unknown = values) =>
    ({ code, ...(values && { values }), message: textOf(texts, code, shown) }) as never

/** The English text of a code. */
export function textOf(texts: object, code: string, shown: unknown): string {
  // Callers' types guarantee that the code has a text and that the values match it.
  const text = (texts as Readonly<Record<string, string | ((shown: unknown) => string)>>)[code] ?? code
  return typeof text === 'function' ? text(shown) : text
}

/** A problem with one field of a request. */
export const fieldProblem = codedMessages(english.problems)
