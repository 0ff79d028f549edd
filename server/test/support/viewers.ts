import { linkPath, makeLink, openLink, type CreatedShareLink } from './make-link.ts'
import type { StreamSpec } from './open-streams.ts'
import type { Service } from './service.ts'
import type { TestClient } from './test-client.ts'

/** Streams that are allowed or not together, and the requests beside them that are decided one by one. */
interface Area {
  readonly client: TestClient
  readonly streams: readonly Omit<StreamSpec, 'client'>[]
  readonly requests: readonly string[]
}

/** Who watches: everything that one credential can open, by area. */
export type Viewer = Readonly<Record<string, Area>>

/** Recorded video of the camera `yard`. */
export interface RecordedVideo {
  /** Unix seconds. */
  readonly span: { readonly start: number; readonly end: number }
  /** Path of a segment in it. */
  readonly segment: string
  /** Id of a finished export of it. */
  readonly exported: string
}

const yard = '/api/cameras/yard'
const socket = (kind: string, path: string) => ({ kind, how: 'socket', path }) as const
const endless = (kind: string, path: string) => ({ kind, how: 'endless', path }) as const
const file = (kind: string, path: string) => ({ kind, how: 'file', path }) as const

/** What a screen opens of the camera `yard`. */
export function screenViewer(client: TestClient): Viewer {
  const events = '/api/events?cameras=yard'
  return {
    live: { client, streams: [socket('live video', `${yard}/live`)], requests: [`${yard}/live/index.m3u8`] },
    frames: { client, streams: [endless('MJPEG', `${yard}/mjpeg?height=180`)], requests: [`${yard}/latest.jpg`] },
    events: { client, streams: [socket('events', events), endless('server-sent events', events)], requests: [events] },
  }
}

/** What a user, or a program with an API token, opens of the camera `yard`. */
export function userViewer(client: TestClient, { span, segment, exported }: RecordedVideo): Viewer {
  const clip = `${yard}/clip.mp4?start=${span.start}&end=${span.end}`
  const video = `/api/exports/${exported}/video.mp4`
  return {
    ...screenViewer(client),
    history: { client, streams: [], requests: [`${yard}/playback/${span.start}/${span.end}/index.m3u8`, segment] },
    download: {
      client,
      streams: [file('a clip', clip), { ...file('part of a clip', clip), range: 'bytes=1000-' }],
      requests: [clip],
    },
    export: { client, streams: [file('an export', video)], requests: [video] },
  }
}

/** Shares the live video, the recording with its audio and the export, and opens the three links. */
export async function linkViewer(
  service: Service,
  creator: TestClient,
  { span, exported }: RecordedVideo,
  more: { readonly [key: string]: unknown; readonly code?: string } = {},
): Promise<{ readonly links: readonly CreatedShareLink[]; readonly viewer: Viewer }> {
  const shared = [
    { kind: 'live', camera: 'yard' },
    { kind: 'history', camera: 'yard', ...span, download: true, audio: true },
    { kind: 'export', export: exported },
  ]
  const opened = await Promise.all(
    shared.map(async (body) => {
      const link = await makeLink(creator, { ...body, ...more })
      return { link, client: await openLink(service, link, more.code), at: (rest: string) => linkPath(link, rest) }
    }),
  )
  const [live, range, video] = opened as [(typeof opened)[0], (typeof opened)[0], (typeof opened)[0]]
  return {
    links: opened.map(({ link }) => link),
    viewer: {
      live: {
        client: live.client,
        streams: [socket('a link to live video', live.at('live')), socket('its events', live.at('events'))],
        requests: [live.at('live/index.m3u8'), live.at('latest.jpg')],
      },
      range: {
        client: range.client,
        streams: [socket('events of a link to a range', range.at('events'))],
        requests: [range.at('playback/index.m3u8')],
      },
      'range file': {
        client: range.client,
        streams: [file('the file of a link to a range', range.at('video.mp4'))],
        requests: [range.at('video.mp4')],
      },
      export: {
        client: video.client,
        streams: [
          socket('events of a link to an export', video.at('events')),
          file('the file of a link to an export', video.at('video.mp4')),
        ],
        requests: [video.at('video.mp4')],
      },
    },
  }
}
