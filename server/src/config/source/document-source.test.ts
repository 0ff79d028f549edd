import { describe, expect, test } from 'vitest'
import { createTestClock } from '../../../test/support/test-clock.ts'
import { documentSource, type ConfigVersion } from './document-source.ts'

function withDatabase() {
  const clock = createTestClock()
  let newest: ConfigVersion | Promise<ConfigVersion> | Error | undefined
  let isListening = true
  let announce: (() => void) | undefined
  const read = async () => {
    if (newest instanceof Error) throw newest
    return newest
  }
  const source = documentSource<object, never>({
    versions: { newest: read, before: read, add: async (after, version) => ({ ...version, number: after + 1, at: 0 }) },
    announcements: {
      subscribe: (listener) => ((announce = listener), () => undefined),
      isListening: () => isListening,
    },
    alongside: () => Promise.resolve(),
    refresh: () => Promise.resolve(),
    refreshed: () => {},
    currentFor: 3000,
    clock,
  })
  const latest = async () => (await source.latest()).bytes?.toString()
  return {
    source,
    clock,
    latest,
    set: (next: NonNullable<typeof newest>) => void (newest = next),
    setListening: (next: boolean) => void (isListening = next),
    announce: () => announce?.(),
  }
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
    announcements: { subscribe: () => () => undefined, isListening: () => true },
    alongside: () => Promise.resolve(),
    refresh: () => Promise.resolve(void done.push('refresh')),
    refreshed: () => void done.push('refreshed'),
    currentFor: 3000,
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

/** Started, with a document that was read. */
function watched() {
  const database = withDatabase()
  database.set(version(1, 'a: 1'))
  database.source.watch({ found: (read) => read().then(() => true), failed: () => {} })
  return database
}

describe('[ROLE-10] [NODE-1] whether the document is the current one', () => {
  test('is known while announcements arrive, without reading it again', async () => {
    const { source, clock, set } = watched()
    await clock.advance(1000)
    set(away)
    await clock.advance(3_600_000)
    expect(source.isCurrent()).toBe(true)
  })

  test('is known while they are missed, as long as it can be read, however late', async () => {
    const { source, clock, set, setListening } = watched()
    setListening(false)
    await clock.advance(60_000)
    expect(source.isCurrent()).toBe(true)
    const late = Promise.withResolvers<ConfigVersion>()
    set(late.promise)
    // The process was stopped in between, for example.
    await clock.advance(60_000)
    expect(source.isCurrent()).toBe(true)
    late.resolve(version(2, 'a: 2'))
  })

  test('is unknown some seconds after neither was possible, until either is', async () => {
    const { source, clock, set, setListening } = watched()
    await clock.advance(60_000)
    setListening(false)
    set(away)
    await clock.advance(3000)
    expect(source.isCurrent()).toBe(true)
    await clock.advance(1000)
    expect(source.isCurrent()).toBe(false)
    // What is kept in memory says nothing.
    await expect(source.latest()).resolves.toBeDefined()
    expect(source.isCurrent()).toBe(false)
    set(version(2, 'a: 2'))
    await clock.advance(400)
    expect(source.isCurrent()).toBe(true)
  })

  test('is unknown some seconds after a change was announced that could not be read', async () => {
    const { source, clock, set, announce } = watched()
    await clock.advance(60_000)
    set(away)
    announce()
    await clock.advance(3500)
    expect(source.isCurrent()).toBe(false)
  })
})
