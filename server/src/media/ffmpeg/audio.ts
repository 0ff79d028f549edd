import type { InitSegment, Track } from '../mp4/init-segment.ts'

/**
 * Handling of a source's audio: copied, transcoded to AAC, or left out.
 *
 * ffmpeg needs the mode before anyone knows what the source sends. So `copy` is tried first, which is right for AAC
 * and for no audio (`aac` for MPEG-TS, from which AAC can't be copied); if it fails, the next mode is tried, and the
 * working mode is remembered.
 */
export type AudioMode = 'copy' | 'aac' | 'none'

/** The mode to try after another one failed. */
export const nextAudioMode = (mode: AudioMode): AudioMode => (mode === 'copy' ? 'aac' : 'none')

/** At most two channels, at a sample rate suited to AAC, which 8 kHz telephone audio is not. */
const format = 'aformat=sample_rates=16000|32000|44100|48000:channel_layouts=mono|stereo'

/** ffmpeg's audio arguments for an output, in case the source has audio. */
export function audioCodecArgs(mode: AudioMode): readonly string[] {
  switch (mode) {
    case 'copy':
      return ['-map', '0:a:0?', '-c:a', 'copy']
    case 'aac':
      return ['-map', '0:a:0?', '-af', format, '-c:a', 'aac', '-b:a', '64k', '-aac_coder', 'fast']
    case 'none':
      return []
  }
}

/** Messages of ffmpeg if it cannot write or transcode the source's audio. */
const failures = [
  /codec not currently supported in container/i,
  /malformed aac/i,
  /could not write header/i,
  /incorrect codec parameters/i,
  /error (initializing|while opening|reinitializing) .*(output|encoder|filter)/i,
  /error (opening|submitting) .*(output|encoder|muxer|filter)/i,
  /decoder .*not found|no decoder|decoding requested, but no decoder/i,
]

/** Whether ffmpeg's last lines report a failure that another audio mode may avoid. */
export const audioFailedIn = (lines: readonly string[]): boolean =>
  lines.some((line) => failures.some((pattern) => pattern.test(line)))

/** Message of ffmpeg if MP4 can't contain the source's audio, which is the second stream of its output. */
const uncopyableAudio = /could not find tag for codec (?!none\b)\w+ in stream #1\b/i

/** Whether ffmpeg's last lines say that the audio is known, and can't be copied. */
export const isUncopyableIn = (lines: readonly string[]): boolean => lines.some((line) => uncopyableAudio.test(line))

/** Message of the decoder, which only inspects the source if its audio is copied, if it cannot read the audio. */
export const brokenAudio = /^\[aac @ /m

export const audioTrackOf = (init: InitSegment): Track | undefined => init.tracks.find(({ kind }) => kind === 'audio')

/** AAC with one or two channels plays in every browser, and {@link silence} can replace it. */
export const isPlayableAudio = ({ codec, channels }: Track): boolean =>
  codec === 'mp4a.40.2' && (channels === 1 || channels === 2)
