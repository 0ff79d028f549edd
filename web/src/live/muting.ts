/**
 * Mutes a video, or lets it be heard. As an attribute it would be only the default.
 *
 * Nobody but our own buttons turns sound on in a page: WebKitGTK does so by itself whenever its sound begins anew, and
 * that is taken back. In a window of the browser's own there are buttons of its own.
 *
 * @returns a function that lets go of it
 */
export function muteVideo(video: HTMLVideoElement, muted: boolean): () => void {
  video.muted = muted
  const leave = new AbortController()
  const onVolume = () => {
    if (!video.muted && !inOwnWindow(video)) video.muted = true
  }
  // Before anybody else hears of it.
  if (muted) video.addEventListener('volumechange', onVolume, { capture: true, signal: leave.signal })
  return () => leave.abort()
}

/** The full screen of a phone, or a picture in a picture. */
export const inOwnWindow = (video: HTMLVideoElement & { readonly webkitDisplayingFullscreen?: boolean }): boolean =>
  video.webkitDisplayingFullscreen === true || document.pictureInPictureElement === video
