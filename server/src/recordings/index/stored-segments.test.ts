import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { engines, type TestDatabase } from '../../../test/support/engines.ts'
import type { NewSegment, RecordingStore, Segment } from './recording-store.ts'
import { recordingStore } from './recording-store.sql.ts'
import { removalQueue, type RemovalQueue } from './removal-queue.sql.ts'
import { cameraKey } from '../../shared/camera/camera-keys.ts'

const noon = Date.UTC(2026, 10, 21, 12)

const made = (camera: string, seconds: number): NewSegment => {
  const start = noon + seconds * 1000
  const file = `${camera}/${seconds}.mp4`
  return {
    camera: cameraKey(camera),
    start,
    end: start + 10_000,
    bytes: 100,
    initBytes: 1,
    motion: 0,
    streamId: noon,
    file,
  }
}

describe.each(engines)('[NODE-5] segments in the object storage on $name', ({ create }) => {
  let database: TestDatabase
  let recordings: RecordingStore
  let others: RecordingStore
  let removals: RemovalQueue
  let all: Segment[]
  beforeEach(async () => {
    database = await create()
    const store = await database.open()
    recordings = recordingStore(store, 'ours')
    others = recordingStore(store, 'theirs')
    removals = removalQueue(store)
    await recordings.add([made('yard', 0), made('door', 0), made('yard', 10), made('yard', 20)])
    all = await recordings.oldest(undefined, 10)
  })
  afterEach(() => database.remove())

  test('[NODE-5] those on the disk are read in order, whatever moves in between', async () => {
    const seen: string[] = []
    for (let cursor = { start: 0, id: 0 }; ;) {
      const [one] = await recordings.waiting(noon + 29_000, cursor, 1)
      if (!one) break
      seen.push(one.file)
      if (one.camera === 'door') expect(await recordings.stored(one, `key of ${one.file}`)).toBe(true)
      cursor = one
    }
    expect(seen.slice(0, 2).toSorted()).toEqual(['door/0.mp4', 'yard/0.mp4'])
    expect(seen.slice(2)).toEqual(['yard/10.mp4'])
    expect((await recordings.waiting(noon + 60_000, { start: 0, id: 0 }, 10)).map(({ camera }) => camera)).toEqual([
      'yard',
      'yard',
      'yard',
    ])
    expect(await others.waiting(noon + 60_000, { start: 0, id: 0 }, 10)).toEqual([])
  })

  test('[NODE-5] a segment is stored once, by its own volume, and is in one of the two sums', async () => {
    const { id } = all[0]!
    expect(await recordings.stored({ id, volume: 'theirs' }, 'a')).toBe(false)
    expect(await recordings.stored(all[0]!, 'a')).toBe(true)
    expect(await recordings.stored(all[0]!, 'b')).toBe(false)
    expect([await recordings.objectOf(id), await others.objectOf(id), await recordings.objectOf(all[1]!.id)]).toEqual([
      'a',
      'a',
      null,
    ])
    expect(await recordings.usage(all[0]!.camera, 0, 8e14)).toMatchObject({ stored: 100 })
    expect((await recordings.oldest(undefined, 10, 'object')).map((each) => each.id)).toEqual([id])
    expect(await recordings.oldest(undefined, 10, 'disk')).toHaveLength(3)
    expect([...(await others.knownObjects(['a', 'b']))]).toEqual(['a'])
  })

  test('[NODE-5] the object of a removed segment is queued, and removed by one instance at a time', async () => {
    await recordings.stored(all[0]!, 'a')
    await recordings.stored(all[1]!, 'b')
    await recordings.remove([all[0]!.id, all[2]!.id])
    await recordings.removeFiles([all[1]!.file])
    expect((await removals.claim(10, 1000)).toSorted()).toEqual(['a', 'b'])
    expect(await removals.claim(10, 60_999)).toEqual([])
    await removals.done('a')
    expect(await removals.claim(10, 61_000)).toEqual(['b'])
  })

  test('[NODE-5] a segment whose file is missing is dropped only while it is on the own disk', async () => {
    const ids = all.map(({ id }) => id)
    await recordings.stored(all[0]!, 'a')
    expect(await others.removeMissing(ids)).toEqual([])
    expect((await recordings.removeMissing(ids)).map(({ start }) => start)).toHaveLength(ids.length - 1)
    expect((await recordings.oldest(undefined, 10)).map(({ object }) => object)).toEqual(['a'])
    expect(await removals.claim(10, 1000)).toEqual([])
  })
})
