/** Saves the frame that a video shows, at its own size, under the camera's name and the time. */
export function savePicture(video: HTMLVideoElement | null, camera: string): void {
  if (!video || video.videoWidth === 0) return
  const canvas = document.createElement('canvas')
  canvas.width = video.videoWidth
  canvas.height = video.videoHeight
  canvas.getContext('2d')?.drawImage(video, 0, 0)
  canvas.toBlob(
    (blob) => {
      if (!blob) return
      const url = URL.createObjectURL(blob)
      const link = document.createElement('a')
      link.href = url
      link.download = `${camera} ${new Date().toISOString().slice(0, 19).replaceAll(':', '-')}.jpg`
      link.click()
      // The download has its own hold on the picture once it has begun.
      setTimeout(() => URL.revokeObjectURL(url), 10_000)
    },
    'image/jpeg',
    0.92,
  )
}
