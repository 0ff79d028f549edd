import type { AudioMode } from './audio.ts'

/**
 * How long ffmpeg can search a source for the parameters of its video and audio.
 *
 * It ends as soon as it knows those of every stream, but MPEG-TS and FLV can announce another one at any time: there, it
 * always takes the whole time. `quick` is enough unless key frames are rare, or the audio or video begins late; if it
 * wasn't, or if there is no video for another unknown reason, `thorough` is tried.
 */
export type Analysis = 'quick' | 'thorough'

/** How a source is read: what works is only known once it has been tried. */
export interface ReadMode {
  /** `none`: the source's audio is not requested. */
  readonly audio: AudioMode
  readonly analysis: Analysis
}

export const firstMode: ReadMode = { audio: 'copy', analysis: 'quick' }

/**
 * Late audio doesn't matter if none is requested. Announced audio makes a thorough analysis of video that is known take
 * its whole time, so `quick` is tried again, also if the video may need a thorough one.
 */
export const withoutAudio: ReadMode = { audio: 'none', analysis: 'quick' }

/** Microseconds. `quick`: key frames are usually two seconds apart at most. `thorough`: for those of any camera. */
const durations: Record<Analysis, string> = { quick: '2500000', thorough: '15000000' }

/** ffmpeg's options for an analysis that doesn't measure the frame rate. */
export const analysisOptions = (analysis: Analysis) =>
  ({ analyzeduration: durations[analysis], fpsprobesize: '0' }) as const

const unknownVideo = /could not find codec parameters for stream \d+ \(video:/i
/**
 * Message of ffmpeg if it found too little of an audio stream. If that is the one in the output, and not copied, no
 * video can be shown before it begins.
 */
export const unknownAudio = /could not find codec parameters for stream \d+ \(audio:/i
/** It isn't in the output. */
const lateAudio = /\bnew audio stream \S/i

/** Message of ffmpeg if it found too little of the streams that are requested. Others than these are possible. */
export const analysisTooShort = (audio: AudioMode): RegExp => (audio === 'none' ? unknownVideo : unknownStream)
const unknownStream = new RegExp([unknownVideo, unknownAudio, lateAudio].map(({ source }) => source).join('|'), 'i')
