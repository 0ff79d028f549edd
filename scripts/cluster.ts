// Starts several instances on one machine, with their own PostgreSQL and demo cameras, to try what several
// instances do. `npm run cluster -- --count 5`: five of them. Ctrl+C stops all, and removes what they wrote.
import { randomBytes } from 'node:crypto'
import { parseArgs } from 'node:util'
import { onTestFinishedOrLater, stopAll } from '../server/test/support/cleanups.ts'
import { freePort } from '../server/test/support/free-port.ts'
import { postgresPrograms, startPostgres } from '../server/test/support/postgres-server.ts'
import { startGatehouse, type Gatehouse } from '../server/test/support/start-gatehouse.ts'

const { values } = parseArgs({ options: { count: { type: 'string', default: '3' } } })
const count = Number(values.count)
if (!Number.isInteger(count) || count < 1 || count > 20) fail('--count is a number from 1 to 20.')
if (postgresPrograms === undefined)
  fail('This needs the programs of PostgreSQL, `initdb` and `pg_ctl`. On Debian and Ubuntu: apt-get install postgresql')

const interrupted = new Promise<string>((resolve) => {
  // More than once: a terminal and npm both send it, and what was started is still to be removed.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve(''))
})
console.log(`Starting PostgreSQL and ${count} instances …`)
const problem = await Promise.race([interrupted, runCluster(postgresPrograms)]).catch((error: unknown) => String(error))
console.log('Stopping …')
await stopAll()
if (problem) fail(problem)
process.exit()

/** Runs until an instance ends. @returns what is wrong then */
async function runCluster(bin: string): Promise<string> {
  const postgres = await startPostgres(bin)
  onTestFinishedOrLater(() => Promise.resolve(postgres.remove()))
  const secret = randomBytes(32).toString('hex')
  // The first one creates the tables and the first admin.
  const first = await startInstance(1, postgres.url, secret)
  const [, password] = await first.printed(/password:?\s+(\S+)/i)
  const others = Array.from({ length: count - 1 }, (_, nth) => startInstance(nth + 2, postgres.url, secret))
  const instances = [first, ...(await Promise.all(others))]
  console.log(
    [
      '',
      ...instances.map(({ gate }, nth) => `node-${nth + 1}  ${gate.base}  ${instances[nth]!.dir}`),
      '',
      `Sign in as admin with the password ${password}, and open Settings > Instances.`,
      'Stop one with `kill`, or drain it there, and watch its cameras move. Ctrl+C stops all.',
      ...instances.map((instance, nth) => `kill ${instance.process.pid}  # node-${nth + 1}`),
    ].join('\n'),
  )
  // Some are stopped to see what happens. Without any, there is nothing left to see.
  await Promise.all(instances.map(({ process: child }) => new Promise((resolve) => child.once('exit', resolve))))
  return 'Every instance has ended.'
}

async function startInstance(nth: number, database: string, secret: string): Promise<Gatehouse> {
  return startGatehouse({
    fresh: true,
    realHashes: true,
    config: {
      tls: { enabled: false },
      cameras: Object.fromEntries(
        ['yard', 'door', 'office'].flatMap((scene) =>
          [1, 2].map((copy) => [`${scene}_${copy}`, { source: `demo:${scene}` }]),
        ),
      ),
      database: { url: database },
      node: { name: `node-${nth}`, address: `https://127.0.0.1:${await freePort()}` },
    },
    env: { SERVICE_JWT_SECRET: secret },
  })
}

function fail(message: string): never {
  console.error(message)
  process.exit(1)
}
