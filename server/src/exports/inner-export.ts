import type { Readable } from 'node:stream'
import type { RandomFile } from '../media/mp4/video-only-file.ts'
import type { Timers } from '../shared/time/clock.ts'
import { ServiceError } from '../shared/errors.ts'
import { innerBuffer, innerStream, unreachable } from '../shared/cluster/inner-body.ts'
import type { InnerClient } from '../shared/cluster/inner-client.ts'
import type { InnerRoute } from '../shared/cluster/inner-route.ts'
import type { ExportFolder } from './export-folder.ts'
import type { ExportStore, StoredExport } from './export-store.ts'

const path = '/exports/file'

/** The file of a finished export, wherever it is. */
export interface ExportFile extends RandomFile {
  /** Reads the bytes `from` to `to`, end exclusive. @throws ServiceError `unavailable` */
  stream(from: number, to: number): Promise<Readable>
}

/** The file on the disk of another instance; undefined if it is missing there. @throws ServiceError `unavailable` */
export async function exportOfInstance(
  inner: InnerClient,
  instance: string,
  { id, camera, start, end, ...one }: StoredExport,
  timers: Pick<Timers, 'after'>,
): Promise<ExportFile | undefined> {
  const size = one.state === 'done' ? one.bytes : 0
  const request = (from: number, to: number) =>
    inner.request(instance, {
      path: `${path}?id=${id}&from=${from}&to=${to}`,
      ticket: { camera, action: 'export', range: { start, end } },
    })
  const open = async (from: number, to: number) => {
    const response = await request(from, to)
    if (response.status === 200) return response
    response.body.destroy()
    throw unreachable()
  }
  const first = await request(0, Math.min(1, size))
  first.body.destroy()
  if (first.status === 404) return undefined
  if (first.status !== 200) throw unreachable()
  return {
    stat: () => Promise.resolve({ size }),
    async read(buffer, offset, length, position) {
      const to = Math.min(size, position + length)
      const bytes = to <= position ? Buffer.alloc(0) : await innerBuffer(await open(position, to), length, timers)
      return { bytesRead: bytes.copy(buffer, offset) }
    },
    stream: async (from, to) => innerStream(await open(from, to), timers),
    close: () => Promise.resolve(),
  }
}

export interface ExportInnerRouteDeps {
  readonly folder: Pick<ExportFolder, 'open'>
  readonly store: Pick<ExportStore, 'byId'>
  /** @throws ServiceError `unavailable` if the disk is missing: then a missing file isn't lost */
  readonly requireDisk: () => Promise<void>
}

/** Sends a part of one export's file on the own disk: that of an export of the ticket's camera and range. */
export const exportInnerRoute = ({ folder, store, requireDisk }: ExportInnerRouteDeps): InnerRoute => ({
  path,
  action: 'export',
  scope: 'range',
  async handle({ camera, range, query }) {
    const [from, to] = ['from', 'to'].map((name) => Number(query.get(name) ?? NaN))
    if (!Number.isSafeInteger(from) || !Number.isSafeInteger(to) || from === undefined || to === undefined)
      throw new ServiceError('invalid-request')
    const one = await store.byId(query.get('id') ?? '')
    const isNamed = one?.camera === camera && one.start >= range.start && one.end <= range.end
    if (!isNamed || one.state !== 'done') throw new ServiceError('not-found')
    const file = await folder.open(one.id)
    if (!file) {
      await requireDisk()
      throw new ServiceError('not-found')
    }
    if (from < 0 || to <= from) {
      await file.close()
      return { body: '' }
    }
    const body = file.createReadStream({ start: from, end: to - 1 })
    return { body, headers: { 'content-type': 'application/octet-stream' } }
  },
})
