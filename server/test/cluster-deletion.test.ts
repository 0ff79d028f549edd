import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { stopAll } from './support/cleanups.ts'
import { canCluster, startClusterProcesses } from './support/cluster.ts'
import { holdRows } from './support/held-rows.ts'
import { quietCameras } from './support/quiet-cameras.ts'
import { writeRecordings } from './support/write-recordings.ts'

describe.skipIf(!canCluster)('a deletion through another instance', () => {
  afterAll(stopAll)

  test('[NODE-3] of which a kill left only the notes, because the files are removed already, is done at the next start', async () => {
    const cluster = await startClusterProcesses({ count: 2, config: { cameras: quietCameras } })
    const [first, second] = cluster.instances
    const start = Math.floor(Date.now() / 1000) - 3600
    await second!.service.kill()
    await writeRecordings(second!.service.mediaDir, { camera: 'yard', start: start * 1000, segments: 2 })
    second!.service = await second!.service.restart()
    const indexed = () => cluster.ask('select volume, file from recording order by file')
    await expect.poll(indexed).toHaveLength(2)
    const rows = await indexed()
    const files = rows.map(({ file }) => join(second!.service.mediaDir, 'recordings', String(file)))
    expect(files.map((file) => existsSync(file))).toEqual([true, true])

    const hold = await holdRows(cluster.url, 'delete on deleted_file', 'true')
    const deleted = await first!.service.internal.delete(
      `/api/cameras/yard/recordings?after=${start - 60}&before=${start + 60}`,
    )
    expect(deleted.json).toMatchObject({ segments: 2 })
    await expect.poll(hold.isWaiting).toBe(true)
    await second!.service.kill()
    await hold.end()
    expect(files.map((file) => existsSync(file))).toEqual([false, false])
    const noted = () => cluster.ask('select file from deleted_file order by kind, file')
    expect(await noted()).toEqual(rows.map(({ file }) => ({ file })))
    // What a kill at the same step leaves of a review item and of an export.
    for (const kind of ['review', 'export'])
      await cluster.ask(
        `insert into deleted_file (volume, kind, file, start) values ('${String(rows[0]!['volume'])}', '${kind}', 'removed', ${start * 1000})`,
      )

    second!.service = await second!.service.restart()
    await expect.poll(noted).toEqual([])
    expect(await indexed()).toEqual([])
  })
})
