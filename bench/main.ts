import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, cpus, loadavg, tmpdir, totalmem } from 'node:os'
import { join, resolve } from 'node:path'
import { buildProblem, service } from '../scripts/set-up/builds.mjs'
import { auth } from './auth.ts'
import { cameras } from './cameras.ts'
import { cluster } from './cluster.ts'
import { crowd } from './crowd.ts'
import { exports } from './export.ts'
import type { Bench, Figure } from './figure.ts'
import { flat } from './flat.ts'
import { flood } from './flood.ts'
import { gate } from './gate.ts'
import { leases } from './leases.ts'
import { shareLinks } from './links.ts'
import { logins } from './logins.ts'
import { motion } from './motion.ts'
import { mog2 } from './mog2.ts'
import { motionCost } from './motion-cost.ts'
import { recordings } from './recordings.ts'
import { review } from './review.ts'
import { revocation } from './revocation.ts'
import { start } from './start.ts'
import { tokens } from './tokens.ts'

const benches: readonly Bench[] = [
  gate,
  auth,
  logins,
  flood,
  flat,
  tokens,
  shareLinks,
  revocation,
  start,
  cameras,
  cluster,
  leases,
  recordings,
  exports,
  motion,
  motionCost,
  review,
]

/** Run only if named: one takes ten minutes, the other needs a package that is not among the dependencies. */
const onDemand: readonly Bench[] = [crowd, mog2]

const args = process.argv.slice(2)
const quick = args.includes('--quick')
const names = args.filter((arg) => !arg.startsWith('-'))
const all = [...benches, ...onDemand]
const unknown = names.filter((name) => !all.some((bench) => bench.name === name))
if (unknown.length > 0 || args.some((arg) => arg.startsWith('-') && arg !== '--quick')) {
  console.error(`Usage: npm run bench -- [--quick] [${all.map(({ name }) => name).join('] [')}]`)
  process.exit(2)
}

const unbuilt = buildProblem(service, resolve(import.meta.dirname, '..'))
if (unbuilt) {
  console.error(`${unbuilt}: run \`npm run build\`, so that what users start is measured.`)
  process.exit(1)
}

const print = (line: string) => console.error(line)
const busyBefore = loadavg()[0] ?? 0
const figures: Figure[] = []
let failed = false
for (const bench of names.length === 0 ? benches : all.filter(({ name }) => names.includes(name))) {
  print(`${bench.name} …`)
  const scratch = mkdtempSync(join(tmpdir(), `gatehouse-bench-${bench.name}-`))
  try {
    figures.push(...(await bench.run({ quick, scratch, print })))
  } catch (error) {
    failed = true
    console.error(error)
  } finally {
    rmSync(scratch, { recursive: true, force: true, maxRetries: 5 })
  }
}

const load = `load average before and after: ${busyBefore.toFixed(1)}, ${(loadavg()[0] ?? 0).toFixed(1)}`
const [processor] = cpus()
const memory = `${Math.round(totalmem() / 2 ** 30)} GB`
const machine = `${processor?.model ?? 'unknown processor'}, ${availableParallelism()} cores, ${memory}`
console.log(`${new Date().toISOString().slice(0, 10)}, Node ${process.version}, ${process.platform} ${process.arch}`)
console.log(`${machine}; ${load}${quick ? '; --quick, too noisy to be quoted' : ''}\n`)
console.log('| Figure | Ours | Peer | Ratio | Target | Met |\n| --- | --- | --- | --- | --- | --- |')
for (const { what, ours, peer, ratio, target, met } of figures) {
  const cells = [what, ours, peer, ratio?.toFixed(2) ?? '', target ?? '', met === undefined ? '' : met ? 'yes' : 'no']
  console.log(`| ${cells.join(' | ')} |`)
}
process.exit(failed ? 1 : 0)
