import { expect, test } from 'vitest'
import { createTestClock } from '../../../test/support/test-clock.ts'
import { documentSource, type ConfigVersion } from './document-source.ts'

function withDatabase() {
  let newest: ConfigVersion | Error | undefined
  const read = async () => {
    if (newest instanceof Error) throw newest
    return newest
  }
  const source = documentSource<object, never>({
    versions: { newest: read, before: read, add: async (after, version) => ({ ...version, number: after + 1, at: 0 }) },
    announcements: { subscribe: () => () => undefined, live: () => true },
    alongside: () => Promise.resolve(),
    refresh: () => Promise.resolve(),
    clock: createTestClock(),
  })
  const latest = async () => (await source.latest()).bytes?.toString()
  return { source, latest, set: (next: ConfigVersion | Error) => void (newest = next) }
}

const version = (number: number, document: string): ConfigVersion => ({ number, document, author: 'ada', at: 0 })
const away = new Error('away')

test('[NODE-1] while the database is away, the latest document is the one that was last read or written', async () => {
  const { source, latest, set } = withDatabase()
  set(away)
  await expect(latest()).rejects.toThrow('away')
  set(version(1, 'a: 1'))
  const first = await source.read()
  set(version(2, 'a: 2'))
  expect(await latest()).toBe('a: 2')
  set(away)
  expect(await latest()).toBe('a: 2')
  await expect(source.read()).rejects.toThrow('away')
  await source.replace(first, 'a: 3', {}, { author: 'ada' })
  expect(await latest()).toBe('a: 3')
})
