import type { OpenSource } from './open-source.ts'

/** The source type that this browser supports, loaded with the first recording that is played. */
export async function sourceOpener(): Promise<OpenSource> {
  const { openHls, hlsPlays } = await import('./hls-source.ts')
  return hlsPlays() ? openHls : (await import('./native-source.ts')).openNative
}
