import { once } from 'node:events'
import { readdirSync, readlinkSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { childrenOf } from './support/children.ts'
import { failedStart } from './support/start-service.ts'

/** Files of a database that this process has open. */
const databaseFiles = (): string[] =>
  readdirSync('/proc/self/fd')
    .map((descriptor) => {
      try {
        return readlinkSync(`/proc/self/fd/${descriptor}`)
      } catch {
        return ''
      }
    })
    .filter((target) => target.includes('gatehouse.db'))

test('a service that fails at the last step of its startup closes what it opened: timers, database and cameras', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void other.close())
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  const { status, output } = await failedStart({
    config: { networking: { internal: { host: '127.0.0.1', port } }, cameras: { yard: { source: 'demo:yard' } } },
  })
  expect(status).toBe(1)
  expect(output).toContain(`Couldn't listen on 127.0.0.1 port ${port} (EADDRINUSE)`)
  expect(databaseFiles()).toEqual([])
  expect(childrenOf(process.pid)).toEqual([])
})
