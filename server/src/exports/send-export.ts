import type { Readable } from 'node:stream'
import type { Caller } from '../http/caller.ts'
import { respond, type RouteResponse } from '../http/response.ts'
import type { Input } from '../http/route.ts'
import { videoOnlyFile } from '../media/mp4/video-only-file.ts'
import { createVideoOnlyPlans } from '../media/mp4/video-only-plans.ts'
import { sliceOf } from '../shared/http/byte-range.ts'
import { formerName, type CameraKeys } from '../shared/camera/camera-keys.ts'
import { ServiceError } from '../shared/errors.ts'
import { namesVersion } from '../shared/http/etag.ts'
import type { ExportStore, StoredExport } from './export-store.ts'
import { contentDisposition, type Disposition } from './file-name.ts'
import type { ExportFile } from './inner-export.ts'
import type { LostExports } from './lost-exports.ts'
import type { ExportReasons } from './reasons.ts'

export interface SentExport {
  /** The request's headers: ranges and preconditions. */
  readonly header: Input<object>['header']
  readonly disposition: Disposition
}

/**
 * Limits the responses of one user that send an export: without its audio, each waits for a table of contents, and holds
 * what is planned from it.
 */
export const exportStream = { maxPerUser: () => 48 } as const

/** Sends the file of a finished export. The rule has the part `audio`. */
export type SendExport = (
  id: string,
  file: SentExport,
  caller: Pick<Caller, 'hasPart' | 'signal'>,
) => Promise<RouteResponse>

export interface SendExportDeps {
  readonly store: Pick<ExportStore, 'byId'>
  /** The file of a finished export; undefined if it is missing. @throws ServiceError `unavailable` */
  readonly open: (one: StoredExport) => Promise<ExportFile | undefined>
  readonly keys: CameraKeys
  readonly titleOf: (camera: string) => string
  readonly lose: LostExports['lose']
}

export function createSendExport({ store, open, keys, titleOf, lose }: SendExportDeps): SendExport {
  const planOf = createVideoOnlyPlans()

  /** Opens the file of a finished export. @throws ServiceError `not-found` if it is missing, `unavailable` */
  const openOrLose = async (one: StoredExport): Promise<ExportFile> => {
    const file = await open(one)
    if (file) return file
    await lose(one)
    throw new ServiceError<ExportReasons>('not-found', { reason: 'export-file-missing' })
  }

  return async (id, { header, disposition }, caller) => {
    const one = await store.byId(id)
    if (!one) throw new ServiceError<ExportReasons>('not-found', { reason: 'no-such-export' })
    if (one.state !== 'done') {
      throw new ServiceError<ExportReasons>('conflict', { reason: 'export-not-done' })
    }
    // Without audio (GRANT-2). A finished export doesn't change.
    const planned = { key: `${id} ${one.bytes}`, open: () => openOrLose(one) }
    const plan = caller.hasPart('audio') ? undefined : await planOf(planned, caller.signal)
    const file = await openOrLose(one)
    let sent: Readable | undefined
    try {
      const { size, read } = plan ? videoOnlyFile(file, plan) : await wholeFile(file)
      const etag = `"${id}-${size.toString(36)}"`
      const headers = {
        'content-type': 'video/mp4',
        // A browser must revalidate each time, because permission may have been revoked.
        'cache-control': 'private, no-cache',
        'content-disposition': contentDisposition(
          one.name,
          titleOf(keys.nameOf(one.camera)),
          formerName(one.camera),
          one.start,
          disposition,
        ),
        etag,
      }
      if (namesVersion(header('if-none-match'), etag)) return respond({ status: 304, headers })
      const slice = sliceOf({ range: header('range'), ifRange: header('if-range') }, size, etag)
      if (slice.status === 416) return respond({ status: 416, headers: { ...headers, ...slice.headers } })
      sent = await read(slice.from, slice.to)
      return respond({ status: slice.status, body: sent, range: one, headers: { ...headers, ...slice.headers } })
    } finally {
      // A stream closes the file when it ends; without one, nothing else does.
      if (!sent) await file.close()
    }
  }
}

const wholeFile = async (file: ExportFile): Promise<Contents> => ({
  size: (await file.stat()).size,
  read: (from, to) => file.stream(from, to),
})

interface Contents {
  /** Bytes. */
  readonly size: number
  /** Reads the bytes `from` to `to`, end exclusive. The stream closes the file when it ends. */
  read(from: number, to: number): Readable | Promise<Readable>
}
