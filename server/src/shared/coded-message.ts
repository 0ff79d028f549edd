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
