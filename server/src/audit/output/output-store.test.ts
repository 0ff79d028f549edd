import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { emptied, engines, type TestDatabase } from '../../../test/support/engines.ts'
import { silent } from '../../../test/support/null-log.ts'
import { createTestClock } from '../../../test/support/test-clock.ts'
import { byTheService, type AuditEntry } from '../../shared/audit/audit.ts'
import type { Log } from '../../shared/log.ts'
import { systemRandom } from '../../shared/random.ts'
import type { Store } from '../../store/store.ts'
import { auditStore } from '../audit-store.ts'
import type { OutputLine } from './output-line.ts'
import { outputStore, type OutputStore } from './output-store.ts'
import { createOutputWriter } from './output-writer.ts'

const entry = (target: string, more: Partial<AuditEntry> = {}): AuditEntry => ({
  ...byTheService,
  action: 'config.apply',
  result: 'success',
  target,
  ...more,
})

describe.each(engines)('the outputs of the audit log on $name', ({ create, engine, concurrent }) => {
  let database: TestDatabase
  let store: Store
  let outputs: OutputStore
  beforeAll(async () => {
    database = await create()
    store = await database.open()
    outputs = outputStore(store)
  }, 60_000)
  afterAll(() => database.remove())
  beforeEach(async () => {
    await emptied(store)
    await started('one')
  })

  const started = (instance: string) => store.transaction((within) => store.audit.start(instance, within))
  const add = (target: string) => store.transaction((within) => store.audit.insert(entry(target), within))
  const addAll = async (count: number) => {
    for (let nth = 1; nth <= count; nth += 1) await add(String(nth))
  }
  const targetsAfter = async (position: number) =>
    (await outputs.entriesAfter(position, 100)).map(({ target }) => target)

  test('[AUD-7] a new output begins with the next entry, and continues where it was', async () => {
    await add('before')
    const { position } = await outputs.position('archive')
    await add('a')
    await add('b')
    expect(await targetsAfter(position)).toEqual(['a', 'b'])
    const [first] = await outputs.entriesAfter(position, 1)
    await outputs.save('archive', first!.sequence, 0)
    expect(await targetsAfter((await outputs.position('archive')).position)).toEqual(['b'])
    await outputs.keepOnly(['other'])
    expect(await targetsAfter((await outputs.position('archive')).position)).toEqual([])
  })

  test('[AUD-7] entries that still change wait until they are complete', async () => {
    const { position } = await outputs.position('archive')
    const entries = auditStore(store)
    const [id] = await entries.write([{ ...entry('use'), at: 1, id: undefined, complete: false }])
    await add('change')
    expect(await targetsAfter(position)).toEqual(['change'])
    await entries.write([{ ...entry('use', { count: 3 }), at: 1, id, complete: true }])
    expect(await targetsAfter(position)).toEqual(['change', 'use'])
  })

  test('[AUD-7] the service numbers at startup what an earlier run of the instance left, after everything it wrote', async () => {
    const { position } = await outputs.position('archive')
    await auditStore(store).write([{ ...entry('left'), at: 1, id: undefined, complete: false }])
    await add('a')
    await started('two')
    await add('of another instance')
    await started('one')
    await add('b')
    expect(await targetsAfter(position)).toEqual(['a', 'left', 'b'])
    // Although the audit log was deleted.
    await outputs.save('archive', position + 100, 0)
    await store.db.deleteFrom('audit').execute()
    await started('one')
    await add('c')
    expect(await targetsAfter(position + 100)).toEqual(['c'])
  })

  test('[AUD-7] at most so many wait, and the rest is counted', async () => {
    const { position } = await outputs.position('archive')
    await addAll(10)
    expect(await outputs.leaveOut('archive', position, 10)).toBe(0)
    expect(await outputs.leaveOut('archive', position, 3)).toBe(7)
    const after = await outputs.position('archive')
    expect(after.missed).toBe(7)
    expect(await targetsAfter(after.position)).toEqual(['8', '9', '10'])
  })

  test('[AUD-7] what is deleted unwritten is counted', async () => {
    const { position } = await outputs.position('archive')
    await addAll(3)
    const [first] = await outputs.entriesAfter(position, 1)
    await outputs.save('archive', first!.sequence, 0)
    await outputs.countDeleted(Date.now() + 60_000, 'reads')
    expect((await outputs.position('archive')).missed).toBe(0)
    await outputs.countDeleted(Date.now() + 60_000, 'others')
    expect((await outputs.position('archive')).missed).toBe(2)
  })

  test.skipIf(engine !== 'postgres' || !concurrent)(
    '[AUD-7] no entry is skipped whose transaction ends later',
    async () => {
      const { position } = await outputs.position('archive')
      const { promise: held, resolve: release } = Promise.withResolvers<void>()
      const { promise: inserted, resolve: insertedNow } = Promise.withResolvers<void>()
      const slow = store.transaction(async (within) => {
        await store.audit.insert(entry('slow'), within)
        insertedNow()
        await held
      })
      await inserted
      await add('fast')
      expect(await targetsAfter(position)).toEqual([])
      release()
      await slow
      expect(await targetsAfter(position)).toEqual(['slow', 'fast'])
    },
  )

  test('[AUD-7] an output whose position is deleted while nothing waits skips no entry', async () => {
    const lines: OutputLine[] = []
    const target = {
      write: async (some: readonly OutputLine[]) => void lines.push(...some),
      close: () => Promise.resolve(),
    }
    const clock = createTestClock()
    await outputs.position('archive')
    const deps = { name: 'archive', target, store: outputs, clock, random: systemRandom, log: silent }
    const writer = createOutputWriter(deps)
    await add('1')
    writer.wake()
    await expect.poll(() => lines).toHaveLength(1)
    await store.db.deleteFrom('audit_output').execute()
    await add('2')
    writer.wake()
    await expect.poll(() => lines.map(({ target: of }) => of)).toEqual(['1', '2'])
    await writer.stop()
  })

  test('[AUD-7] an output that works again says how many entries it does not have, first', async () => {
    const clock = createTestClock()
    const lines: OutputLine[] = []
    const messages: string[] = []
    const log: Log = {
      ...silent,
      error: (_fields, message) => messages.push(message),
      info: (_fields, message) => messages.push(message),
    }
    let works = false
    const target = {
      write: async (some: readonly OutputLine[]) => {
        if (!works) throw new Error('away')
        lines.push(...some)
      },
      close: () => Promise.resolve(),
    }
    const small = { ...outputs, leaveOut: (name: string, at: number) => outputs.leaveOut(name, at, 2) }
    await outputs.position('archive')
    await addAll(5)
    const writer = createOutputWriter({ name: 'archive', target, store: small, clock, random: systemRandom, log })
    writer.wake()
    await expect.poll(() => writer.status()).toMatchObject({ problem: { detail: 'away' }, missed: 3 })
    works = true
    await clock.advance(60_000)
    await expect
      .poll(() => lines.map(({ target: of, detail }) => of ?? detail))
      .toEqual(['3 entries not written', '4', '5'])
    await expect.poll(() => writer.status()).toEqual({ name: 'archive', waiting: 0, missed: 3 })
    expect(messages).toEqual([
      'audit output failed; retrying',
      'audit entries left out: the output failed for too long',
      'audit output resumed',
    ])
    // Said once.
    await add('6')
    writer.wake()
    await expect.poll(() => lines).toHaveLength(4)
    await writer.stop()
    const next = createOutputWriter({ name: 'archive', target, store: small, clock, random: systemRandom, log })
    await add('7')
    next.wake()
    await expect.poll(() => lines.slice(4).map(({ target: of }) => of)).toEqual(['7'])
    await next.stop()
    expect(lines).toHaveLength(5)
  })
})
