// Runs schemathesis over the API of a new service, as an admin at the gate: some 10,000 requests made from the OpenAPI
// document, valid and invalid, each alone and in sequences that follow links. Exits with 1 for a failure.
// Options are those of schemathesis: `npm run api-cases -- --seed=1 --max-examples=5 --include-path=/api/users`.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { randomInt } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { constants, setPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { stopAll } from '../server/test/support/cleanups.ts'
import { quietCameras } from '../server/test/support/quiet-cameras.ts'
import { writeRecordings } from '../server/test/support/write-recordings.ts'
import { grayJpeg, seedReview } from '../server/test/support/review-seed.ts'
import type { Service } from '../server/test/support/service.ts'
import { startGatehouse } from '../server/test/support/start-gatehouse.ts'

/** The parts of schemathesis's report that are summed up. */
interface Report {
  readonly seed: number
  /** false if the run was stopped. */
  readonly complete: boolean
  readonly test_cases: { readonly generated: number; readonly errored: number }
  readonly failures: readonly Kind[]
  /** Why operations couldn't be tested, or only in part. */
  readonly errors: readonly Kind[]
}

interface Kind {
  readonly title: string
  readonly count: number
}

const missing = `schemathesis is missing:
  python3 -m venv ~/.local/share/schemathesis
  ~/.local/share/schemathesis/bin/pip install schemathesis
  PATH=~/.local/share/schemathesis/bin:$PATH npm run api-cases`

if (spawnSync('schemathesis', ['--version']).status !== 0) {
  console.error(missing)
  process.exit(1)
}
const settings = join(import.meta.dirname, 'api-cases')
/** Unix seconds. */
const recordedAt = Math.floor(Date.now() / 1000) - 3600
const scratch = mkdtempSync(join(tmpdir(), 'gatehouse-api-cases-'))
try {
  const report = await reportOn(await seededService())
  if (!report) throw new Error('schemathesis wrote no report')
  const { seed, complete, test_cases, failures, errors } = report
  const kinds = [...failures, ...errors].map(({ title, count }) => `${count} × ${title}`)
  console.log(`${test_cases.generated} cases, seed ${seed}: ${kinds.join(', ') || 'no failures'}.`)
  process.exitCode = complete && test_cases.errored === 0 && kinds.length === 0 ? 0 : 1
} finally {
  await stopAll()
  rmSync(scratch, { recursive: true, force: true })
}

/** A service with a camera that runs, recordings, also of a removed camera, and a review item. */
async function seededService(): Promise<Service> {
  const empty = await startGatehouse({
    config: {
      cameras: { ...quietCameras, yard: { source: 'demo:yard', motion: { enabled: false } } },
      tls: { enabled: false },
      auth: { failed_login_rate_limit: null, roles: { guard: ['yard'], night: ['door'] } },
    },
  })
  const start = recordedAt * 1000
  for (const camera of ['yard', 'door', 'office', 'shed']) {
    await writeRecordings(empty.mediaDir, { camera, start, segments: 2 })
  }
  const service = await empty.restart()
  await seedReview(service, [{ camera: 'yard', start, jpeg: grayJpeg }])
  return service
}

async function reportOn({ gate, internal }: Service): Promise<Report | undefined> {
  const document = join(scratch, 'openapi.json')
  writeFileSync(document, (await internal.get('/api/openapi.json')).text)
  const report = join(scratch, 'report.json')
  const options = [
    'run',
    document,
    `--url=${gate.base}`,
    '--workers=1',
    '--continue-on-failure',
    '--max-examples=180',
    `--seed=${randomInt(2 ** 31)}`,
    '--generation-database=none',
    // Random tokens would make most requests 401. Each operation is tried without a token and with a wrong one anyway.
    '--generation-with-security-parameters=false',
    '--request-timeout=60',
    `--report-json-path=${report}`,
  ]
  const child = spawn('schemathesis', [`--config-file=${configFile()}`, ...options, ...process.argv.slice(2)], {
    cwd: scratch,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: {
      ...process.env,
      GATE: gate.base,
      INTERNAL: internal.base,
      SCHEMATHESIS_HOOKS: join(settings, 'hooks.py'),
      PYTHONDONTWRITEBYTECODE: '1',
    },
  })
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL)
  await once(child, 'close')
  return existsSync(report) ? (JSON.parse(readFileSync(report, 'utf8')) as Report) : undefined
}

/** schemathesis.toml, with the times of the recordings. */
function configFile(): string {
  const file = join(scratch, 'schemathesis.toml')
  const times = { starts: [recordedAt, recordedAt + 4], ends: [recordedAt + 8, recordedAt + 16] }
  const dictionaries = Object.entries(times).map(([name, values]) => `${name}.values = ${JSON.stringify(values)}\n`)
  writeFileSync(file, `${readFileSync(join(settings, 'schemathesis.toml'), 'utf8')}${dictionaries.join('')}`)
  return file
}
