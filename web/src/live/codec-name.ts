const names: readonly (readonly [RegExp, string])[] = [
  [/^avc/, 'H.264'],
  [/^(hvc|hev)/, 'H.265'],
  [/^av01/, 'AV1'],
  [/^vp09/, 'VP9'],
  [/^mp4a/, 'AAC'],
  [/^opus/i, 'Opus'],
]

/** What people call a codec of RFC 6381: `H.264` for `avc1.4D401F`; the same where there is no other name. */
export const codecName = (codec: string): string => names.find(([sign]) => sign.test(codec))?.[1] ?? codec

const isSound = (codec: string): boolean => /^(mp4a|opus|ac-3|ec-3|flac)/i.test(codec)

/** What a media type says of its picture and its sound. */
export function codecsIn(mime: string): { readonly picture: string | undefined; readonly sound: string | undefined } {
  const codecs = (/codecs="([^"]*)"/.exec(mime)?.[1] ?? '').split(/\s*,\s*/).filter(Boolean)
  return { picture: codecs.find((codec) => !isSound(codec)), sound: codecs.find(isSound) }
}
