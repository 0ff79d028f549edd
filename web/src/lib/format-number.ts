const sizes = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte', 'petabyte']
const paces = ['bit', 'kilobit', 'megabit', 'gigabit', 'terabit'].map((unit) => `${unit}-per-second`)

/** `1.4 GB`, localized; powers of 1000, as disks are sold. */
export const bytes = (count: number, locale: string): string => scaled(count, sizes, locale)

/** `2.5 Mb/s`, localized. */
export const bitsPerSecond = (count: number, locale: string): string => scaled(count, paces, locale)

/** `3.5%`, localized. @param percent from 0 to 100 */
export const percent = (percent: number, locale: string): string =>
  new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: percent < 10 ? 1 : 0 }).format(percent / 100)

function scaled(count: number, units: readonly string[], locale: string): string {
  const step = count < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(count) / 3))
  const value = count / 1000 ** step
  const unit = units[step] ?? 'byte'
  return new Intl.NumberFormat(locale, {
    style: 'unit',
    unit,
    unitDisplay: step === 0 ? 'long' : 'short',
    maximumFractionDigits: value < 10 && step > 0 ? 1 : 0,
  }).format(value)
}
