import type { OpenSource } from './open-source.ts'

/** The way that fits this browser, fetched with the first recording that is played. */
export async function sourceOpener(): Promise<OpenSource> {
  const { openHls, hlsPlays } = await import('./hls-source.ts')
  return hlsPlays() ? openHls : (await import('./native-source.ts')).openNative
}
