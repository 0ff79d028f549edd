import { expect, test } from 'vitest'
import { loadTexts } from '../i18n/catalogs.ts'
import { defaultActions, type RoleKeys } from './role-keys.ts'
import { limitsInWords, roleInWords } from './role-words.ts'
import { workingHours } from './week.ts'

const plain: RoleKeys = {
  cameras: ['yard', 'gate'],
  allow: [...defaultActions],
  history_days: null,
  hours: [],
  valid_from: null,
  valid_until: null,
}
// Times of day in the sentences are those of the machine.
const local = (month: number, day: number, hour: number) => new Date(2027, month - 1, day, hour).toISOString()
const titles: Readonly<Record<string, string>> = { yard: 'Yard', gate: 'Gate' }

/** Spaces of any width are one space, which Intl chooses differently by version. */
async function inWords(changed: Partial<RoleKeys>, locale: string, tag = locale): Promise<string> {
  const texts = await loadTexts(tag, ['grants'])
  const words = roleInWords({ ...plain, ...changed }, { texts, locale, titleOf: (name) => titles[name] ?? name })
  return words.replaceAll(/[\u00a0\u202f\u2009]/g, ' ')
}

const limited: Partial<RoleKeys> = { allow: ['live', 'history'], history_days: 3, hours: [workingHours] }
const night = { days: ['mon', 'wed', 'sat', 'sun'], from: '22:00', to: '06:00' } as const satisfies {
  readonly days: readonly string[]
  readonly from: string
  readonly to: string
}

test.each<[what: string, changed: Partial<RoleKeys>, words: string]>([
  [
    'no limits',
    {},
    'Yard and Gate: watch live with audio, play recordings, see review items, export video, and download video.',
  ],
  [
    'hours and days',
    limited,
    'Yard and Gate: watch live and play the last 3 days. Hours: Monday to Friday from 7:00 AM to 7:00 PM.',
  ],
  ['audio alone', { allow: ['audio', 'history'] }, 'Yard and Gate: listen to audio and play recordings.'],
  ['one day', { allow: ['history'], history_days: 1 }, 'Yard and Gate: play the last day.'],
  ['half a day', { allow: ['history'], history_days: 0.5 }, 'Yard and Gate: play recordings up to 12 hours old.'],
  [
    'days without playing',
    { allow: ['export'], history_days: 2 },
    'Yard and Gate: export video. Nothing older than 2 days.',
  ],
  ['all cameras', { cameras: ['all'], allow: ['live'] }, 'All cameras: watch live.'],
  ['nothing, while it is edited', { cameras: ['all'], allow: [] }, 'All cameras: no actions.'],
  [
    'hours without an end or a day, while they are edited',
    {
      allow: ['live'],
      hours: [
        { ...workingHours, to: '' },
        { ...workingHours, days: [] },
      ],
    },
    'Yard and Gate: watch live.',
  ],
  ['a group', { cameras: ['group:doors', 'barn'], allow: ['live'] }, 'doors (group) and barn: watch live.'],
  [
    'several hours, some across midnight',
    {
      allow: ['live'],
      hours: [
        { ...night, days: [...night.days] },
        { days: ['fri'], from: '00:00', to: '24:00' },
      ],
    },
    'Yard and Gate: watch live. Hours: Monday, Wednesday, Saturday, and Sunday from 10:00 PM to 6:00 AM the next day and Friday all day.',
  ],
  [
    'every day',
    {
      allow: ['live'],
      hours: [{ days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'], from: '08:00', to: '24:00' }],
    },
    'Yard and Gate: watch live. Hours: every day from 8:00 AM to 12:00 AM.',
  ],
  [
    'an end',
    { allow: ['live'], valid_until: local(1, 3, 12) },
    'Yard and Gate: watch live. Valid until Jan 3, 2027, 12:00 PM.',
  ],
  [
    'a start and an end',
    { allow: ['live'], valid_from: local(1, 1, 0), valid_until: local(1, 3, 12) },
    'Yard and Gate: watch live. Valid from Jan 1, 2027, 12:00 AM until Jan 3, 2027, 12:00 PM.',
  ],
])('[GRANT-1] a role in words: %s', async (_what, changed, words) => {
  expect(await inWords(changed, 'en-US', 'en')).toBe(words)
})

test.each([
  [
    'de',
    'Yard und Gate: live ansehen und die letzten 3 Tage abspielen. Zeiten: Montag bis Freitag von 07:00 bis 19:00 Uhr.',
  ],
  ['es', 'Yard y Gate: ver en vivo y reproducir los últimos 3 días. Horario: de lunes a viernes de 7:00 a 19:00.'],
  [
    'fr',
    'Yard et Gate : regarder en direct et lire les 3 derniers jours. Horaires : du lundi au vendredi de 07:00 à 19:00.',
  ],
  ['zh-Hans', 'Yard和Gate：观看实时画面和回放最近 3 天的录像。时段：星期一至星期五 07:00 至 19:00。'],
])('[GRANT-1] a role in words, in %s', async (tag, words) => {
  expect(await inWords(limited, tag)).toBe(words)
})

test.each<[what: string, changed: Partial<RoleKeys>, words: string]>([
  ['none', {}, 'No time limits.'],
  ['days, also of a role that plays recordings', { history_days: 3 }, 'Nothing older than 3 days.'],
  [
    'days and hours',
    { history_days: 3, hours: [workingHours] },
    'Nothing older than 3 days. Hours: Monday to Friday from 7:00 AM to 7:00 PM.',
  ],
  ['an end', { valid_until: local(1, 3, 12) }, 'Valid until Jan 3, 2027, 12:00 PM.'],
  ['an end that the browser can’t read', { valid_until: '2027-02-40T00:00:00Z' }, 'Valid until 2027-02-40T00:00:00Z.'],
])('[GRANT-1] the limits of a role in words: %s', async (_what, changed, words) => {
  const found = limitsInWords({ ...plain, ...changed }, { texts: await loadTexts('en', ['grants']), locale: 'en-US' })
  expect(found.replaceAll(/[\u00a0\u202f\u2009]/g, ' ')).toBe(words)
})
