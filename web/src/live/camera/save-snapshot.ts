import { saveFile } from '../../lib/save-file.ts'

/** Saves the current frame of a video at full size. The file name is the camera's name and the time. */
export function saveSnapshot(video: HTMLVideoElement | null, camera: string): void {
  if (!video || video.videoWidth === 0) return
  const canvas = document.createElement('canvas')
  canvas.width = video.videoWidth
  canvas.height = video.videoHeight
  canvas.getContext('2d')?.drawImage(video, 0, 0)
  canvas.toBlob(
    (blob) => {
      if (blob) saveFile(blob, camera, 'jpg')
    },
    'image/jpeg',
    0.92,
  )
}
