import { localeFor } from './locale.ts'

/** Texts by plural category; `=0` is for zero only. As in ICU messages, `#` stands for the number. */
export type PluralForms = { readonly other: string } & {
  readonly [Category in '=0' | 'zero' | 'one' | 'two' | 'few' | 'many']?: string
}

/**
 * The plural rules and number format of a language. Numbers use the browser's region if it matches the language.
 *
 * @param tag BCP 47
 */
export function countingIn(tag: string) {
  let rules: Intl.PluralRules | undefined
  let format: Intl.NumberFormat | undefined
  const number = (value: number): string => {
    format ??= new Intl.NumberFormat(localeFor(tag, globalThis.navigator?.languages ?? []))
    return format.format(value)
  }
  /** @param values replace `{name}` in the text */
  const plural = (count: number, forms: PluralForms, values: Readonly<Record<string, string>> = {}): string => {
    rules ??= new Intl.PluralRules(tag)
    const form = (count === 0 ? forms['=0'] : undefined) ?? forms[rules.select(count)] ?? forms.other
    return form.replaceAll(/#|\{(\w+)\}/g, (found, name?: string) =>
      name === undefined ? number(count) : (values[name] ?? found),
    )
  }
  return { plural, number }
}
