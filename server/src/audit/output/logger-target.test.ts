import { expect, test } from 'vitest'
import { withoutFreeDescriptors } from '../../../test/support/without-free-descriptors.ts'

test('[AUD-7] without a free file descriptor, lines are not written, and the service goes on', async () => {
  const printed = await withoutFreeDescriptors(
    `import { mkdtempSync, rmSync } from 'node:fs'
    import { createServer } from 'node:net'
    import { tmpdir } from 'node:os'
    import { join } from 'node:path'
    import { loggerTarget } from ${JSON.stringify(new URL('logger-target.ts', import.meta.url).href)}
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-logger-'))
    process.on('exit', () => rmSync(folder, { recursive: true }))
    const path = join(folder, 'log')
    const server = createServer().listen(path)
    await new Promise((done) => server.once('listening', done))
    const target = loggerTarget(path, { facility: 13, appName: 'gatehouse' })`,
    `await target.write(['{}']).catch(({ message }) => message)`,
  )
  expect(printed).toMatch(/EMFILE/)
})
