/** `Side yard, Front door and 3 more`, localized. @param total number of names, if `names` are only the first of them */
export function formatList(
  names: readonly string[],
  locale: string,
  more: (values: { count: number }) => string,
  max = 6,
  total = names.length,
): string {
  const shown = total > max + 1 ? [...names.slice(0, max), more({ count: total - max })] : names
  return new Intl.ListFormat(locale, { type: 'conjunction' }).format(shown)
}
