/** Saves the current frame of a video at full size. The file name is the camera's name and the time. */
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
      // The download keeps its own reference to the image once it has started.
      setTimeout(() => URL.revokeObjectURL(url), 10_000)
    },
    'image/jpeg',
    0.92,
  )
}
