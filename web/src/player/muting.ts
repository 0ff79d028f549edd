/**
 * Mutes or unmutes a video. Uses the property: the attribute is only the default.
 *
 * Only our own buttons may unmute a video in the page. WebKitGTK unmutes it whenever its audio restarts, and that is
 * undone here. A window of the browser's own (full screen, picture-in-picture) has its own mute button.
 *
 * @returns a function that removes the listener
 */
export function muteVideo(video: HTMLVideoElement, muted: boolean): () => void {
  video.muted = muted
  const leave = new AbortController()
  const onVolume = () => {
    if (!video.muted && !inOwnWindow(video)) video.muted = true
  }
  // Capture: runs before any other listener.
  if (muted) video.addEventListener('volumechange', onVolume, { capture: true, signal: leave.signal })
  return () => leave.abort()
}

/** Full screen on an iPhone, or picture-in-picture. */
export const inOwnWindow = (video: HTMLVideoElement & { readonly webkitDisplayingFullscreen?: boolean }): boolean =>
  video.webkitDisplayingFullscreen === true || document.pictureInPictureElement === video

/** Plays a video, muted if the browser requires a user gesture for audio. */
export function playVideo(video: HTMLVideoElement): void {
  video.play().catch((error: unknown) => {
    // If the source was replaced in the meantime, the new one plays.
    if (video.muted || !(error instanceof DOMException) || error.name !== 'NotAllowedError') return
    video.muted = true
    video.play().catch(() => {})
  })
}
