#!/bin/sh
':' //; program=$(readlink -f "$0"); node=${program%/server/*}/node_modules/.bin/node; [ -x "$node" ] || node=node; export MALLOC_ARENA_MAX="${MALLOC_ARENA_MAX:-2}"; exec "$node" "$program" "$@"
// The command `gatehouse`. A shell reads only the line above: it runs this file with the Node.js among the packages, in
// the same process, so that signals reach the service. To Node.js, that line is a text and a comment. As in `npm start`,
// the allocator gets two arenas.
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')

if (Number.parseInt(process.versions.node, 10) < 24) {
  stop(`Gatehouse runs on Node.js 24, and this is ${process.versions.node}. Run \`npm ci\` in ${root}, or install it.`)
}
if (!existsSync(join(root, 'node_modules/commander'))) {
  stop(`The packages of Gatehouse are missing. Run \`npm run build\` in ${root}.`)
}

const { enableCompileCache } = await import('node:module')
enableCompileCache(join(root, 'node_modules/.cache/gatehouse'))
const { loadCommand } = await import('../load-code.mjs')
const { runCommand } = await loadCommand()
process.exitCode = await runCommand(process.argv.slice(2), {
  env: process.env,
  input: process.stdin,
  output: process.stdout,
  errors: process.stderr,
  async startService(variables) {
    Object.assign(process.env, variables)
    await import('../start.mjs')
  },
})

/** @returns {never} */
function stop(/** @type {string} */ line) {
  console.error(line)
  process.exit(1)
}
