import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { fingerprint, webProblem } from './web.mjs'

/** @type {string} */
let root
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'gatehouse-web-'))
  const sources = ['web/index.html', 'web/src/main.tsx', 'server/src/shared/with-web/step.ts', 'server/src/app.ts']
  for (const file of ['package-lock.json', 'tsconfig.base.json', ...sources]) write(file, 'before')
  write('web/dist/.built-from', fingerprint(root))
})
afterEach(() => rmSync(root, { recursive: true }))

function write(/** @type {string} */ file, /** @type {string} */ text) {
  mkdirSync(dirname(join(root, file)), { recursive: true })
  writeFileSync(join(root, file), text)
}

test.each(['package-lock.json', 'web/src/main.tsx', 'web/src/added.ts', 'server/src/shared/with-web/step.ts'])(
  'the web UI is built again after a change of %s',
  (file) => {
    write(file, 'after')
    expect(webProblem(root)).toBe('the web UI has changed')
  },
)

test.each(['server/src/app.ts', 'web/src/main.test.tsx', 'web/dist/index.html'])(
  'a change of %s needs no build',
  (file) => {
    write(file, 'after')
    expect(webProblem(root)).toBeUndefined()
  },
)
