import { afterEach, beforeEach, expect, test } from 'vitest'
import { engines, type TestDatabase } from '../../test/support/engines.ts'
import { healthOf } from './health.ts'
import type { Store } from './store.ts'

let database: TestDatabase
let store: Store
beforeEach(async () => {
  const sqlite = engines[0]
  if (!sqlite) throw new Error('no engine')
  database = await sqlite.create()
  store = await database.open()
})
afterEach(() => database.remove())

/** Counts transactions, which only writing takes; `fails` makes them fail. */
function counted() {
  const at = { now: 0, writes: 0, fails: false }
  const db = new Proxy(store.db, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target)
      if (name !== 'transaction') return typeof value === 'function' ? (value.bind(target) as unknown) : value
      at.writes += 1
      if (at.fails) throw new Error('the disk is full')
      return () => target.transaction()
    },
  })
  const health = healthOf(db, () => at.now)
  /** Sixty checks, one per second. */
  const minute = async () => {
    const results = new Set<boolean>()
    for (let second = 0; second < 60; second += 1) {
      at.now += 1001
      results.add(await health.healthy())
    }
    return [...results]
  }
  return { at, health, minute }
}

test('sixty checks in a minute write twice at most', async () => {
  const { at, minute } = counted()
  expect(await minute()).toEqual([true])
  expect(at.writes).toBeLessThanOrEqual(2)
  const before = at.writes
  expect(await minute()).toEqual([true])
  expect(at.writes - before).toBeLessThanOrEqual(2)
})

test('a disk that is full is noticed within a minute, and each second after that until it is not', async () => {
  const { at, health, minute } = counted()
  expect(await health.healthy()).toBe(true)
  at.fails = true
  expect(await minute()).toContain(false)
  const before = at.writes
  expect(await minute()).toEqual([false])
  expect(at.writes - before).toBe(60)
  at.fails = false
  expect((await minute()).at(-1)).toBe(true)
})

test('another failure has the next check write', async () => {
  const { at, health } = counted()
  expect(await health.healthy()).toBe(true)
  at.fails = true
  at.now += 1001
  expect(await health.healthy()).toBe(true)
  health.doubt()
  at.now += 1001
  expect(await health.healthy()).toBe(false)
})

test('a failure ends a good result immediately, a bad one stays for its second', async () => {
  const { at, health } = counted()
  expect(await health.healthy()).toBe(true)
  at.fails = true
  health.doubt()
  expect(await health.healthy()).toBe(false)
  const before = at.writes
  health.doubt()
  expect(await health.healthy()).toBe(false)
  expect(at.writes).toBe(before)
})

test('a failure during a check ends its good result', async () => {
  const { at, health } = counted()
  const checked = health.healthy()
  health.doubt()
  expect(await checked).toBe(true)
  at.fails = true
  expect(await health.healthy()).toBe(false)
})
