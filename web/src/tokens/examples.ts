import type { NewApiTokenResponse } from '../../../server/src/api-types.ts'
import { urlOf } from '../lib/base.ts'

export interface Examples {
  readonly curl: string
  /** Only if the token can watch live video. */
  readonly player?: string
  readonly url?: string
}

/** Commands that use a token for what it can do. @param own names of the user's cameras */
export function examplesOf(
  { token, cameras, actions }: Pick<NewApiTokenResponse, 'token' | 'cameras' | 'actions'>,
  own: readonly string[],
): Examples {
  const header = `-H "Authorization: Bearer ${token}"`
  const [camera] = cameras ?? own
  if (camera === undefined || !actions?.includes('live')) {
    const path = actions?.includes('system.read') ? 'api/metrics' : 'api/profile'
    return { curl: `curl ${header} ${urlOf(path).href}` }
  }
  const path = `api/cameras/${encodeURIComponent(camera)}`
  const url = urlOf(`${path}/live/index.m3u8`).href
  return {
    curl: `curl ${header} -o snapshot.jpg ${urlOf(`${path}/latest.jpg`).href}`,
    player: `ffplay -headers "Authorization: Bearer ${token}" ${url}`,
    url,
  }
}
