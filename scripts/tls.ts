// Runs testssl.sh (Debian: `apt-get install testssl.sh`) over the gate of a new service, with the certificate that it made.
// Exits with 1 for a finding above low that is not accepted here. Takes a minute or two, 40 seconds of CPU time.
// Options of testssl.sh select checks: `npm run tls -- --protocols --headers`.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stopAll } from '../server/test/support/cleanups.ts'
import { program } from '../server/test/support/programs.ts'
import { startGatehouse } from '../server/test/support/start-gatehouse.ts'

interface Finding {
  readonly id: string
  readonly severity: string
  readonly finding: string
}

/** Ids of findings that stay, each with the reason. */
const accepted: ReadonlyMap<string, string> = new Map([
  [
    'cert_revocation',
    'an authority with one certificate, which no one else trusts, has no list of revoked ones: remove the authority instead',
  ],
  ['engine_problem', "about this machine's OpenSSL, not about the gate"],
])

const testssl = program('testssl')
if (!testssl) throw new Error('testssl.sh is missing: apt-get install testssl.sh')
const scratch = mkdtempSync(join(tmpdir(), 'gatehouse-tls-'))
try {
  const service = await startGatehouse({ config: {} })
  const authority = join(scratch, 'ca.crt')
  writeFileSync(authority, (await service.gate.get('/ca.crt')).text)
  const findings = await findingsAt(service.gatePort, authority)
  const isAccepted = ({ id }: Finding): boolean => accepted.has(id)
  for (const { id, severity } of findings.filter(isAccepted)) {
    console.log(`accepted: ${severity}: ${id}: ${accepted.get(id)}`)
  }
  const above = findings.filter((finding) => !isAccepted(finding))
  for (const { severity, id, finding } of above) console.log(`${severity}: ${id}: ${finding}`)
  console.log(`testssl.sh: ${above.length} findings above low.`)
  process.exitCode = above.length > 0 ? 1 : 0
} finally {
  await stopAll()
  rmSync(scratch, { recursive: true, force: true })
}

/** Findings above low, and warnings: checks that did not run. */
async function findingsAt(port: number, authority: string): Promise<readonly Finding[]> {
  const file = join(scratch, 'findings.json')
  const options = ['--warnings=off', '--color=0', `--jsonfile=${file}`, `--add-ca=${authority}`]
  const target = ['--nodns=none', '--ip=127.0.0.1', `localhost:${port}`]
  const child = spawn(testssl ?? '', [...options, ...process.argv.slice(2), ...target], {
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  await once(child, 'close')
  const findings = JSON.parse(readFileSync(file, 'utf8')) as Finding[]
  return findings.filter(({ severity }) => !['OK', 'INFO', 'LOW', 'DEBUG'].includes(severity))
}
