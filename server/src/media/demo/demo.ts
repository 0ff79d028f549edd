import { join } from 'node:path'
import type { DemoScene } from '../../shared/camera/camera-source.ts'

/**
 * The file of a demo scene: a script for ffmpeg's concat demuxer, which shows parts of one video in an order that lasts
 * four minutes. `scripts/demo-scenes.ts` makes both.
 */
export const demoFile = (scene: DemoScene): string => join(import.meta.dirname, `${scene}.ffconcat`)
