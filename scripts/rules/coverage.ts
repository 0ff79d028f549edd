export interface Rule {
  readonly id: string
  /** The beginning of the rule's text. */
  readonly text: string
}

export interface Rulebook {
  readonly rules: readonly Rule[]
  /** Rules that are not implemented yet, with the reason. */
  readonly notYet: ReadonlyMap<string, string>
}

/** Reads `- **TOK-1** …` lines, and below the heading "Not yet", `- TOK-1: reason` lines. */
export function rulesIn(markdown: string): Rulebook {
  const rules = [...markdown.matchAll(/^- \*\*([A-Z]+-\d+)\*\* (.*)$/gm)].map(([, id = '', text = '']) => ({
    id,
    text,
  }))
  const [, waiting = ''] = markdown.split(/^## Not yet$/m)
  const notYet = [...waiting.matchAll(/^- ([A-Z]+-\d+): (.+)$/gm)].map(
    ([, id = '', reason = '']) => [id, reason] as const,
  )
  return { rules, notYet: new Map(notYet) }
}

/** Rules at the start of a test's title: `test('[TOK-1] [TOK-2, TOK-3] …'`. Skipped tests, todo tests and comments do not count. */
export function rulesNamedIn(source: string): ReadonlySet<string> {
  const named = new Set<string>()
  for (const match of source.matchAll(/(['"`])((?:\[[A-Z]+-\d+(?:, ?[A-Z]+-\d+)*\] )+)/g)) {
    const line = source.slice(source.lastIndexOf('\n', match.index) + 1, match.index)
    if (/^\s*(?:\/\/|\*)/.test(line) || /\.(?:skip|todo)\(\s*$/.test(source.slice(0, match.index))) continue
    for (const [id] of (match[2] ?? '').matchAll(/[A-Z]+-\d+/g)) named.add(id)
  }
  return named
}

/** Tests that send requests to the real service or open its page; all others are unit tests next to the source. */
const isOutside = (testFile: string): boolean => /^(?:server\/test|attacks|e2e)\//.test(testFile)

export function coverage({ rules, notYet }: Rulebook, named: ReadonlyMap<string, ReadonlySet<string>>) {
  const outside = new Set([...named].filter(([file]) => isOutside(file)).flatMap(([, ids]) => [...ids]))
  const all = new Set([...named.values()].flatMap((ids) => [...ids]))
  const known = new Set(rules.map(({ id }) => id))
  const missing = rules.filter(({ id }) => !all.has(id))
  return {
    rules: rules.length,
    onlyInside: rules.filter(({ id }) => all.has(id) && !outside.has(id)),
    uncovered: missing.filter(({ id }) => !notYet.has(id)),
    excused: missing.flatMap(({ id }) => {
      const reason = notYet.get(id)
      return reason === undefined ? [] : [{ id, reason }]
    }),
    misnamed: [...named].flatMap(([file, ids]) => [...ids].filter((id) => !known.has(id)).map((id) => ({ id, file }))),
  }
}
