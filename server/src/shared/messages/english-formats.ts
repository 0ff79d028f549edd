/** What the texts in english.gen.ts format with. */
const rules = new Intl.PluralRules('en')

type Options = Readonly<Record<string, string>>

export const number = (value: number, options?: Intl.NumberFormatOptions): string => value.toLocaleString('en', options)

/** An exact number (`=0`) goes before the plural category. */
export const plural = (count: number, texts: Options): string =>
  texts[`=${count}`] ?? texts[rules.select(count)] ?? texts['other'] ?? ''

export const select = (value: string | boolean, texts: Options): string => texts[String(value)] ?? texts['other'] ?? ''

/** A value at the end of a sentence, which ends with its own period. */
export const withoutFinalPeriod = (value: string | undefined): string => value?.replace(/\.$/, '') ?? ''
