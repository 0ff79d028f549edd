/** `Side yard, Front door and 3 more`, localized. */
export function formatList(
  names: readonly string[],
  locale: string,
  more: (values: { count: number }) => string,
  max = 6,
): string {
  const shown = names.length > max + 1 ? [...names.slice(0, max), more({ count: names.length - max })] : names
  return new Intl.ListFormat(locale, { type: 'conjunction' }).format(shown)
}
