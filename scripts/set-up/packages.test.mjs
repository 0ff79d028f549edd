import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { packagesProblem } from './packages.mjs'

const node = `node_modules/node-${process.platform}-${process.arch}`
const locked = {
  '': { version: '0.1.0' },
  'node_modules/fastify': { version: '5.0.0', integrity: 'sha512-a' },
  'node_modules/fsevents': { version: '2.0.0', integrity: 'sha512-b', optional: true },
  [node]: { version: '24.0.0', integrity: 'sha512-c', optional: true },
}
const { 'node_modules/fsevents': _elsewhere, '': _itself, ...installed } = locked

/** @type {string} */
let root
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'gatehouse-packages-'))
  mkdirSync(join(root, node, 'bin'), { recursive: true })
  writeFileSync(join(root, node, 'bin/node'), '')
  write('package-lock.json', locked)
})
afterEach(() => rmSync(root, { recursive: true }))

function write(/** @type {string} */ file, /** @type {object} */ packages) {
  writeFileSync(join(root, file), JSON.stringify({ packages }))
}

test('the packages match the lockfile, except those for other platforms', () => {
  write('node_modules/.package-lock.json', installed)
  expect(packagesProblem(root)).toBeUndefined()
})

test('nothing is installed, or an installation was interrupted', () => {
  expect(packagesProblem(root)).toBe('no packages are installed yet')
})

test.each([
  ['another version', { ...installed, 'node_modules/fastify': { version: '5.0.1', integrity: 'sha512-a' } }],
  ['other contents', { ...installed, 'node_modules/fastify': { version: '5.0.0', integrity: 'sha512-z' } }],
  ['one missing', { [node]: installed[node] }],
  ['no Node.js for this machine', { 'node_modules/fastify': installed['node_modules/fastify'] }],
])('the packages do not match the lockfile: %s', (_what, found) => {
  write('node_modules/.package-lock.json', found)
  expect(packagesProblem(root)).toBe('the packages have changed')
})

test('the Node.js among the packages was deleted', () => {
  write('node_modules/.package-lock.json', installed)
  rmSync(join(root, node, 'bin/node'))
  expect(packagesProblem(root)).toBe('the Node.js among the packages is missing')
})
