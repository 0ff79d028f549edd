/** `Side yard, Front door and 3 more`, in the locale's words. */
export function listed(names: readonly string[], locale: string, more: (count: number) => string, most = 6): string {
  const shown = names.length > most + 1 ? [...names.slice(0, most), more(names.length - most)] : names
  return new Intl.ListFormat(locale, { type: 'conjunction' }).format(shown)
}
