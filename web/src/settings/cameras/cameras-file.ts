import { queryOptions } from '@tanstack/react-query'
import { ask, ApiError } from '../../shared/api.ts'
import { queryKeys } from '../../shared/query-keys.ts'
import { readConfig, saveConfig, type ConfigText } from '../config/config-file.ts'
import type { CameraChange, CameraEntry, CamerasInFile } from './edit-cameras.ts'

/** Cameras as the configuration has them, in order. */
export interface KnownCameras {
  readonly cameras: ReadonlyMap<string, CameraEntry>
  /** They are the service's own, as the file names none. */
  readonly demos: boolean
  readonly roles: CamerasInFile['roles']
  /** The file cannot be changed by a program. */
  readonly byHand: boolean
}

const nothing: ReadonlyMap<string, CameraEntry> = new Map()

/** The YAML package is loaded when it is needed. */
const editing = () => import('./edit-cameras.ts')

/** In force, without secrets: all that is needed of the demo cameras. */
interface InForce {
  readonly cameras: Readonly<
    Record<string, { readonly source: string; readonly title: string | null; readonly enabled: boolean }>
  >
}

async function inForce(signal?: AbortSignal): Promise<ReadonlyMap<string, CameraEntry>> {
  const { cameras } = await ask<InForce>('api/config', { signal })
  return new Map(
    Object.entries(cameras).map(([name, { source, title, enabled }]) => [
      name,
      { source, title: title ?? '', enabled },
    ]),
  )
}

async function knownIn(file: ConfigText, signal?: AbortSignal): Promise<KnownCameras> {
  const { readCameras, ByHand } = await editing()
  try {
    const { cameras, roles } = readCameras(file.text)
    return { cameras: cameras ?? (await inForce(signal)), demos: cameras === undefined, roles, byHand: false }
  } catch (error) {
    if (!(error instanceof ByHand)) throw error
    return { cameras: await inForce(signal), demos: false, roles: new Map(), byHand: true }
  }
}

export const knownCamerasQuery = queryOptions({
  queryKey: queryKeys.config.cameras,
  queryFn: async ({ signal }) => knownIn(await readConfig(signal), signal),
  refetchInterval: 10_000,
})

/** Why a change was not made, where it is for us to say. */
export class NotChanged extends Error {
  override readonly name = 'NotChanged'
  readonly why: 'by-hand' | 'meanwhile' | 'gone'

  constructor(why: NotChanged['why']) {
    super()
    this.why = why
  }
}

export interface Wanted extends Omit<CameraChange, 'keep'> {
  /** What it was when the form was opened; undefined for a new one. */
  readonly was: CameraEntry | undefined
  /** Where the file names no cameras: those that it shows stay. */
  readonly keepDemos: boolean
}

export const changeCamera = ({ was, keepDemos, ...change }: Wanted): Promise<void> =>
  edited(async (text, known, { withCamera }) => {
    const now = change.before === undefined ? undefined : known.cameras.get(change.before)
    if (change.before !== undefined && !same(now, was)) throw new NotChanged('meanwhile')
    if (change.name !== change.before && !known.demos && known.cameras.has(change.name))
      throw new NotChanged('meanwhile')
    return withCamera(text, { ...change, keep: known.demos && keepDemos ? known.cameras : nothing })
  })

export const removeCamera = (name: string): Promise<void> =>
  edited(async (text, known, { withoutCamera }) => {
    if (!known.cameras.has(name)) throw new NotChanged('gone')
    return withoutCamera(text, name, known.demos ? known.cameras : nothing)
  })

/** Changes the newest version, and again where somebody else was quicker. */
export async function edited(
  change: (text: string, known: KnownCameras, edit: Awaited<ReturnType<typeof editing>>) => Promise<string>,
): Promise<void> {
  const edit = await editing()
  for (let tries = 1; ; tries += 1) {
    const file = await readConfig()
    const known = await knownIn(file)
    if (known.byHand) throw new NotChanged('by-hand')
    let text: string
    try {
      text = await change(file.text, known, edit)
    } catch (error) {
      throw error instanceof edit.ByHand ? new NotChanged('by-hand') : error
    }
    try {
      // No role is removed here; one that is missing already is another page's matter.
      await saveConfig(text, file, 'allow')
      return
    } catch (error) {
      const overtaken = error instanceof ApiError && error.failure.status === 412
      if (!overtaken || tries === 3) throw error
    }
  }
}

const same = (one: CameraEntry | undefined, other: CameraEntry | undefined): boolean =>
  one?.source === other?.source && one?.title === other?.title && one?.enabled === other?.enabled
