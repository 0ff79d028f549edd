import { localeFor } from './locale.ts'

type Options = Readonly<Record<string, string>>

/**
 * What compiled messages format with. Numbers use the browser's region if it matches the language.
 *
 * @param tag BCP 47
 */
export function formatsIn(tag: string) {
  let rules: Intl.PluralRules | undefined
  let plain: Intl.NumberFormat | undefined
  const format = (options?: Intl.NumberFormatOptions) =>
    new Intl.NumberFormat(localeFor(tag, globalThis.navigator?.languages ?? []), options)
  return {
    number: (value: number, options?: Intl.NumberFormatOptions): string =>
      (options ? format(options) : (plain ??= format())).format(value),
    /** An exact number (`=0`) goes before the plural category. */
    plural: (count: number, texts: Options): string | undefined =>
      texts[`=${count}`] ?? texts[(rules ??= new Intl.PluralRules(tag)).select(count)] ?? texts['other'],
    /** A value at the end of a sentence, which ends with its own period. A service of another version may lack it. */
    withoutFinalPeriod: (value: string | undefined): string => value?.replace(/\.$/, '') ?? '',
    select: (value: string | boolean, texts: Options): string | undefined => texts[String(value)] ?? texts['other'],
  }
}
