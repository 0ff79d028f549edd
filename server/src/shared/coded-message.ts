/** Codes of sentences that hold no value. */
type Plain<Sentences> = {
  [Code in keyof Sentences & string]: Sentences[Code] extends null ? Code : never
}[keyof Sentences & string]

/**
 * A sentence for people: `message` in English, and the same for those who say it in another language: a stable code and
 * the values that the sentence holds. `Sentences` gives each code its values; null where it holds none.
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

/** Any of them, where it no longer matters whose. */
export interface AnyCodedMessage {
  readonly code: string
  readonly values?: object | undefined
  readonly message: string
}
