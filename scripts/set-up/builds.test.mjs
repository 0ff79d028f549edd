import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { buildProblem, fingerprint, service, web } from './builds.mjs'

/** @type {string} */
let root
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'gatehouse-builds-'))
  const sources = ['web/index.html', 'web/src/main.tsx', 'server/src/main.ts', 'server/src/shared/with-web/step.ts']
  const others = ['package-lock.json', 'tsconfig.base.json', 'scripts/build-service.ts']
  for (const file of [...sources, ...others]) write(file, 'before')
  for (const build of [web, service]) write(`${build.folder}/dist/.built-from`, fingerprint(build, root))
})
afterEach(() => rmSync(root, { recursive: true }))

function write(/** @type {string} */ file, /** @type {string} */ text) {
  mkdirSync(dirname(join(root, file)), { recursive: true })
  writeFileSync(join(root, file), text)
}

const webChanged = 'the web UI has changed'
const serviceChanged = 'the service has changed'

test.each([
  ['package-lock.json', webChanged, serviceChanged],
  ['web/src/main.tsx', webChanged, undefined],
  ['web/src/added.ts', webChanged, undefined],
  ['server/src/shared/with-web/step.ts', webChanged, serviceChanged],
  ['server/src/main.ts', undefined, serviceChanged],
  ['server/src/added.ts', undefined, serviceChanged],
  ['scripts/build-service.ts', undefined, serviceChanged],
  ['server/src/main.test.ts', undefined, undefined],
  ['web/src/main.test.tsx', undefined, undefined],
  ['web/test/fake-socket.ts', undefined, undefined],
  ['web/dist/index.html', undefined, undefined],
  ['server/dist/service.mjs', undefined, undefined],
])('a change of %s: %s, %s', (file, ofWeb, ofService) => {
  write(file, 'after')
  expect([buildProblem(web, root), buildProblem(service, root)]).toEqual([ofWeb, ofService])
})

test('nothing is built yet', () => {
  for (const build of [web, service]) rmSync(join(root, build.folder, 'dist'), { recursive: true })
  expect([buildProblem(web, root), buildProblem(service, root)]).toEqual([
    'the web UI is not built yet',
    'the service is not built yet',
  ])
})
