import type { OpenSource } from './open-source.ts'
import { piecesOf } from './recorded-time.ts'

/** Plays natively, as on phones without Media Source Extensions. The browser reports little about errors. */
export const openNative: OpenSource = (video, url, { ready, onAudio, onProblem }) => {
  const leave = new AbortController()
  const { signal } = leave

  const open = async () => {
    const response = await fetch(url, { signal, credentials: 'same-origin', cache: 'no-store' })
    if (!response.ok) return onProblem({ kind: 'refused', status: response.status })
    const pieces = piecesOf(await response.text())
    // First: setting `src` later would pause a video after `play()`.
    video.src = url.href
    const start = ready(pieces)
    const onMetadata = () => {
      video.currentTime = start
      const { audioTracks } = video as { audioTracks?: { readonly length: number } }
      onAudio(audioTracks?.length !== 0)
    }
    video.addEventListener('loadedmetadata', onMetadata, { signal, once: true })
  }
  const failed = async () => {
    const { status, ok } = await fetch(url, { signal, credentials: 'same-origin', cache: 'no-store' })
    if (!ok) onProblem({ kind: 'refused', status })
    else onProblem({ kind: video.error?.code === MediaError.MEDIA_ERR_SRC_NOT_SUPPORTED ? 'unsupported' : 'broken' })
  }
  const lost = () => {
    if (!signal.aborted) onProblem({ kind: 'refused', status: 0 })
  }
  video.addEventListener('error', () => void failed().catch(lost), { signal })
  void open().catch(lost)

  return () => {
    leave.abort()
    video.removeAttribute('src')
    video.load()
  }
}
