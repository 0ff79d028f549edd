import { once } from 'node:events'
import { expect } from 'vitest'
import { stopwatch } from './own-time.ts'
import type { TestClient } from './test-client.ts'

/** With which code a WebSocket is closed, within a second after the cause. */
export async function closeCode(client: TestClient, path: string, cause: () => Promise<unknown>): Promise<number> {
  const socket = client.socket(path)
  await once(socket, 'open')
  const closed = once(socket, 'close') as Promise<[number]>
  const elapsed = stopwatch()
  await cause()
  const [code] = await closed
  expect(elapsed()).toBeLessThan(1000)
  return code
}
