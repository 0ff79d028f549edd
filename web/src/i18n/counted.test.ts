import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { adminTextsIn, withAdminTexts, type SettingsTexts } from './admin-texts.ts'
import type { MotionTexts } from './en/motion.ts'
import { languages, type Language } from './languages.ts'
import { motionTextsIn } from './motion-texts.ts'
import { countingIn } from './plural.ts'

type Message = (texts: SettingsTexts & { readonly motion: MotionTexts }, count: number) => string

/** Every message that contains a count. */
const counted: Readonly<Record<string, Message>> = {
  'access.sees': ({ access }, n) => access.sees(n),
  'access.more': ({ access }, n) => access.more(n),
  'access.count': ({ access }, n) => access.count(n, n),
  'access.count, some': ({ access }, n) => access.count(n, n + 1),
  'account.cameras': ({ account }, n) => account.cameras(n),
  'password.advice.short': ({ password }, n) => password.advice.short(n),
  'audit.times': ({ audit }, n) => audit.times(n),
  'audit.exporting': ({ audit }, n) => audit.exporting(n),
  'audit.exported': ({ audit }, n) => audit.exported(n),
  'cameras.fps': ({ cameras }, n) => cameras.fps(n),
  'config.count, problems': ({ config }, n) => config.count(n, 0),
  'config.count, warnings': ({ config }, n) => config.count(0, n),
  'config.orphans.title': ({ config }, n) => config.orphans.title(n),
  'exports.tray.open': ({ exports }, n) => exports.tray.open(n, '7%'),
  'history.cameras': ({ history }, n) => history.cameras(n),
  'history.most': ({ history }, n) => history.most(n),
  'live.lowDataOn': ({ live }, n) => live.lowDataOn(n),
  'live.crowded, cameras': ({ live }, n) => live.crowded(n, 10),
  'live.crowded, seconds': ({ live }, n) => live.crowded(9, n),
  'log.count': ({ log }, n) => log.count(n, n),
  'log.count, some': ({ log }, n) => log.count(n, n + 1),
  'motion.masks.facts': ({ motion }, n) => motion.masks.facts(n, '7%'),
  'motion.drawing.more': ({ motion }, n) => motion.drawing.more(n),
  'motion.conflict.body': ({ motion }, n) => motion.conflict.body('x', n),
  'motion.conflict.bodyOff': ({ motion }, n) => motion.conflict.bodyOff(n),
  'review.unseen': ({ review }, n) => review.unseen(n),
  'review.menuUnseen': ({ review }, n) => review.menuUnseen(n),
  'review.news': ({ review }, n) => review.news(n),
  'review.selected': ({ review }, n) => review.selected(n),
  'review.deleteMany': ({ review }, n) => review.deleteMany(n),
  'review.none.detectionsInstead': ({ review }, n) => review.none.detectionsInstead(n),
  'roles.users': ({ roles }, n) => roles.users(n),
  'roles.more': ({ roles }, n) => roles.more(n),
  'roles.chosen': ({ roles }, n) => roles.chosen(n, 9),
  'roles.gains': ({ roles }, n) => roles.gains(n, 'Gate #1 {name}'),
  'roles.loses': ({ roles }, n) => roles.loses(n, 'Gate #1 {name}'),
  'roles.becomes': ({ roles }, n) => roles.becomes(n),
  'roles.gainTitle': ({ roles }, n) => roles.gainTitle(n),
  'service.config-problems': ({ service }, n) => service.refusals['config-problems']({ count: n }),
  'service.many-exports': ({ service }, n) => service.refusals['many-exports']({ max: n }),
  'service.many-own-exports': ({ service }, n) => service.refusals['many-own-exports']({ max: n }),
  'service.span-too-long': ({ service }, n) => service.problems['span-too-long']({ hours: n }),
  'service.too-short': ({ service }, n) => service.problems['too-short']({ min: n }),
  'service.too-long': ({ service }, n) => service.problems['too-long']({ max: n }),
  'service.too-many-bytes': ({ service }, n) => service.problems['too-many-bytes']({ max: n }),
  'service.repeats-too-much': ({ configProblems }, n) => configProblems['repeats-too-much']({ max: n }),
  'service.secret-short': ({ configProblems }, n) => configProblems['secret-short']({ min: n }),
  'system.fps': ({ system }, n) => system.fps(n),
  'users.count': ({ users }, n) => users.count(n, n),
  'users.count, some': ({ users }, n) => users.count(n, n + 1),
  'users.orphans.title': ({ users }, n) => users.orphans.title(n),
  'users.orphans.more': ({ users }, n) => users.orphans.more(n),
  'users.orphans.reassigned': ({ users }, n) => users.orphans.reassigned(n, 'viewer'),
  'users.sees.more': ({ users }, n) => users.sees.more(n),
  'users.endAllBody': ({ users }, n) => users.endAllBody(n, 'nina'),
  'users.moreSessions': ({ users }, n) => users.moreSessions(n),
}
const counts = [0, 1, 2, 5, 1_000_000]

const textsOf = async (language: Language) => ({
  ...withAdminTexts(await language.load(), await adminTextsIn(language.tag)),
  motion: await motionTextsIn(language.tag),
})

describe.each(languages)('$name', (language) => {
  test('uses the plural forms and digits of the language', async () => {
    const texts = await textsOf(language)
    const lines = Object.entries(counted).flatMap(([name, message]) => [
      name,
      ...counts.map((count) => `  ${count}: ${message(texts, count)}`),
    ])
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(`counted/${language.tag}.txt`)
    const million = new Intl.NumberFormat(language.tag).format(1_000_000)
    for (const [name, message] of Object.entries(counted)) {
      const text = message(texts, 1_000_000)
      if (!['roles.gainTitle'].includes(name)) expect(text).toContain(million)
      expect(text.replace('Gate #1 {name}', '')).not.toMatch(/[#{}]/)
    }
  })
})

test.each([
  ['fr', 0, '0 camera'],
  ['fr', 1, '1 camera'],
  ['fr', 2, '2 cameras'],
  ['es', 0, '0 cameras'],
  ['es', 1_000_000, '1.000.000 of cameras'],
  ['zh-Hans', 1, '1 cameras'],
])('%s has its own plural form for %i', (tag, count, text) => {
  const { plural } = countingIn(tag)
  expect(plural(count, { one: '# camera', many: '# of cameras', other: '# cameras' })).toBe(text)
})

test('the text for zero is used for zero only', () => {
  const { plural } = countingIn('fr')
  const forms = { '=0': 'none', one: 'one', other: 'several' }
  expect([0, 1, 2].map((count) => plural(count, forms))).toEqual(['none', 'one', 'several'])
})

const read = (pattern: string) =>
  globSync(pattern, { cwd: import.meta.dirname }).map(
    (file) => [file, readFileSync(resolve(import.meta.dirname, file), 'utf8')] as const,
  )

test('every counted message is in the table above', () => {
  const named = new Set(Object.keys(counted).map((name) => name.split(',')[0]?.split('.').at(-1)))
  const keys = read('en/*.ts').flatMap(([, text]) =>
    text.split(/^(?= +'?[\w-]+'?: .*=>)/m).flatMap((message) => {
      const [, key] = /^ +'?([\w-]+)'?:/.exec(message) ?? []
      return key !== undefined && /\b(?:plural|masksOf)\(/.test(message) ? [key] : []
    }),
  )
  expect(keys.length).toBeGreaterThan(30)
  expect(keys.filter((key) => !named.has(key))).toEqual([])
})

test('no message takes a number as text or chooses a plural form itself', () => {
  const wrong = read('{en,de,es,fr,zh}/*.ts').filter(([, text]) =>
    /\b(?:count|most|total|number): string\b|\bone: boolean\b|[=<>]==? *[12] *\?|< 2 *$/m.test(text),
  )
  expect(wrong.map(([file]) => file)).toEqual([])
})
