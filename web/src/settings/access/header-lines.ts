export type PastedHeaders =
  | { readonly ok: true; readonly headers: Readonly<Record<string, string | readonly string[]>> }
  /** The first line that is not a header, counted from 1. */
  | { readonly ok: false; readonly line: number }

/**
 * Parses pasted headers, one per line, as curl prints them (`> Name: value`) or takes them (`-H 'Name: value'`).
 *
 * Request lines and empty lines are skipped. A repeated header keeps all its values.
 */
export function headersIn(text: string): PastedHeaders {
  const found = new Map<string, string[]>()
  for (const [at, raw] of text.split(/\r?\n/).entries()) {
    const line = bare(raw)
    if (line === '' || /^[A-Z]+ \S+ HTTP\/[\d.]+$/.test(line)) continue
    const [, name, value] = /^([!#$%&'*+\-.^_`|~0-9A-Za-z]+)\s*:\s*(.*)$/.exec(line) ?? []
    if (name === undefined || value === undefined) return { ok: false, line: at + 1 }
    const key = name.toLowerCase()
    found.set(key, [...(found.get(key) ?? []), value])
  }
  // fromEntries defines even `__proto__` as an ordinary property.
  const headers = Object.fromEntries(
    [...found].map(([name, values]) => [name, values.length === 1 ? values[0]! : values]),
  )
  return { ok: true, headers }
}

function bare(raw: string): string {
  const line = raw.trim().replace(/^>\s*/, '')
  const [, quoted] = /^-H\s+(?:'([^']*)'|"([^"]*)")\s*\\?$/.exec(line)?.filter((part) => part !== undefined) ?? []
  return quoted ?? line
}
