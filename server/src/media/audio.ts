import type { InitSegment, Track } from './fmp4.ts'

/**
 * What is done with a source's sound: passed on as it is, made into AAC, or left out.
 *
 * ffmpeg has to be told before anybody knows what the source sends. So `copy` is tried first, which is right for AAC
 * and for no sound at all; where it fails, the next is tried, and what worked is remembered.
 */
export type SoundMode = 'copy' | 'aac' | 'none'

/** What to try when one did not work. */
export const afterwards = (mode: SoundMode): SoundMode => (mode === 'copy' ? 'aac' : 'none')

/** Two channels at most, and a rate at which AAC is at home: telephone sound of 8 kHz is not. */
const format = 'aformat=sample_rates=16000|32000|44100|48000:channel_layouts=mono|stereo'

/** ffmpeg's arguments for the sound of an output, where the source has any. */
export function soundArgs(mode: SoundMode): readonly string[] {
  switch (mode) {
    case 'copy':
      return ['-map', '0:a:0?', '-c:a', 'copy']
    case 'aac':
      return ['-map', '0:a:0?', '-af', format, '-c:a', 'aac', '-b:a', '64k', '-aac_coder', 'fast']
    case 'none':
      return []
  }
}

/** ffmpeg could not write the source's sound, or make it into another. */
const failures = [
  /codec not currently supported in container/i,
  /malformed aac/i,
  /could not write header/i,
  /incorrect codec parameters/i,
  /error (initializing|while opening|reinitializing) .*(output|encoder|filter)/i,
  /error (opening|submitting) .*(output|encoder|muxer|filter)/i,
  /decoder .*not found|no decoder|decoding requested, but no decoder/i,
]

/** Whether ffmpeg's last lines tell of trouble that another way with the sound may end. */
export const soundFailed = (lines: readonly string[]): boolean =>
  lines.some((line) => failures.some((pattern) => pattern.test(line)))

/** The decoder, which runs only to look at the source where its sound is copied, could not read it. */
export const soundBroken = /^\[aac @ /m

export const soundOf = (init: InitSegment): Track | undefined => init.tracks.find(({ kind }) => kind === 'audio')

/** Plain AAC of one or two channels is what every browser plays, and what {@link silence} can stand in for. */
export const playableSound = ({ codec, channels }: Track): boolean =>
  codec === 'mp4a.40.2' && (channels === 1 || channels === 2)
