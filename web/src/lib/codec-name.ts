const names: readonly (readonly [RegExp, string])[] = [
  [/^avc/, 'H.264'],
  [/^(hvc|hev)/, 'H.265'],
  [/^av01/, 'AV1'],
  [/^vp09/, 'VP9'],
  [/^mp4a/, 'AAC'],
  [/^opus/i, 'Opus'],
]

/** The common name of an RFC 6381 codec: `H.264` for `avc1.4D401F`. Returns an unknown codec unchanged. */
export const codecName = (codec: string): string => names.find(([pattern]) => pattern.test(codec))?.[1] ?? codec

const isAudio = (codec: string): boolean => /^(mp4a|opus|ac-3|ec-3|flac)/i.test(codec)

/** The video codec and the audio codec that a media type lists. */
export function codecsIn(mime: string): { readonly video: string | undefined; readonly audio: string | undefined } {
  const codecs = (/codecs="([^"]*)"/.exec(mime)?.[1] ?? '').split(/\s*,\s*/).filter(Boolean)
  return { video: codecs.find((codec) => !isAudio(codec)), audio: codecs.find(isAudio) }
}
