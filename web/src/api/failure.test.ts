import { expect, test, vi } from 'vitest'
import { ApiError } from './api.ts'
import { headedMessageOf, messageOf, problemOf } from './failure.ts'
import { noVideoReason } from './translate-message.ts'
import { loadTexts } from '../i18n/catalogs.ts'

// base.ts reads document.baseURI as soon as it is loaded.
vi.hoisted(() => vi.stubGlobal('document', { baseURI: 'https://gate.test/' }))

const en = await loadTexts('en', ['reasons'])
const de = await loadTexts('de', ['reasons'])
const zh = await loadTexts('zh-Hans', ['reasons'])

const failed = (failure: ConstructorParameters<typeof ApiError>[1]) => new ApiError('In English.', failure)
const short = { field: 'password', code: 'too-short', values: { min: 12 }, message: 'has fewer than 12 characters' }

test('a failure is shown in the language of the page, by its reason, its problems or its code', () => {
  const taken = failed({ status: 409, code: 'conflict', reason: { code: 'name-taken' } })
  expect(messageOf(taken, en)).toBe('A user with this name already exists.')
  expect(messageOf(taken, de)).toBe('Es gibt schon einen Benutzer mit diesem Namen.')
  const invalid = failed({ status: 400, code: 'invalid-request', problems: [short] })
  expect(messageOf(invalid, de)).toBe('Zu kurz: mindestens 12 Zeichen.')
  expect(problemOf(invalid, 'password', de)).toBe('Zu kurz: mindestens 12 Zeichen.')
  expect(problemOf(invalid, 'username', de)).toBeUndefined()
  expect(messageOf(failed({ status: 403, code: 'forbidden' }), de)).toBe('Ihre Rolle erlaubt das nicht.')
})

test('the title of a failure says what happened, if that is known, and its text does not repeat it', () => {
  const { offline, failure } = en
  expect(headedMessageOf(failed({ status: 0 }), en)).toMatchObject({ title: offline.title, body: offline.body })
  const unavailable = failed({ status: 503, code: 'unavailable' })
  expect(headedMessageOf(unavailable, en)).toEqual({ title: failure.unavailableTitle, body: failure.later })
  const reason = { code: 'database-unavailable' }
  const known = failed({ status: 503, code: 'unavailable', reason })
  expect(headedMessageOf(known, en)).toEqual({ title: failure.unavailableTitle, body: messageOf(known, en) })
  expect(messageOf(known, en)).not.toBe(failure.unavailable)
  const unexpected = { title: failure.title, body: failure.unexpected }
  expect(headedMessageOf(new Error('odd'), en)).toEqual(unexpected)
})

test('sentences are joined as in the language of the page', () => {
  const twice = failed({ status: 400, code: 'invalid-request', problems: [short, short] })
  const [inGerman, inChinese] = [de, zh].map((texts) => messageOf(failed({ status: 400, problems: [short] }), texts))
  expect(messageOf(twice, de)).toBe(`${inGerman} ${inGerman}`)
  expect(messageOf(twice, zh)).toBe(`${inChinese}${inChinese}`)
})

test.each(['never-heard-of', 'constructor', '__proto__'])(
  '%s, a code without a translation, is shown in the words of the service',
  (code) => {
    expect(messageOf(failed({ status: 400, code, reason: { code } }), de)).toBe('In English.')
    const problem = { ...short, code, message: 'is `odd`' }
    expect(problemOf(failed({ status: 400, code: 'invalid-request', problems: [problem] }), 'password', de)).toBe(
      'is odd',
    )
    expect(noVideoReason({ detail: 'It is odd.', reason: { code } }, de)).toBe('It is odd.')
  },
)

test('the reason why a camera shows no video is in the language of the page', () => {
  const silent = {
    detail: 'The camera has sent nothing for 20 s.',
    reason: { code: 'no-data', values: { seconds: 20 } },
  }
  expect(noVideoReason(silent, de)).toBe('Seit 20 s keine Daten von der Kamera.')
})
