import type { Texts } from '../i18n/texts.ts'

/** Order matters: Edge and Opera also contain `Chrome`, and Chrome contains `Safari`. */
const browsers: readonly [pattern: RegExp, name: string][] = [
  [/Edg(e|A|iOS)?\//, 'Edge'],
  [/OPR\/|Opera/, 'Opera'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrome\/|CriOS\/|Chromium\//, 'Chrome'],
  [/Safari\//, 'Safari'],
]
const systems: readonly [pattern: RegExp, name: string][] = [
  [/iPhone|iPod/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/CrOS/, 'ChromeOS'],
  [/Mac OS X|Macintosh/, 'Mac'],
  [/Linux|X11/, 'Linux'],
]

/** A `User-Agent` in words: `Firefox on Android`, or a program's own name. */
export function deviceOf(userAgent: string, { sessions }: Texts<'account'>): string {
  const first = (list: typeof browsers) => list.find(([pattern]) => pattern.test(userAgent))?.[1]
  const [browser, system] = [first(browsers), first(systems)]
  if (browser && system) return sessions.device({ browser, system })
  const program = /^[\w.-]+/.exec(userAgent)?.[0]
  if (browser ?? system) return browser ?? system ?? sessions.unknownDevice
  return program ? sessions.program({ name: program }) : sessions.unknownDevice
}
