// Asks npm's registry for known vulnerabilities of the packages that users get. Exits with 1 for a high or critical one.
// Without a response of the registry it says so and exits with 0: a network that fails isn't a fault of the change.
import { resolve } from 'node:path'
import { readAudit, type Advisory } from './shipped/audit-report.ts'
import { npmOnShipped } from './shipped/shipped-packages.ts'

/** URLs of advisories that don't affect Gatehouse, each with the reason. */
const accepted: ReadonlyMap<string, string> = new Map()

const root = resolve(import.meta.dirname, '..')
const printed = npmOnShipped(root, ['audit', '--json', '--fetch-retries=0', '--fetch-timeout=20000'])
const result = readAudit(printed, new Set(accepted.keys()))
const line = ({ name, severity, title, url }: Advisory): string => `${severity}: ${name}: ${title} (${url})`
if (result.state === 'unchecked') console.log(`!!! Not checked for known vulnerabilities: ${result.reason}`)
else {
  for (const each of [...result.severe, ...result.others]) console.log(line(each))
  if (result.severe.length > 0) process.exitCode = 1
  else console.log('No known high or critical vulnerability of a shipped package.')
}
