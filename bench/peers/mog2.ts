import type { GrayFrame } from '../../server/src/media/ffmpeg/gray-frames.ts'
import { gray } from '../../server/src/motion/gray.ts'

interface Mat {
  readonly data: Uint8Array
  readonly data32S: Int32Array
  readonly rows: number
  delete(): void
}

interface Subtractor {
  apply(frame: Mat, foreground: Mat, learningRate: number): void
  delete(): void
}

/** The part of OpenCV.js that the peer needs. */
export interface OpenCv {
  readonly CV_8UC1: number
  readonly MORPH_OPEN: number
  readonly MORPH_RECT: number
  readonly THRESH_BINARY: number
  readonly CC_STAT_AREA: number
  readonly Mat: new (...size: number[]) => Mat
  readonly Size: new (width: number, height: number) => object
  readonly BackgroundSubtractorMOG2: new (history: number, varThreshold: number, detectShadows: boolean) => Subtractor
  threshold(from: Mat, to: Mat, over: number, max: number, type: number): void
  morphologyEx(from: Mat, to: Mat, operation: number, kernel: Mat): void
  getStructuringElement(shape: number, size: object): Mat
  connectedComponentsWithStats(from: Mat, labels: Mat, stats: Mat, centroids: Mat): number
}

export interface Mog2Settings {
  /** Seconds after which a still change belongs to the background: the learning rate follows the time between frames. */
  readonly memory: number
  /** Squared distance from the background, in variances. */
  readonly varThreshold: number
}

/** Shares of the frame. */
interface Shares {
  readonly largest: number
  readonly total: number
}

export interface Mog2 {
  /** The foreground without shadows, plain and after a 3×3 opening. */
  apply(frame: GrayFrame, seconds: number): { readonly plain: Shares; readonly opened: Shares }
  end(): void
}

/**
 * OpenCV's background subtraction by a mixture of Gaussians. Z. Zivkovic, F. van der Heijden, "Efficient adaptive density
 * estimation per image pixel for the task of background subtraction", Pattern Recognition Letters 27 (2006).
 */
export function startMog2(cv: OpenCv, { memory, varThreshold }: Mog2Settings): Mog2 {
  const subtractor = new cv.BackgroundSubtractorMOG2(500, varThreshold, true)
  const input = new cv.Mat(gray.height, gray.width, cv.CV_8UC1)
  const [foreground, opened, labels, stats, centroids] = [0, 0, 0, 0, 0].map(() => new cv.Mat()) as [
    Mat,
    Mat,
    Mat,
    Mat,
    Mat,
  ]
  const kernel = cv.getStructuringElement(cv.MORPH_RECT, new cv.Size(3, 3))

  const sharesOf = (mask: Mat): Shares => {
    const count = cv.connectedComponentsWithStats(mask, labels, stats, centroids)
    const columns = stats.data32S.length / stats.rows
    // The first component is the background.
    const areas = Array.from({ length: count - 1 }, (_, n) => stats.data32S[(n + 1) * columns + cv.CC_STAT_AREA] ?? 0)
    return { largest: Math.max(0, ...areas) / gray.size, total: areas.reduce((sum, area) => sum + area, 0) / gray.size }
  }

  return {
    apply({ pixels }, seconds) {
      input.data.set(pixels)
      subtractor.apply(input, foreground, seconds === 0 ? 1 : 1 - Math.exp(-seconds / memory))
      // Shadows are 127.
      cv.threshold(foreground, foreground, 200, 255, cv.THRESH_BINARY)
      cv.morphologyEx(foreground, opened, cv.MORPH_OPEN, kernel)
      return { plain: sharesOf(foreground), opened: sharesOf(opened) }
    },
    end() {
      for (const each of [subtractor, input, foreground, opened, labels, stats, centroids, kernel]) each.delete()
    },
  }
}
