/** `12 days`, localized; in hours below two days. */
export function days(count: number, locale: string): string {
  const [value, unit] = count < 2 ? [count * 24, 'hour'] : [count, 'day']
  return new Intl.NumberFormat(locale, {
    style: 'unit',
    unit,
    unitDisplay: 'long',
    maximumFractionDigits: value < 3 ? 1 : 0,
  }).format(value)
}
