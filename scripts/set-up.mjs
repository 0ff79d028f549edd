// Prepares a checkout for running: installs the packages, then (with --build) builds the web UI and the service.
// Runs before start and test, on any version of Node, so it is plain JavaScript without packages.
// Prints nothing if there is nothing to do.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { buildProblem, runBuild, service, web } from './set-up/builds.mjs'
import { packagesProblem } from './set-up/packages.mjs'
import { oneAtATime } from './set-up/one-at-a-time.mjs'

const root = resolve(import.meta.dirname, '..')
const { values: options } = parseArgs({ options: { build: { type: 'boolean', default: false } } })

if (packagesProblem(root)) await oneAtATime(root, installPackages)
for (const build of options.build ? [web, service] : []) {
  if (buildProblem(build, root)) await oneAtATime(root, () => buildProblem(build, root) && runBuild(build, root))
}

function installPackages() {
  const problem = packagesProblem(root)
  if (!problem) return
  console.log(`Setting up: ${problem}. This takes a minute or two.`)
  // Uses npm's own node, because the one in node_modules is about to be replaced.
  const { npm_execpath: npm, npm_node_execpath: node } = process.env
  // Installs everything, even what NODE_ENV or the npm configuration would omit; no package can run a script.
  const ci = ['ci', '--include=dev', '--include=optional', '--ignore-scripts', '--loglevel=error']
  const [program, args] = npm?.endsWith('.js') && node ? [node, [npm, ...ci]] : ['npm', ci]
  const { status, error } = spawnSync(program, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] })
  if (error || status !== 0) {
    stop(
      `\`npm ci\` failed${error ? `: ${error.message}` : ''}. The lines above say why.`,
      'The usual causes: the package registry is unreachable, the disk is full, or this folder is not writable.',
      'Fix that and run the same command again.',
    )
  }
  checkNode()
}

/** The service needs Node 24. The packages include it for common platforms; others need it installed. */
function checkNode() {
  const own = join(root, 'node_modules/.bin/node')
  const program = existsSync(own) ? own : process.execPath
  const { stdout, error } = spawnSync(program, ['-p', 'process.versions.node'], { encoding: 'utf8' })
  if (error || !stdout) {
    stop(
      'The bundled Node.js does not run on this machine.',
      'It needs Linux with glibc; on Alpine and other musl systems, use a Debian-based image.',
    )
  }
  if (Number.parseInt(stdout, 10) < 24) {
    stop(
      `Gatehouse runs on Node.js 24, and this is ${stdout.trim()}.`,
      `For ${process.platform} on ${process.arch} the packages include no Node.js (only for Linux on x64 and arm64).`,
      'Install Node.js 24 (https://nodejs.org) and run the same command again.',
    )
  }
}

/** @returns {never} */
function stop(/** @type {string[]} */ ...lines) {
  console.error(['', ...lines, ''].join('\n'))
  process.exit(1)
}
