/** A known vulnerability, from npm's registry. */
export interface Advisory {
  readonly name: string
  readonly severity: string
  readonly title: string
  readonly url: string
}

export type AuditResult =
  | { readonly state: 'unchecked'; readonly reason: string }
  /** `severe`: high or critical, and not accepted. */
  | { readonly state: 'checked'; readonly severe: readonly Advisory[]; readonly others: readonly Advisory[] }

interface Report {
  readonly vulnerabilities?: Readonly<Record<string, { readonly via: readonly (string | Advisory)[] }>>
  readonly message?: string
}

/**
 * Reads what `npm audit --json` printed.
 *
 * @param accepted URLs of advisories that don't affect Gatehouse
 */
export function readAudit(printed: string, accepted: ReadonlySet<string>): AuditResult {
  const report = reportIn(printed)
  if (!report?.vulnerabilities) return { state: 'unchecked', reason: report?.message ?? 'npm printed no report' }
  const all = Object.values(report.vulnerabilities).flatMap(({ via }) => via.filter((each) => typeof each !== 'string'))
  const advisories = [...new Map(all.map((each) => [each.url, each])).values()]
  const isSevere = ({ severity, url }: Advisory): boolean =>
    (severity === 'high' || severity === 'critical') && !accepted.has(url)
  return {
    state: 'checked',
    severe: advisories.filter(isSevere),
    others: advisories.filter((each) => !isSevere(each)),
  }
}

function reportIn(printed: string): Report | undefined {
  try {
    return JSON.parse(printed) as Report
  } catch {
    return undefined
  }
}
