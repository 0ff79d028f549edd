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
    refreshed: () => {},
    clock: createTestClock(),
  })
  const latest = async () => (await source.latest()).bytes?.toString()
  return { source, latest, set: (next: ConfigVersion | Error) => void (newest = next) }
}

const version = (number: number, document: string): ConfigVersion => ({ number, document, author: 'ada', at: 0 })
const away = new Error('away')

test('[NODE-1] what belongs to the document is read again before it, and then used with it', async () => {
  const done: string[] = []
  const source = documentSource<object, never>({
    versions: {
      newest: () => Promise.resolve(version(1, 'a: 1')),
      before: () => Promise.resolve(undefined),
      add: () => Promise.reject(away),
    },
    announcements: { subscribe: () => () => undefined, live: () => true },
    alongside: () => Promise.resolve(),
    refresh: () => Promise.resolve(void done.push('refresh')),
    refreshed: () => void done.push('refreshed'),
    clock: createTestClock(),
  })
  const found = Promise.withResolvers<void>()
  const stop = source.watch({
    async found(read, onActive) {
      done.push(String((await read())?.bytes))
      onActive?.()
      found.resolve()
      return true
    },
    failed: found.reject,
  })
  await found.promise
  await stop()
  expect(done).toEqual(['refresh', 'a: 1', 'refreshed'])
})

test('[NODE-1] while the database is unavailable, the latest document is the one that was last read or written', async () => {
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
